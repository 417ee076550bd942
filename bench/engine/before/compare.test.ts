import { expect, test } from 'vitest';
import { compared, type Measured, playRound, tooSlow, turnsOfRound } from './compare.ts';
import type { Answer, Times } from './protocol.ts';

const returns = Float64Array.of(0.5, Number.NaN);
const timed = (ms: number, values = returns, times: Partial<Times> = {}): Answer => ({
  times: { cold: ms, fresh: ms, warm: ms, ...times },
  returns: values,
});
const measured = (fields: Partial<Measured>): Measured => ({
  name: 'W1',
  rule: 'daily',
  before: [timed(10)],
  after: [timed(10)],
  ...fields,
});

function figuresOf(each: Measured) {
  const comparison = compared(each);
  if (comparison.kind !== 'compared') throw new Error(comparison.why);
  return comparison;
}

test('engines take their turns ABBA, then BAAB', async () => {
  expect(
    [0, 1, 2].map((round) =>
      turnsOfRound(round)
        .map((side) => side[0])
        .join(''),
    ),
  ).toEqual(['baab', 'abba', 'baab']);
  const asked: string[] = [];
  const runner = (side: string) => ({
    time: async ({ name, rule }: { name: string; rule: string }) => {
      asked.push(`${side} ${name} ${rule}`);
      return timed(1);
    },
  });
  const each = measured({ before: [], after: [] });
  await playRound(each, { before: runner('old'), after: runner('new') }, 0, 100);
  expect(asked).toEqual(['old W1 daily', 'new W1 daily', 'new W1 daily', 'old W1 daily']);
  expect([each.before.length, each.after.length]).toEqual([2, 2]);
});

test('a ratio is of rates, by the best turns and by the medians', () => {
  const { figures, combinations } = figuresOf(
    measured({
      before: [timed(10), timed(12), timed(40)],
      after: [timed(8), timed(24), timed(20)],
    }),
  );
  expect(combinations).toBe(2);
  expect(figures[1]).toEqual({ figure: 'fresh', before: 200, after: 250, best: 1.25, median: 0.6 });
});

test('a figure is too slow where either ratio is below what is asked for', () => {
  const slowOf = (before: readonly Answer[], after: readonly Answer[]) =>
    tooSlow(figuresOf(measured({ before: [...before], after: [...after] })), 0.95).map(
      ({ figure }) => figure,
    );
  expect(slowOf([timed(95)], [timed(100)])).toEqual([]);
  expect(slowOf([timed(94)], [timed(100, returns, { cold: 90 })])).toEqual(['fresh', 'warm']);
  // The best turns are as fast, the median is not.
  expect(slowOf([timed(10), timed(10)], [timed(10), timed(20, returns, { cold: 10, warm: 10 })])).toEqual([
    'fresh',
  ]);
});

test('where the engine before refuses a rule or computes other values there is nothing to compare with', () => {
  const refused = compared(measured({ rule: 'monthly', before: [{ refusal: 'it does not know the rule' }] }));
  expect(refused).toMatchObject({
    kind: 'alone',
    why: 'it does not know the rule',
    times: { cold: 200, fresh: 200 },
  });
  const others = Float64Array.of(0.6, Number.NaN);
  expect(compared(measured({ rule: 'monthly', before: [timed(1, others)] })).kind).toBe('alone');
  const fails = Float64Array.of(0.5, 0.5);
  expect(compared(measured({ rule: 'monthly', before: [timed(1, fails)] })).kind).toBe('alone');
});

test('daily batches have to be the same on both sides, and this engine has to run all of them', () => {
  expect(() => compared(measured({ before: [timed(1, Float64Array.of(0.6, Number.NaN))] }))).toThrow(
    'does not compare',
  );
  expect(() => compared(measured({ before: [{ refusal: 'no such ticker' }] }))).toThrow('no such ticker');
  expect(() => compared(measured({ rule: 'monthly', after: [{ refusal: 'too large' }] }))).toThrow(
    'too large',
  );
});

test('a turn too short for the clock decides nothing in favour of an engine', () => {
  expect(tooSlow(figuresOf(measured({ before: [timed(0)], after: [timed(0)] })), 0.95)).toHaveLength(3);
});
