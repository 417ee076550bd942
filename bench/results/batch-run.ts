import { report } from '../adapters/measure.ts';
import { asset, condition, either, root } from '../engine/trees.ts';
import type { Call, MeasuredServer } from './measured-server.ts';
import { percentile } from './percentile.ts';

export interface FinishedBatch {
  readonly id: string;
  readonly combinations: number;
  /** Names in the template's order. */
  readonly variables: readonly string[];
}

interface BatchAnswer {
  readonly id: string;
  readonly status: string;
  readonly combinations: number;
  readonly variables: Readonly<Record<string, readonly unknown[]>>;
}

/** The batch that an earlier run left in the data folder, or null. */
export async function finishedBatch(call: Call): Promise<FinishedBatch | null> {
  const list = await call<{ id: string }[]>('GET', '/api/v1/batch-backtests');
  for (const { id } of list) {
    const batch = await call<BatchAnswer>('GET', `/api/v1/batch-backtests/${id}`);
    if (batch.status === 'Finished') return summaryOf(batch);
  }
  return null;
}

const summaryOf = ({ id, combinations, variables }: BatchAnswer): FinishedBatch => ({
  id,
  combinations,
  variables: Object.keys(variables),
});

/** `RSI($W) of SPY > 70 ? $A : $B` over simulated prices, with as many values as `sizes` says for $A, $B and $W. */
async function requestOf(call: Call, [a, b, w]: readonly [number, number, number]) {
  const { data } = await call<{ data: { ticker: string; first_day: string }[] }>('GET', '/api/v1/tickers');
  // With a long history, as in the batches that take longest.
  const tickers = data
    .filter(({ ticker, first_day }) => /^[A-Z]{1,5}$/.test(ticker) && first_day < '2006')
    .map(({ ticker }) => ticker);
  if (tickers.length < a + b) throw new Error(`The demo data hold ${tickers.length} tickers only`);
  return {
    name: 'Result store bench',
    template_bot: {
      name: 'W1',
      type: 'template',
      // The window changes slowest, so that the engine is quick and storing is what is measured.
      variables: ['$W', '$A', '$B'],
      algorithm: root(
        either(condition(['relative-strength-index', '$W', 'SPY'], 'gt', 70), asset('$A'), asset('$B')),
      ),
    },
    variables: {
      $A: tickers.slice(0, a),
      $B: tickers.slice(a, a + b),
      $W: Array.from({ length: w }, (_, i) => i + 5),
    },
    backtest_config: {
      start_date: '1993-01-29',
      end_date: '2025-06-27',
      slippage_bps: 10,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
    },
  };
}

/**
 * Creates the batch and follows it to its end, as the page does; reports seconds per phase, memory and the
 * page's waiting times.
 */
export async function runBatch(
  call: Call,
  server: MeasuredServer,
  sizes: readonly [number, number, number],
): Promise<FinishedBatch> {
  const request = await requestOf(call, sizes);
  const estimating = performance.now();
  const estimate = await call<{ time_estimate: { seconds: number } }>(
    'POST',
    '/api/v1/batch-backtests/estimate',
    request,
  );
  report('estimate', {
    ms: performance.now() - estimating,
    says_seconds: estimate.time_estimate.seconds,
    rss_mb: server.peakMegabytes(),
  });
  await server.loopDelay();
  const cpu = server.cpuSeconds();
  const began = performance.now();
  const { id } = await call<{ id: string }>('POST', '/api/v1/batch-backtests', request);
  const since = new Map<string, number>();
  const waits: number[] = [];
  let batch: BatchAnswer;
  do {
    await new Promise((resolve) => setTimeout(resolve, 300));
    batch = await call<BatchAnswer>('GET', `/api/v1/batch-backtests/${id}`, undefined, (ms) =>
      waits.push(ms),
    );
    if (!since.has(batch.status)) since.set(batch.status, performance.now() - began);
  } while (batch.status !== 'Finished' && batch.status !== 'Error');
  if (batch.status === 'Error') throw new Error('The batch ended with an error');
  const finished = since.get('Finished') ?? Number.NaN;
  const compiling = since.get('CompilingResults') ?? finished;
  const { p50, p99, longest } = await server.loopDelay();
  report('run', {
    rows: batch.combinations,
    seconds: finished / 1e3,
    stored_rows_per_second: batch.combinations / ((compiling - (since.get('Running') ?? 0)) / 1e3),
    compiling_seconds: (finished - compiling) / 1e3,
    cpu_seconds: server.cpuSeconds() - cpu,
    rss_peak_mb: server.peakMegabytes(),
    loop_delay_p50_ms: p50,
    loop_delay_p99_ms: p99,
    loop_delay_longest_ms: longest,
    page_p50_ms: percentile(waits, 0.5),
    page_p95_ms: percentile(waits, 0.95),
    page_longest_ms: percentile(waits, 1),
  });
  return summaryOf(batch);
}
