import { expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import type { StrategyEvent } from './events.ts';
import { strategyHistory } from './history.ts';

it('tells a new name once, though the root carries it too', () => {
  const old = strategyOfText('SPY');
  const before = { name: old.name, held: { algorithm: old } };
  const event: StrategyEvent = {
    type: 'StrategySaved',
    data: { strategyId: 's1', name: 'New', type: 'bot', variables: [], algorithm: { ...old, name: 'New' } },
  };
  expect(strategyHistory.describe(event, before).changes).toEqual([
    { kind: 'changed', text: `Name of the trading bot ${old.name} → New` },
  ]);
});
