import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStrategy } from '../../testing/any-strategy.ts';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { neighboursOf, numbersOf, withNumber } from './sensitivity.ts';
import { validateAlgorithm } from './validation.ts';

const tree = strategyOfText(`if RSI(SPY, 10) > 79 and MA Return(SPY, 20) < 3 then BIL else TQQQ`);

describe('the numbers of a tree', () => {
  it('are named by their block and their place in it, in reading order', () => {
    const numbers = numbersOf(tree);
    const [first, second, third, fourth] = numbers;
    expect(numbers.map(({ kind, value, index }) => [kind, value, index])).toEqual([
      ['window', 10, 0],
      ['threshold', 79, 1],
      ['window', 20, 0],
      ['threshold', 3, 1],
    ]);
    expect(first?.nodeId).toBe(second?.nodeId);
    expect(third?.nodeId).toBe(fourth?.nodeId);
  });

  it('are replaced one at a time, though others are the same', () => {
    const [place] = numbersOf(tree);
    if (!place) throw new Error('There is no number');
    const changed = withNumber(tree, place, 12);
    expect(numbersOf(changed).map(({ value }) => value)).toEqual([12, 79, 20, 3]);
    expect(withNumber(tree, { ...place, index: 9 }, 12)).toBe(tree);
  });
});

describe('the numbers around one', () => {
  it.each([
    ['a window of 10', { kind: 'window', fn: 'moving-average-price', value: 10 }, 11, [1, 20]],
    ['a window of 200', { kind: 'window', fn: 'moving-average-price', value: 200 }, 21, [100, 300]],
    ['the level of an RSI', { kind: 'threshold', fn: 'relative-strength-index', value: 79 }, 21, [69, 89]],
    ['a level near its end', { kind: 'threshold', fn: 'relative-strength-index', value: 96 }, 15, [86, 100]],
    ['a small return', { kind: 'threshold', fn: 'cumulative-return', value: 0.5 }, 21, [0.3, 0.7]],
    ['nothing', { kind: 'threshold', fn: 'cumulative-return', value: 0 }, 21, [-10, 10]],
    ['a weight', { kind: 'weight', fn: null, value: 60 }, 21, [40, 80]],
    ['how many are chosen', { kind: 'count', fn: null, value: 1 }, 11, [1, 11]],
  ] as const)('%s', (_, place, count, [from, to]) => {
    const values = neighboursOf(place);
    expect(values).toContain(place.value);
    expect(values.length).toBeGreaterThanOrEqual(count);
    expect(values[0]).toBe(from);
    expect(values.at(-1)).toBe(to);
    expect([...values].sort((a, b) => a - b)).toEqual(values);
    expect(values.length).toBeLessThanOrEqual(21);
  });

  const around = (text: string) => numbersOf(strategyOfText(text)).map(neighboursOf);
  it('are those that run: whole, within bounds, a fast window below its slow one', () => {
    const [fast, slow, signal] = around('if MACD Signal(SPY, 5, 9, 3) > 0 then SPY else TLT');
    expect(fast).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(slow?.[0]).toBe(6);
    expect(slow).toContain(19);
    expect(signal).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });
  it('reach from no day ago, and to as many days as a condition may hold', () => {
    const [, , ago, days] = around('if RSI(SPY, 10) 2 days ago > 79 for 250 days then SPY else TLT');
    expect(ago).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(days?.at(-1)).toBe(250);
    expect(days?.every(Number.isInteger)).toBe(true);
  });
  it('of weights leave the others theirs', () => {
    const [first] = around('weight by percentages [60% SPY, 30% TLT]');
    expect([first?.[0], first?.at(-1)]).toEqual([40, 70]);
    const ranks = around('top 2 by RSI(10) weighted by rank [60%, 40%] of [SPY, TLT]').slice(2);
    expect(ranks.map((values) => [values[0], values.at(-1)])).toEqual([
      [40, 60],
      [20, 40],
    ]);
  });
  it('run, all of them', () => {
    fc.assert(
      fc.property(anyStrategy(), (any) => {
        if (validateAlgorithm(any).length > 0) return;
        for (const number of numbersOf(any))
          for (const value of neighboursOf(number))
            expect(validateAlgorithm(withNumber(any, number, value)), JSON.stringify(number)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
