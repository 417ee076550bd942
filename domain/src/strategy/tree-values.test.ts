import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyStrategy } from '../../testing/any-strategy.ts';
import { strategyOfText as strategy } from '../../testing/strategy-of-text.ts';
import { printStrategy } from '../exchange/text/printer.ts';
import { suggestedName, suggestedValues } from './suggested-variables.ts';
import type { Algorithm } from './tree.ts';
import {
  makeVariables,
  placesToReplace,
  replaceValue,
  swapValues,
  valueKey,
  valuesOfTree,
} from './tree-values.ts';
import { validateAlgorithm } from './validation.ts';
import type { ValueField } from './value-place.ts';
import { bindVariables, collectVariables } from './variables.ts';

const body = (tree: Algorithm) => printStrategy(tree).split('\n\n')[1]?.replace(/\s+/g, ' ').trim();
const SAMPLE = strategy(
  'if RSI(TQQQ, 10) > 79 then UVXY "Vol" else if RSI(SPY, 10) > 79 then UVXY else if CR(SPY/TQQQ, ' +
    '5) < -6 then top 1 by RSI(10) of [TQQQ, SPY] else weight by percentages [60% TQQQ, 40% weight ' +
    'by inverse volatility over 20 days [SPY, TLT]]',
);

describe('the values of a tree', () => {
  test('are listed with how often they occur', () => {
    expect(valuesOfTree(SAMPLE).map(({ kind, fn, value, times }) => [kind, fn, value, times])).toEqual([
      ['threshold', 'relative-strength-index', 79, 2],
      ['threshold', 'cumulative-return', -6, 1],
      ['window', 'relative-strength-index', 10, 3],
      ['window', 'cumulative-return', 5, 1],
      ['window', 'standard-deviation-return', 20, 1],
      ['held', null, 'UVXY', 2],
      ['held', null, 'TQQQ', 2],
      ['held', null, 'SPY', 2],
      ['held', null, 'TLT', 1],
      ['signal', null, 'TQQQ', 2],
      ['signal', null, 'SPY', 2],
      ['weight', null, 60, 1],
      ['weight', null, 40, 1],
      ['count', null, 1, 1],
      ['function', null, 'relative-strength-index', 3],
      ['function', null, 'cumulative-return', 1],
    ]);
  });

  test('stand by how often they occur, wherever the first of them is', () => {
    const tree = strategy('if RSI(SPY, 10) > 70 then A else if RSI(SPY, 5) > 70 then B else [B, A, B]');
    const held = valuesOfTree(tree).filter(({ kind }) => kind === 'held');
    expect(held.map(({ value, times }) => [value, times])).toEqual([
      ['B', 3],
      ['A', 2],
    ]);
  });

  test('become variables, all places of a value at once', () => {
    const made = makeVariables(SAMPLE, [
      { of: { kind: 'threshold', fn: 'relative-strength-index', value: 79 }, name: '$LEVEL' },
      { of: { kind: 'held', fn: null, value: 'UVXY' }, name: '$HEDGE' },
      { of: { kind: 'signal', fn: null, value: 'TQQQ' }, name: '$SIGNAL' },
    ]);
    expect(body(made)).toContain(
      'if RSI($SIGNAL, 10) > $LEVEL then [ $HEDGE ] else [ if RSI(SPY, 10) > $LEVEL then [ $HEDGE ]',
    );
    expect(body(made)).toContain('CR(SPY/$SIGNAL, 5) < -6');
    expect(collectVariables(made).map(({ name }) => name)).toEqual(['$SIGNAL', '$LEVEL', '$HEDGE']);
  });

  test('every value made a variable and bound again gives the same strategy', () => {
    fc.assert(
      fc.property(anyStrategy(), (tree) => {
        const taken = new Set(collectVariables(tree).map(({ name }) => name));
        const values = valuesOfTree(tree).filter(({ kind }) => kind !== 'function');
        const variables = values.map((of) => {
          const name = suggestedName(of, taken);
          taken.add(name);
          return { of, name };
        });
        const made = makeVariables(tree, variables);
        expect(valuesOfTree(made).filter(({ kind }) => kind !== 'function')).toEqual([]);
        const bound = bindVariables(made, new Map(variables.map(({ of, name }) => [name, of.value])));
        // The names of funds are gone where their ticker was a variable.
        const plain = (one: Algorithm) =>
          JSON.stringify(one, (key, value: unknown) => (key === 'name' ? '' : value));
        expect(plain(bound)).toBe(plain(tree));
      }),
      { numRuns: 200 },
    );
  });

  test('a swap that changes nothing gives the very same tree', () => {
    fc.assert(fc.property(anyStrategy(), (tree) => swapValues(tree, ({ value }) => value) === tree));
  });
});

describe('find and replace', () => {
  test('replaces a ticker held and watched, sides of ratios included, and the name with it', () => {
    const replaced = replaceValue(SAMPLE, { kinds: ['held', 'signal'], fn: null, from: 'TQQQ', to: 'QQQ' });
    expect(JSON.stringify(replaced)).not.toContain('TQQQ');
    expect(body(replaced)).toContain('CR(SPY/QQQ, 5)');
  });

  test('replaces a window of one function alone', () => {
    const { kinds, from, to } = { kinds: ['window'] as const, from: 10, to: 14 };
    expect(body(replaceValue(SAMPLE, { kinds, fn: 'cumulative-return', from, to }))).toBe(body(SAMPLE));
    expect(body(replaceValue(SAMPLE, { kinds, fn: 'relative-strength-index', from, to }))).toContain(
      'RSI(TQQQ, 14)',
    );
  });

  test('replaces a function, and gives the new one the parameters that it has', () => {
    const replace = (to: string) =>
      body(replaceValue(SAMPLE, { kinds: ['function'], fn: null, from: 'cumulative-return', to }));
    expect(replace('bollinger-upper')).toContain('Upper Band(SPY/TQQQ, 5, 2) < -6');
    expect(replace('current-price')).toContain('Current Price(SPY/TQQQ) < -6');
  });
});

describe('find and replace of what cannot stand everywhere', () => {
  const replacement = { kinds: ['window'] as const, fn: null, from: 10, to: 1 };
  const both = strategy('if RSI(SPY, 10) > StdDev Return(SPY, 10) then SPY else TLT');
  test('leaves a window where the new one is out of bounds, and tells how often', () => {
    expect(placesToReplace(both, replacement)).toEqual({ count: 1, refused: 1 });
    expect(body(replaceValue(both, replacement))).toContain('RSI(SPY, 1) > StdDev Return(SPY, 10)');
    expect(placesToReplace(both, { ...replacement, to: 10.5 })).toEqual({ count: 0, refused: 2 });
    expect(placesToReplace(both, { ...replacement, to: '$W' })).toEqual({ count: 2, refused: 0 });
  });
  test('keeps the second series from pair to pair, and makes no pair of what has none', () => {
    const pair = strategy('if Correlation(SPY, TLT, 60) > 0.5 then SPY else TLT');
    const of = (from: string, to: string) => ({ kinds: ['function'] as const, fn: null, from, to });
    const replaced = replaceValue(pair, of('correlation', 'beta'));
    expect(body(replaced)).toContain('Beta(SPY, TLT, 60) > 0.5');
    expect(validateAlgorithm(replaced)).toEqual([]);
    expect(replaceValue(both, of('relative-strength-index', 'beta'))).toBe(both);
    expect(placesToReplace(both, of('relative-strength-index', 'beta')).count).toBe(0);
  });
  test('gives a window to what had none', () => {
    const price = strategy('if Current Price(SPY) > 100 then SPY else TLT');
    const replaced = replaceValue(price, {
      kinds: ['function'],
      fn: null,
      from: 'current-price',
      to: 'moving-average-price',
    });
    expect(body(replaced)).toContain('MA Price(SPY, 10) > 100');
  });
});

describe('numbers that are alike', () => {
  const tree = strategy(
    'if RSI(SPY, 10) 3 days ago > 3 * RSI(TLT, 10) + 3 for 3 days then top 2 by RSI(10) weighted ' +
      'by rank [60%, 40%] of [SPY, TLT] else SPY',
  );
  test('are told apart by what they are', () => {
    const of = valuesOfTree(tree).filter(({ kind }) => kind === 'days' || kind === 'scale');
    expect(of.map(({ field, value, times }) => [field, value, times])).toEqual([
      ['days_ago', 3, 1],
      ['for_days', 3, 1],
      ['scale', 3, 1],
      ['offset', 3, 1],
    ]);
    const made = makeVariables(tree, [
      { of: { kind: 'days', field: 'for_days', fn: null, value: 3 }, name: '$N' },
    ]);
    expect(body(made)).toContain('RSI(SPY, 10) 3 days ago > 3 * RSI(TLT, 10) + 3 for $N days');
    expect(of.map((one) => suggestedName(one, new Set()))).toEqual([
      '$DAYS_AGO_3',
      '$FOR_DAYS_3',
      '$SCALE_3',
      '$OFFSET_3',
    ]);
  });
  test('of each rank are values, and become variables that are bound again', () => {
    const ranks = valuesOfTree(tree).filter(({ kind }) => kind === 'weight');
    expect(ranks.map(({ field, value }) => [field, value])).toEqual([
      ['rank 1', 60],
      ['rank 2', 40],
    ]);
    const made = makeVariables(tree, [
      { of: { kind: 'weight', field: 'rank 1', fn: null, value: 60 }, name: '$W' },
    ]);
    expect(body(made)).toContain('weighted by rank [$W%, 40%]');
    expect(validateAlgorithm(made)).toEqual([]);
    expect(validateAlgorithm(made, { requireBound: true }).map(({ code }) => code)).toEqual([
      'unbound_variable',
    ]);
    expect(collectVariables(made)).toEqual([{ name: '$W', kinds: ['number'] }]);
    expect(bindVariables(made, new Map([['$W', 60]]))).toEqual(tree);
  });
});

describe('suggestions', () => {
  const value = (
    kind: 'window' | 'threshold' | 'weight',
    fn: 'relative-strength-index' | 'cumulative-return' | null,
    of: number,
  ) => ({
    kind,
    fn,
    value: of,
    times: 1,
  });
  test('names say what they are of, and are unique', () => {
    const level = value('threshold', 'relative-strength-index', 79);
    expect(suggestedName(level, new Set())).toBe('$RSI_LEVEL_79');
    expect(suggestedName(level, new Set(['$RSI_LEVEL_79']))).toBe('$RSI_LEVEL_79_2');
    expect(suggestedName({ kind: 'held', fn: null, value: 'BRK-B', times: 1 }, new Set())).toBe('$BRK_B');
  });
  test('ranges lie around the value, within its bounds', () => {
    expect(suggestedValues(value('threshold', 'relative-strength-index', 79))).toEqual([
      71, 73, 75, 77, 79, 81, 83, 85, 87,
    ]);
    expect(suggestedValues(value('window', 'relative-strength-index', 10))).toEqual([
      2, 4, 6, 8, 10, 12, 14, 16, 18,
    ]);
    expect(suggestedValues(value('window', 'relative-strength-index', 2))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(suggestedValues(value('threshold', 'cumulative-return', -0.25))).toEqual([
      -0.33, -0.31, -0.29, -0.27, -0.25, -0.23, -0.21, -0.19, -0.17,
    ]);
    expect(suggestedValues(value('weight', null, 95))).toEqual([75, 80, 85, 90, 95, 100]);
  });
  test('of whole numbers are whole, and within what their place takes', () => {
    const of = (kind: 'parameter' | 'days', field: ValueField, of: number) =>
      suggestedValues({ kind, field, fn: kind === 'days' ? null : 'macd-signal', value: of, times: 1 });
    expect(of('parameter', 'fast', 5)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(of('days', 'days_ago', 2)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(of('days', 'for_days', 2)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(of('days', 'for_days', 250).at(-1)).toBe(250);
  });
  test('hold the value itself, whatever it is', () => {
    fc.assert(
      fc.property(anyStrategy(), (tree) => {
        for (const one of valuesOfTree(tree))
          expect(suggestedValues(one), valueKey(one)).toContain(one.value);
      }),
    );
  });
});
