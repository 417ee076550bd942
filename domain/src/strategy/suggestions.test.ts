import { describe, expect, it } from 'vitest';
import { around, roundStep, stepOf, suggestedName, suggestedValues } from './suggested-variables.ts';
import type { TreeValue } from './tree-values.ts';

const value = (over: Partial<TreeValue>): TreeValue => ({
  kind: 'threshold',
  fn: null,
  value: 5,
  times: 1,
  ...over,
});

describe('names of new variables', () => {
  it.each<[Partial<TreeValue>, string]>([
    [{ kind: 'threshold', fn: 'relative-strength-index', value: 79 }, '$RSI_LEVEL_79'],
    [{ kind: 'threshold', fn: 'cumulative-return', value: -2.5 }, '$CR_LEVEL_MINUS_2_5'],
    [{ kind: 'window', fn: 'moving-average-price', value: 20 }, '$MA_PRICE_DAYS_20'],
    [{ kind: 'held', value: 'BRK-B' }, '$BRK_B'],
    [{ kind: 'signal', value: '^GSPC' }, '$SIGNAL_GSPC'],
    [{ kind: 'weight', value: 60 }, '$WEIGHT_60'],
    [{ kind: 'weight', field: 'rank 2', value: 40 }, '$WEIGHT_RANK_2_40'],
    [{ kind: 'count', value: 2 }, '$COUNT_2'],
    [{ kind: 'corridor', value: 7.5 }, '$CORRIDOR_7_5'],
    [{ kind: 'parameter', field: 'fast', fn: 'macd', value: 12 }, '$MACD_FAST_12'],
    [{ kind: 'parameter', fn: 'macd', value: 12 }, '$MACD_PARAMETER_12'],
    [{ kind: 'days', field: 'days_ago', value: 3 }, '$DAYS_AGO_3'],
    [{ kind: 'days', value: 3 }, '$DAYS_3'],
    [{ kind: 'scale', field: 'offset', value: -1 }, '$OFFSET_MINUS_1'],
    [{ kind: 'scale', value: 2 }, '$SCALE_2'],
    [{ kind: 'function', fn: 'macd', value: 'macd' }, '$MACD_FUNCTION_MACD'],
    [{ kind: 'held', value: 'X'.repeat(60) }, `$${'X'.repeat(40)}`],
  ])('%j is %s', (of, name) => {
    expect(suggestedName(value(of), new Set())).toBe(name);
    expect(suggestedName(value(of), new Set([name, `${name}_2`]))).toBe(`${name}_3`);
  });
});

describe('values to try', () => {
  it.each<[Partial<TreeValue>, readonly (number | string)[]]>([
    [{ kind: 'count', value: 1 }, [1, 2, 3]],
    [{ kind: 'count', value: 3 }, [1, 2, 3, 4, 5]],
    [{ kind: 'weight', value: 5 }, [0, 5, 10, 15, 20, 25]],
    [{ kind: 'corridor', value: 5 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ kind: 'corridor', value: 50 }, [10, 20, 30, 40, 50, 60, 70, 80, 90]],
    [{ kind: 'threshold', fn: 'relative-strength-index', value: 96 }, [88, 90, 92, 94, 96, 98, 100]],
    [{ kind: 'threshold', fn: 'relative-strength-index', value: 3 }, [1, 3, 5, 7, 9, 11]],
    [{ kind: 'threshold', fn: 'cumulative-return', value: 0 }, [-4, -3, -2, -1, 0, 1, 2, 3, 4]],
    [{ kind: 'scale', field: 'scale', value: 2 }, [1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8]],
    [{ kind: 'window', fn: 'moving-average-price', value: 100 }, [20, 40, 60, 80, 100, 120, 140, 160, 180]],
    [{ kind: 'window', fn: 'moving-average-price', value: 1 }, [1, 2, 3, 4, 5]],
    [{ kind: 'held', value: 'SPY' }, ['SPY']],
  ])('%j gives %j', (of, values) => expect(suggestedValues(value(of))).toEqual(values));

  it('lie around the value in even steps, within what its place takes', () => {
    expect(around(10, 3, null, null, 2)).toEqual([4, 7, 10, 13, 16]);
    expect(around(10, 3, 7, 13)).toEqual([7, 10, 13]);
    expect(around(0.3, 0.1, 0, null, 3)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    // The value itself is one of them, though it is out of bounds.
    expect(around(20, 1, 0, 5, 1)).toEqual([20]);
  });

  it('have steps of 1, 2 or 5', () => {
    expect([0.014, 0.016, 0.034, 0.036, 0.074, 0.076, 14, 150, 350, 760].map(roundStep)).toEqual([
      0.01, 0.02, 0.02, 0.05, 0.05, 0.1, 10, 200, 500, 1000,
    ]);
    expect([0, 79, -0.25, 1_000].map(stepOf)).toEqual([1, 10, 0.02, 100]);
  });
});
