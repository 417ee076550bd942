import { Type } from 'typebox';
import { defineRoute } from '../../src/contracts/http/route.ts';
import { IdParams } from '../../src/contracts/http/strategies.ts';
import { DayText } from '../../src/kernel/event-fields.ts';

export const setReminder = defineRoute({
  id: 'setReminder',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/reminder',
  side: 'command',
  tag: 'Trading bots',
  summary: 'Reminds the owner of a trading bot on a day to come',
  access: { kind: 'user', machine: true },
  params: IdParams,
  body: Type.Object({ day: DayText }),
  answer: Type.Object({ strategy_id: Type.String(), day: DayText }),
  status: 200,
});
