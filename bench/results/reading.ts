import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { report } from '../adapters/measure.ts';
import type { FinishedBatch } from './batch-run.ts';
import type { Call, MeasuredServer } from './measured-server.ts';
import { percentile } from './percentile.ts';

export interface Answer {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

interface Reading {
  readonly call: Call;
  readonly token: string;
  readonly server: MeasuredServer;
  readonly batch: FinishedBatch;
}

const SORTS = 5;

/**
 * Reads a finished batch as the page does: every sort, every analysis, both files. Waiting times are of whole
 * HTTP calls.
 */
export async function readBatch({ call, token, server, batch }: Reading): Promise<Answer[]> {
  const { id, variables } = batch;
  const answers: Answer[] = [];
  const base = `/api/v1/batch-backtests/${id}`;
  const time = async (route: string): Promise<number> => {
    let waited = Number.NaN;
    await call('GET', route, undefined, (ms) => {
      waited = ms;
    });
    return waited;
  };
  const once = async (name: string, route: string) => {
    await server.loopDelay();
    server.peakMegabytes();
    const ms = await time(route);
    answers.push({ name, p50: ms, p95: ms });
    report(name, {
      ms,
      rss_peak_mb: server.peakMegabytes(),
      loop_delay_longest_ms: (await server.loopDelay()).longest,
    });
  };

  for (const part of ['verdict', 'walk-forward', 'stability']) await once(part, `${base}/analysis/${part}`);
  for (const column of ['start_date', 'end_date', ...variables, ...METRIC_COLUMNS]) {
    const times: number[] = [];
    for (let i = 0; i < SORTS; i += 1)
      times.push(
        await time(
          `${base}/results?limit=1000&sort=${encodeURIComponent(column)}:${i % 2 === 0 ? 'desc' : 'asc'}`,
        ),
      );
    answers.push({ name: `sort ${column}`, p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
  }
  report('sorted', { rss_peak_mb: server.peakMegabytes() });
  const pairs = variables.flatMap((x, i) => variables.slice(i + 1).map((y) => [x, y] as const));
  // Every metric is a question of its own, so that none is answered from the cache.
  for (const [x, y] of pairs) {
    const times: number[] = [];
    for (const metric of METRIC_COLUMNS)
      times.push(
        await time(
          `${base}/analysis/heat-map?x=${encodeURIComponent(x)}&y=${encodeURIComponent(y)}&metric=${metric}`,
        ),
      );
    answers.push({ name: `heat map ${x} ${y}`, p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
  }
  report('heat maps drawn', { rss_peak_mb: server.peakMegabytes() });
  for (const part of ['histograms', 'variables', 'scatter', 'peaks', 'parallel', 'robust'])
    await once(part, `${base}/analysis/${part}`);
  for (const format of ['csv', 'parquet'])
    answers.push(
      await file(format, `${server.url}${base}/results?format=${format}`, { token, server, batch }),
    );
  return answers;
}

async function file(
  format: string,
  url: string,
  { token, server, batch }: Omit<Reading, 'call'>,
): Promise<Answer> {
  server.peakMegabytes();
  await server.loopDelay();
  const asked = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status}`);
  let bytes = 0;
  let first = 0;
  for await (const chunk of response.body) {
    first ||= performance.now() - asked;
    bytes += chunk.length;
  }
  const ms = performance.now() - asked;
  report(format, {
    rows_per_second: batch.combinations / (ms / 1e3),
    megabytes: bytes / 1e6,
    first_byte_ms: first,
    rss_peak_mb: server.peakMegabytes(),
    loop_delay_longest_ms: (await server.loopDelay()).longest,
  });
  return { name: format, p50: ms, p95: ms };
}
