import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { expect, it } from 'vitest';
import { fakeSharpe, openStores } from '../../testing/batch-stack.ts';
import { isSound, verifyLog } from '../log/verify-log.ts';

const CHILD = path.join(import.meta.dirname, '../../testing/crash-child.ts');

/** Runs the child until it has begun `blocks` blocks, then kills it; true when it came to its end before. */
async function runAndKill(folder: string, batchId: string, blocks: number): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, folder, batchId], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let begun = 0;
  let isFinished = false;
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdout?.on('data', (chunk) => {
    const lines = String(chunk).split('\n');
    begun += lines.filter((line) => line === 'block').length;
    if (lines.includes('finished')) isFinished = true;
    if (begun >= blocks || isFinished) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  if (begun === 0 && !isFinished) throw new Error(`The child ended before it did anything: ${errors}`);
  return isFinished;
}

it('finishes a batch with every row once, however often the process is killed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-crash-'));
  const batchId = 'crash-1';
  let kills = 0;
  // Few blocks at a time, so that it dies in the middle of partitions again and again; a partition may be
  // started six times.
  for (const blocks of [3, 9, 14, 7, 20]) {
    if (await runAndKill(folder, batchId, blocks)) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(3);
  expect(await runAndKill(folder, batchId, Number.POSITIVE_INFINITY)).toBe(true);
  const stores = await openStores(folder);
  try {
    const batch = await stores.readModels.get<BatchDocument>(batchesProjection.collection.name, batchId);
    expect(batch).toMatchObject({ status: 'Finished', openPartitions: [], summary: { rows: 4_000 } });
    const page = await stores.results.query(batchId, {
      columns: ['combination', 'sharpe_ratio'],
      limit: 10_000,
    });
    expect(page.rows.map(([k]) => k)).toEqual(Array.from({ length: 4_000 }, (_, k) => k));
    for (const [k, sharpe] of page.rows)
      expect(sharpe).toBe(Number(k) > 0 && Number(k) % 97 === 0 ? null : fakeSharpe(Number(k)));
    const report = await verifyLog({
      ...stores,
      catalogue: EVENT_CATALOGUE,
      projections: PROJECTIONS,
      clock: { now: () => new Date() },
    });
    expect(isSound(report), JSON.stringify(report)).toBe(true);
  } finally {
    await stores.close();
    stores.remove();
  }
}, 180_000);
