import { describe, expect, it } from 'vitest';
import { snapshotOf } from './snapshot.ts';

type Answer = Parameters<typeof snapshotOf>[1];
const DAY = 86_400;
const FROM = Date.parse('2020-01-01') / 1_000;
/** Closes stand at 21:00 UTC. */
const history = (value: readonly number[], benchmark: readonly number[] | null = null) => ({
  timestamps: value.map((_, i) => FROM + i * DAY + 21 * 3_600),
  value,
  benchmark_value: benchmark,
});
const metrics = {
  duration: 3,
  cumulative_return: 0.5,
  annualized_return: Number.NaN,
  standard_deviation: 0.1,
  max_drawdown: 0.2,
  calmer: null,
  sharpe: 1.5,
  trailing_1_month: 0.01,
  trailing_3_month: null,
};
const figures = { ...metrics, annualized_return: null };
const report = {
  yearly_returns: [{ period: '2020', is_partial: true, return: 0.123456789 }],
  benchmark: { yearly_returns: [{ period: '2020', return: 0.1 }] },
  drawdowns: [{ peak: 'p', trough: 't', recovery: null, depth: 0.333333333, length: 5 }],
  sortino: 2,
  ulcer_index: null,
  turnover_per_year: Number.POSITIVE_INFINITY,
  exposure: 0.9,
  beta: undefined,
  correlation: -0.5,
  trades: 7,
};
const answer = (over: object = {}) =>
  ({
    metrics,
    benchmark_metrics: null,
    calculated_dates: {
      first_day: '2020-01-01',
      last_day: '2020-01-03',
      first_day_decided_by: ['A'],
      last_day_decided_by: ['B'],
    },
    history: history([100, 110, 121]),
    report,
    provenance: { data_version: 'v', engine_version: '7', is_simulated: false, result_hash: 'h' },
    ...over,
  }) as unknown as Answer;
const terms = { start_date: '2020-01-01' } as never;

describe('a result that is kept', () => {
  it('has its terms, its provenance, and figures that are numbers', () => {
    expect(snapshotOf(terms, answer())).toEqual({
      terms,
      dataVersion: 'v',
      engineVersion: '7',
      isSimulated: false,
      resultHash: 'h',
      firstDay: '2020-01-01',
      lastDay: '2020-01-03',
      firstDayDecidedBy: ['A'],
      lastDayDecidedBy: ['B'],
      figures,
      benchmarkFigures: null,
      curve: { days: ['2020-01-01', '2020-01-02', '2020-01-03'], value: [1, 1.1, 1.21], benchmark: null },
      years: [{ year: '2020', isPartial: true, value: 0.123457, benchmark: 0.1 }],
      drawdowns: [{ peak: 'p', trough: 't', recovery: null, depth: 0.333333 }],
      further: {
        sortino: 2,
        ulcerIndex: null,
        turnoverPerYear: null,
        exposure: 0.9,
        beta: null,
        correlation: -0.5,
        trades: 7,
      },
    });
  });

  it('has those of the benchmark where there is one', () => {
    const snapshot = snapshotOf(
      terms,
      answer({ benchmark_metrics: metrics, history: history([100, 110], [50, 60]) }),
    );
    expect(snapshot.benchmarkFigures).toEqual(figures);
    expect(snapshot.curve).toMatchObject({ value: [1, 1.1], benchmark: [1, 1.2] });
    const alone = snapshotOf(terms, answer({ report: { ...report, benchmark: null } }));
    expect(alone.years).toMatchObject([{ benchmark: null }]);
  });

  it('is thinned out, with its first and last day', () => {
    const { curve } = snapshotOf(
      terms,
      answer({ history: history(Array.from({ length: 5_000 }, (_, i) => 100 + i)) }),
    );
    expect(curve.value.length).toBeLessThan(2_000);
    expect([curve.value[0], curve.value.at(-1)]).toEqual([1, 50.99]);
    expect(curve.days).toHaveLength(curve.value.length);
    expect(new Set(curve.days).size).toBe(curve.days.length);
    expect(snapshotOf(terms, answer({ history: history([100]) })).curve).toMatchObject({
      days: ['2020-01-01'],
      value: [1],
    });
  });

  it('keeps the last years, the deepest falls and twenty names', () => {
    const names = Array.from({ length: 30 }, (_, i) => `T${i}`);
    const many = {
      ...report,
      yearly_returns: Array.from({ length: 300 }, (_, i) => ({
        period: String(1800 + i),
        is_partial: false,
        return: 0,
      })),
      drawdowns: Array.from({ length: 300 }, (_, i) => ({
        peak: String(i),
        trough: '',
        recovery: null,
        depth: 0.1,
      })),
    };
    const dates = { first_day: 'a', last_day: 'b', first_day_decided_by: names, last_day_decided_by: names };
    const snapshot = snapshotOf(terms, answer({ report: many, calculated_dates: dates }));
    expect(snapshot.years.length).toBeLessThan(300);
    expect(snapshot.years.at(-1)?.year).toBe('2099');
    expect(snapshot.drawdowns.length).toBeLessThan(300);
    expect(snapshot.drawdowns[0]?.peak).toBe('0');
    expect([snapshot.firstDayDecidedBy, snapshot.lastDayDecidedBy]).toEqual([
      names.slice(0, 20),
      names.slice(0, 20),
    ]);
  });

  it('is none without its history, its report and its hash', () => {
    for (const over of [
      { history: undefined },
      { report: undefined },
      { provenance: undefined },
      { provenance: { result_hash: null } },
    ])
      expect(() => snapshotOf(terms, answer(over))).toThrow(
        'A result is kept with its history, its report and its hash',
      );
  });
});

describe('what came since a day', () => {
  const since = (day: string, value = [100, 110, 88, 99], benchmark: number[] | null = [50, 55, 60, 66]) =>
    snapshotOf(terms, answer({ history: history(value, benchmark) }), day).since;

  it('begins with the last close before it', () => {
    expect(since('2020-01-02')).toEqual({
      firstDay: '2020-01-01',
      lastDay: '2020-01-04',
      days: 3,
      cumulativeReturn: -0.01,
      maxDrawdown: 0.2,
      benchmarkReturn: 0.32,
    });
    expect(since('2020-01-04')).toMatchObject({
      firstDay: '2020-01-03',
      days: 1,
      cumulativeReturn: 0.125,
      maxDrawdown: 0,
    });
    expect(since('2020-01-03', [100, 110, 88, 99], null)).toMatchObject({
      benchmarkReturn: null,
      cumulativeReturn: -0.1,
    });
    // From before the first day: from the first close on.
    expect(since('2019-12-01')).toMatchObject({ firstDay: '2020-01-01', days: 3 });
    expect(since('2020-01-01')).toMatchObject({ firstDay: '2020-01-01', days: 3 });
  });

  it('is nothing where nothing came', () => {
    expect(since('2020-01-05')).toBeUndefined();
    expect(since('2019-01-01', [100])).toBeUndefined();
    expect(snapshotOf(terms, answer())).not.toHaveProperty('since');
  });
});
