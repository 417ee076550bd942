import { describe, expect, test } from 'vitest';
import { type BacktestColumns, decodeColumns, encodeColumns, listsOf } from './backtest-columns.ts';

const metrics = {
  duration: 3,
  cumulative_return: 0.5,
  annualized_return: null,
  standard_deviation: null,
  max_drawdown: 0.1,
  calmer: null,
  sharpe: null,
  trailing_1_month: null,
  trailing_3_month: null,
};
const calculated_dates = {
  first_day: '1990-01-02',
  last_day: '1990-01-05',
  first_day_decided_by: ['SPY'],
  last_day_decided_by: [],
  first_defined: { 'BRK/B': '1990-01-02', Zażółć: '1990-01-02' },
};

/** Days of every sort: each another number, long runs, one run, yes and no in turn; what JSON has no number for. */
function answerOf(days: number, over: Partial<BacktestColumns> = {}): BacktestColumns {
  const column = (value: (t: number) => number) => Float64Array.from({ length: days }, (_, t) => value(t));
  return {
    metrics,
    benchmark_metrics: null,
    calculated_dates,
    history: {
      timestamps: column((t) => 631_152_000 + 86_400 * t),
      value: column((t) => 10_000 * 1.0003 ** t + Math.sin(t)),
      benchmark_value: column((t) => (t < 3 ? Number.NaN : t)),
      tickers: {
        SPY: column((t) => (Math.floor(t / 7) % 2) * 100),
        $$: column(() => 100 / 3),
        ZERO: column(() => -0),
      },
      indicators: { 'A-b-10': column((t) => (t === 1 ? Number.POSITIVE_INFINITY : Math.sqrt(t))) },
      turnover: column((t) => (t % 5 === 0 ? 0.25 : 0)),
    },
    explanation: {
      conditions: {
        node_c: {
          lhs: column((t) => t / 3),
          rhs: column(() => 50),
          holds: Uint8Array.from({ length: days }, (_, t) => (t % 3 === 0 ? 1 : 0)),
        },
      },
      branches: { node_i: new Uint8Array(days).fill(1) },
      selections: { node_f: { from: Float64Array.from([0, 2]), ids: [['node_a'], ['node_a', 'node_b']] } },
      shares: { node_root: column(() => 1) },
    },
    provenance: { data_version: 'v1', engine_version: '1', is_simulated: true },
    ...over,
  };
}

describe('an answer in columns', () => {
  test.each([0, 1, 2, 7, 8, 9, 64, 1000])('of %i days reads as its JSON does', (days) => {
    const answer = answerOf(days);
    const read = decodeColumns(encodeColumns(answer));
    expect(read).toEqual(JSON.parse(JSON.stringify(listsOf(answer))));
    // The order of tickers is the order of charts and tables.
    expect(JSON.stringify(read)).toBe(JSON.stringify(listsOf(answer)));
  });

  test('is what the lists say', () => {
    const { history, explanation } = listsOf(answerOf(4));
    expect(history?.timestamps).toEqual([631_152_000, 631_238_400, 631_324_800, 631_411_200]);
    expect(history?.benchmark_value).toEqual([null, null, null, 3]);
    expect(explanation?.conditions.node_c?.holds).toEqual([true, false, false, true]);
    expect(explanation?.selections.node_f).toEqual({ from: [0, 2], ids: [['node_a'], ['node_a', 'node_b']] });
  });

  test('may hold no history, no benchmark, and debug data as they are', () => {
    const { history: _history, explanation: _explanation, ...rest } = answerOf(3);
    const debug_data = { rows: [{ date: '1990-01-02', value: 1 }], deep: { none: null } };
    for (const answer of [rest, { ...rest, debug_data }])
      expect(decodeColumns(encodeColumns(answer))).toEqual(answer);
    const { history } = answerOf(3);
    if (!history) throw new Error('made with one');
    const answer = answerOf(3, { history: { ...history, benchmark_value: null } });
    expect(decodeColumns(encodeColumns(answer)).history?.benchmark_value).toBeNull();
  });

  test('can be read from anywhere in a larger piece of memory', () => {
    const bytes = encodeColumns(answerOf(20));
    const expected = decodeColumns(bytes);
    for (const offset of [3, 8]) {
      const within = new Uint8Array(bytes.length + 16);
      within.set(bytes, offset);
      expect(decodeColumns(within.subarray(offset, offset + bytes.length))).toEqual(expected);
    }
  });

  test('takes little room where little changes', () => {
    const bytes = (days: number) => encodeColumns(answerOf(days)).length;
    // Timestamps, value, benchmark, indicator and the left side change on every day: 5 of 13 columns.
    expect((bytes(20_000) - bytes(10_000)) / 10_000).toBeLessThan(50);
  });
});
