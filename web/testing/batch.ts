import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { Sent } from './page.tsx';

/** Pairs of a fund and a number, all of which have run; combination 0 is SPY / 10, 1 is SPY / 20, and so on. */
export function batchOf(over: Partial<BatchDetail> = {}): BatchDetail {
  return {
    id: 'b1',
    name: 'Pairs',
    is_public: false,
    is_owner: true,
    status: 'Finished',
    backtest_config: {
      start_date: '2010-01-04',
      end_date: '2020-12-31',
      slippage_bps: 10,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
    },
    combinations: 6,
    new_combinations: 6,
    partitions: 2,
    job_names: [],
    variables: { $A: ['SPY', 'QQQ', 'IWM'], $N: [10, 20] },
    variable_names: ['$A', '$N'],
    template_bot: { id: 't1', name: 'Switch', type: 'template', variables: ['$A', '$N'], algorithm: null },
    progress: { percent: 100, rows: 6, rate: null, remaining_seconds: null, nodes: [] },
    time_estimate: { seconds: 3 },
    time_actual: { start_time: null, end_time: null },
    summary: { rows: 6, failures: 0, best: null, medians: {} },
    out_of_sample: null,
    error: null,
    note: '',
    pins: [],
    provenance: {
      data_version: 'd1',
      engine_version: 'e1',
      is_simulated: false,
      strategy_revision: 2,
      fills: 'Trades are filled at the same close.',
      differs_today: [],
    },
    ...over,
  } as unknown as BatchDetail;
}

/** Answers a page of results with the columns that are asked for, as far as a row has them. */
export function resultsAnswer(
  { query = {} }: Sent,
  rows: readonly Readonly<Record<string, string | number | null>>[],
  more: { readonly total?: number; readonly next_cursor?: string | null } = {},
) {
  const columns = String(query.columns).split(',');
  return {
    columns,
    rows: rows.map((row) => columns.map((name) => row[name] ?? null)),
    total: rows.length,
    next_cursor: null,
    ...more,
  };
}

/** An axis of a heat map, all of whose values are there. */
export const sideOf = (name: string, values: readonly (string | number)[]) => ({
  name,
  values,
  step: 1,
  from: 0,
  total: values.length,
  empty: 0,
});
