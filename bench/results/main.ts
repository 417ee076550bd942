/**
 * One batch of 1,500,000 combinations on the embedded stack, from the request to the last chart: what a user
 * waits for, what the process holds, and how far the answers are from what DuckDB itself needs for them.
 *
 *   node bench/results/main.ts [--short] [--data FOLDER]
 *
 * `--short` runs 18,000 combinations. `--data` keeps the data folder; a folder that holds a finished batch is
 * only read from.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { report } from '../adapters/measure.ts';
import { finishedBatch, runBatch } from './batch-run.ts';
import { signIn, startMeasuredServer } from './measured-server.ts';
import { rawTimes } from './raw-queries.ts';
import { readBatch } from './reading.ts';

const { values: options } = parseArgs({
  options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
});
const folder = options.data ?? (await mkdtemp(path.join(tmpdir(), 'bench-results-')));
const server = await startMeasuredServer(folder);
try {
  const { call, token } = await signIn(server.url);
  report('started', { rss_mb: server.peakMegabytes() });
  const batch =
    (await finishedBatch(call)) ??
    (await runBatch(call, server, options.short ? [30, 30, 20] : [125, 120, 100]));
  const answers = await readBatch({ call, token, server, batch });
  await server.stop();
  const raw = await rawTimes(path.join(folder, 'results'), batch);
  for (const { name, p50, p95 } of answers) {
    const alone = raw.get(name);
    report(name, { p50_ms: p50, p95_ms: p95, ...(alone && { raw_ms: alone, ratio: p50 / alone }) });
  }
  const files = await readdir(folder);
  const bytes = await Promise.all(files.map((name) => bytesIn(path.join(folder, name))));
  report('files', Object.fromEntries(files.map((name, i) => [name, (bytes[i] ?? 0) / 1e6])));
} finally {
  await server.stop();
  if (!options.data) await rm(folder, { recursive: true, force: true });
}

async function bytesIn(file: string): Promise<number> {
  const found = await stat(file);
  if (!found.isDirectory()) return found.size;
  const sizes = await Promise.all((await readdir(file)).map((name) => bytesIn(path.join(file, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
