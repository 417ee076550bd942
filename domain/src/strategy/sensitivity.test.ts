import { describe, expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { neighboursOf, numbersOf, withNumber } from './sensitivity.ts';

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
});
