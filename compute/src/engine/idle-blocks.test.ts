import { parseText } from '@quantloom/domain/exchange/text/parser';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { withoutIdleBlocks } from '@quantloom/domain/strategy/idle-blocks';
import { readStructure } from '@quantloom/domain/strategy/structure';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { marketOf } from '../../testing/fixtures.ts';
import { runBacktest } from './answers/backtest.ts';

const PRICES = marketOf(
  Object.fromEntries(
    ['SPY', 'AAA', 'BBB', 'CCC'].map((ticker, index) => [
      ticker,
      { seed: index + 3, firstDay: 12_000, bars: 90, step: 0.03 },
    ]),
  ),
);

/** Texts of few conditions, so that the same ones stand within one another. */
function anyText(): fc.Arbitrary<string> {
  const condition = fc
    .tuple(
      fc.constantFrom('RSI(AAA, 3)', 'RSI(BBB, 3)', 'CR(AAA, 2)'),
      fc.constantFrom('>', '<', '>=', '<='),
      fc.constantFrom(-1, 0, 2, 50, 60, 101),
      fc.constantFrom('', '', '', ' for 2 days'),
    )
    .map(([side, comparator, value, days]) => `${side} ${comparator} ${value}${days}`);
  const test = fc
    .tuple(fc.array(condition, { minLength: 1, maxLength: 3 }), fc.constantFrom(' and ', ' or '))
    .map(([items, joint]) => items.join(joint));
  return fc.letrec<{ block: string }>((tie) => {
    const list = fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((blocks) => `[${blocks.join(', ')}]`);
    return {
      block: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'blocks' },
        fc.constantFrom('AAA', 'BBB', 'CCC', 'cash'),
        fc
          .tuple(test, list, list)
          .map(([given, then, otherwise]) => `if ${given} then ${then} else ${otherwise}`),
        fc
          .tuple(test, list, list)
          .map(([given, then, otherwise]) => `if ${given} then ${then} else ${otherwise}`),
        list.map((blocks) => `weight equally ${blocks}`),
        list.map((blocks) => `group ${blocks}`),
        list.map((blocks) => `top 2 by CR(2) of ${blocks}`),
        list.map((blocks) => `weight by inverse volatility over 3 days ${blocks}`),
        fc
          .tuple(tie('block'), tie('block'))
          .map(([left, right]) => `weight by percentages [100% ${left}, 0% ${right}]`),
      ),
    };
  }).block;
}

function strategy(text: string): Algorithm {
  let count = 0;
  const newId = () => {
    count += 1;
    return `n${count}`;
  };
  const reading = readStructure({
    node_type: 'root',
    id: newId(),
    name: 'S',
    children: parseText(`${text}, CCC`, newId).blocks,
  });
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}

/** Holdings by day; null where it cannot run on these prices. */
function holdings(algorithm: Algorithm): ReadonlyMap<number, ReadonlyMap<string, number>> | null {
  try {
    const { history } = runBacktest(
      {
        start_date: '2002-11-20',
        end_date: '2003-02-10',
        trading_bot: algorithm,
        include: { history: true },
      },
      PRICES,
      { today: '2026-11-21' },
    );
    if (!history) throw new Error('no history');
    return new Map(
      history.timestamps.map((time, index) => [
        time,
        new Map(
          Object.entries(history.tickers)
            .map(([ticker, weights]) => [ticker, weights[index] ?? 0] as const)
            .filter(([, weight]) => Math.abs(weight) > 1e-9),
        ),
      ]),
    );
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

test('without idle blocks a strategy holds the same on every day', () => {
  let compared = 0;
  fc.assert(
    fc.property(anyText(), (text) => {
      const tree = strategy(text);
      const { algorithm, idle } = withoutIdleBlocks(tree);
      if (idle.length === 0) return;
      const before = holdings(tree);
      if (before === null) return;
      const after = holdings(algorithm);
      expect(after).not.toBeNull();
      for (const [time, held] of before) {
        const now = after?.get(time);
        expect([...(now ?? new Map<string, number>()).keys()].sort(), text).toEqual([...held.keys()].sort());
        for (const [ticker, weight] of held) expect(now?.get(ticker)).toBeCloseTo(weight, 6);
      }
      compared += 1;
    }),
    { numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(100);
});
