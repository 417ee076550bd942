import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { AggregateRequest, ResultFilter } from '@quantloom/domain/ports/result-store';
import { describe, expect, it } from 'vitest';
import { histogramsOf } from './histograms.ts';

const FILTERS: ResultFilter[] = [{ column: '$N', op: 'gte', value: 2 }];

/** A store of rows whose Sharpe ratios go from 0 to 3, whose drawdowns are all the same, and that have nothing else. */
function store() {
  const asked: AggregateRequest[] = [];
  const aggregate = async (batchId: string, request: AggregateRequest) => {
    expect(batchId).toBe('b');
    asked.push(request);
    const [by] = request.groupBy ?? [];
    if (by === undefined)
      return [
        {
          days: 250,
          ...{ sharpe_ratio_n: 4, sharpe_ratio_min: 0, sharpe_ratio_max: 3, sharpe_ratio_avg: 1.5 },
          ...{ sharpe_ratio_stddev: 1.29, sharpe_ratio_median: 1.25 },
          ...{ max_drawdown_n: 2, max_drawdown_min: 0.5, max_drawdown_max: 0.5, max_drawdown_avg: 0.5 },
        },
      ];
    const column = typeof by === 'string' ? by : by.column;
    if (column === 'max_drawdown') return [{ max_drawdown: 0, rows_in_bin: 2 }];
    return [
      { sharpe_ratio: 2, rows_in_bin: 3 },
      { sharpe_ratio: 0, rows_in_bin: 1 },
    ];
  };
  return { store: { aggregate } as never, asked };
}

const MEDIANS = { sharpe_ratio: 1.75 };

describe('histograms of the metrics', () => {
  it('have bins of one width from the lowest value to the highest, the empty ones too', async () => {
    const { histograms, days } = await histogramsOf(store().store, 'b', 3, MEDIANS, []);
    expect(days).toBe(250);
    expect(histograms.map(({ metric }) => metric)).toEqual([...METRIC_COLUMNS]);
    expect(histograms.find(({ metric }) => metric === 'sharpe_ratio')).toEqual({
      metric: 'sharpe_ratio',
      count: 4,
      min: 0,
      max: 3,
      mean: 1.5,
      median: 1.75,
      deviation: 1.29,
      bins: [
        { from: 0, to: 1, count: 1 },
        { from: 1, to: 2, count: 0 },
        { from: 2, to: 3, count: 3 },
      ],
    });
  });

  it('end at the highest value itself, whatever rounding makes of the width', async () => {
    for (const bins of [7, 10, 47]) {
      const { histograms } = await histogramsOf(store().store, 'b', bins, MEDIANS, []);
      const found = histograms.find(({ metric }) => metric === 'sharpe_ratio')?.bins ?? [];
      expect(found).toHaveLength(bins);
      expect([found[0]?.from, found.at(-1)?.to]).toEqual([0, 3]);
      for (const [i, bin] of found.slice(1).entries())
        expect(bin.from).toBeCloseTo(found[i]?.to as number, 12);
    }
  });

  it('are one bin where all values are the same, and none where there is no value', async () => {
    const { histograms } = await histogramsOf(store().store, 'b', 3, MEDIANS, []);
    const of = (name: string) => histograms.find(({ metric }) => metric === name);
    expect(of('max_drawdown')?.bins).toEqual([{ from: 0.5, to: 0.5, count: 2 }]);
    expect(of('calmer_ratio')).toMatchObject({ count: 0, min: null, max: null, median: null, bins: [] });
  });

  it('are of the rows that meet the filters, whose medians are asked for', async () => {
    const { store: filtered, asked } = store();
    const { histograms } = await histogramsOf(filtered, 'b', 3, MEDIANS, FILTERS);
    expect(histograms.find(({ metric }) => metric === 'sharpe_ratio')?.median).toBe(1.25);
    expect(asked.map(({ filters }) => filters)).toEqual(asked.map(() => FILTERS));
    // One question for all figures, and one for each metric that has values.
    expect(asked).toHaveLength(3);
  });
});
