import { Type } from 'typebox';
import type { StreamKind } from '../kernel/handle-command.ts';
import { type UsageCommand, type UsageEvent, type UsageState, usageDecider } from './usage.ts';

const base = {
  userId: Type.String(),
  month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
  batchId: Type.String(),
  combinations: Type.Integer({ minimum: 0 }),
};

/** Streams `usage-<userId>-<yyyy-mm>`. */
export const USAGE_STREAM: StreamKind<UsageCommand, UsageState, UsageEvent> = {
  category: 'usage',
  decider: usageDecider,
  events: [
    {
      type: 'QuotaReserved',
      version: 1,
      schema: Type.Object({ ...base, monthlyLimit: Type.Integer({ minimum: 0 }) }),
    },
    {
      type: 'QuotaReleased',
      version: 1,
      schema: Type.Object({
        ...base,
        reason: Type.Union([
          Type.Literal('batch_deleted'),
          Type.Literal('batch_never_created'),
          Type.Literal('batch_failed'),
        ]),
      }),
    },
  ],
};

/** Id of a user's month within the category. */
export const usageId = (userId: string, month: string): string => `${userId}-${month}`;
