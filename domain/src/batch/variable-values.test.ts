import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  batchVariables,
  combinationCount,
  combinationIndexes,
  combinationValues,
  distinctValues,
  expandRange,
  parseValueText,
  requestedCombinations,
} from './variable-values.ts';

describe('expandRange', () => {
  it.each([
    ['5..50 step 5', [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]],
    ['1..4', [1, 2, 3, 4]],
    ['0..1 step 0.25', [0, 0.25, 0.5, 0.75, 1]],
    ['0..0.5 step 0.1', [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
    // Ends between two steps, with more digits than these.
    ['1..1.25 step 0.1', [1, 1.1, 1.2]],
    ['1.2..0.95 step 0.1', [1.2, 1.1, 1]],
    ['10..1 step 4', [10, 6, 2]],
    ['-2..2 step 2', [-2, 0, 2]],
    ['7..7', [7]],
    ['5 .. 11 by 3', [5, 8, 11]],
  ])('%s', (text, values) => expect(expandRange(text)).toEqual(values));
  it('is null for what is no range, a sentence for what cannot be expanded', () => {
    expect(expandRange('SPY')).toBeNull();
    expect(expandRange('5')).toBeNull();
    expect(expandRange('1..5 step 0')).toMatch(/step/);
    expect(expandRange('1..999999')).toMatch(/at most 10,000/);
    expect([expandRange('1..10000')?.length, expandRange('1..10001')]).toEqual([
      10_000,
      expect.stringContaining('10,001 values'),
    ]);
  });
  it('goes from the first end to the last, whatever the sign of the step', () => {
    expect([expandRange('1..5 step -2'), expandRange('5..1 by -2')]).toEqual([
      [1, 3, 5],
      [5, 3, 1],
    ]);
  });
});

describe('parseValueText', () => {
  it('ignores blank lines, upper-cases tickers, turns digits into numbers and drops duplicates', () => {
    expect(parseValueText('spy\n\n  qqq\r\n10\n10\nSPY\n5..15 step 5')).toEqual({
      raw: ['SPY', 'QQQ', 10, 10, 'SPY', 5, 10, 15],
      values: ['SPY', 'QQQ', 10, 5, 15],
      problems: [],
    });
  });
  it('reads lines of every system, a nought of either sign, and tickers of up to 20 characters', () => {
    const [longest, longer] = ['A'.repeat(20), 'A'.repeat(21)];
    const { raw, problems } = parseValueText(`spy\rqqq\r\n-0\n${longest}\r${longer}`);
    expect(raw).toEqual(['SPY', 'QQQ', 0, longest]);
    expect(problems).toMatchObject([{ line: 5, text: longer }]);
  });
  it('names the line of what it cannot read', () => {
    const { problems, values } = parseValueText('SPY\nwhat is this?');
    expect(values).toEqual(['SPY']);
    expect(problems).toMatchObject([{ line: 2, text: 'what is this?' }]);
  });
  it.each(['5..X', 'a..b', '5..50 step x', '1…', '..'])(
    'takes %s for a range gone wrong, never for a ticker',
    (text) => {
      const { raw, problems } = parseValueText(text);
      expect(raw).toEqual([]);
      expect(problems[0]?.message).toBe(
        `'${text}' is no range: both ends and the step must be numbers, as in 5..50 step 5`,
      );
    },
  );
});

describe('combinations', () => {
  const variables = batchVariables(['$W', '$A', '$B'], {
    $A: ['SPY', 'QLTY', 'spy'],
    $B: ['BOND', 'SIM:GLD', 'FLAT'],
    $W: ['10', 50, '50'],
    $OTHER: ['X'],
  });
  it('counts raw and distinct products in the template order', () => {
    expect(variables.map((v) => v.values.length)).toEqual([2, 2, 3]);
    expect(combinationCount(variables)).toBe(12);
    expect(requestedCombinations(['$A', '$B'], { $A: ['a', 'a'], $B: [1, 2, 3] })).toBe(6);
  });
  it('turns the last variable fastest', () => {
    expect(combinationValues(variables, 0)).toEqual({ $W: 10, $A: 'SPY', $B: 'BOND' });
    expect(combinationValues(variables, 1)).toEqual({ $W: 10, $A: 'SPY', $B: 'SIM:GLD' });
    expect(combinationValues(variables, 3)).toEqual({ $W: 10, $A: 'QLTY', $B: 'BOND' });
    expect(combinationValues(variables, 11)).toEqual({ $W: 50, $A: 'QLTY', $B: 'FLAT' });
  });
  it('gives every combination once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }), (sizes) => {
        const all = sizes.map((n, i) => ({ name: `$${i}`, values: Array.from({ length: n }, (_, j) => j) }));
        const seen = Array.from({ length: combinationCount(all) }, (_, k) =>
          combinationIndexes(all, k).join(),
        );
        expect(new Set(seen).size).toBe(seen.length);
        expect([...seen].length).toBe(sizes.reduce((a, b) => a * b, 1));
      }),
    );
  });
  it('treats "10" and 10 as one value', () => expect(distinctValues(['10', 10, ' 10 '])).toEqual([10]));
});
