import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Recomputed, RecomputeError } from '@quantloom/compute/coordinator/recompute-batch';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { lockDataFolder } from '../wiring/data-folder.ts';
import { CommandError } from './command-error.ts';
import { resultsCommand } from './results.ts';

const recomputeBatch = vi.hoisted(() => vi.fn());
vi.mock('@quantloom/compute/coordinator/recompute-batch', async (original) => ({
  ...(await original<object>()),
  recomputeBatch,
}));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'results-command-'));
  recomputeBatch.mockReset();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const recompute = (...args: string[]) => runCommand(resultsCommand(), dataDir, 'recompute', ...args);
/** Which batches were computed again, and whether all of their rows. */
const computed = () => recomputeBatch.mock.calls.map(([, batchId, { isAnew }]) => [batchId, isAnew]);

it('computes what is missing of each batch, or all of it when told to, and says what came of it', async () => {
  const answers: Record<string, Recomputed> = {
    b1: { computed: 7, rows: 40, isSame: true },
    b2: { computed: 0, rows: 40, isSame: null },
  };
  recomputeBatch.mockImplementation(async (_, batchId: string) => answers[batchId]);
  expect(await recompute('b1', 'b2')).toBe(
    'b1: 7 rows computed, 40 rows, the same as it finished with\n' +
      'b2: no row was missing, 40 rows, it finished before hashes were kept',
  );
  expect(computed()).toEqual([
    ['b1', false],
    ['b2', false],
  ]);
  await recompute('b1', '--anew');
  expect(computed().slice(2)).toEqual([['b1', true]]);
});

it('says why a batch cannot be computed again, and leaves the folder to others', async () => {
  recomputeBatch.mockRejectedValue(new RecomputeError(404, 'There is no batch b1'));
  const told = await recompute('b1').catch((error: unknown) => error);
  // Any other error is printed as a defect.
  expect(told).toBeInstanceOf(CommandError);
  expect(told).toMatchObject({ status: 404, message: 'There is no batch b1' });
  const running = lockDataFolder(dataDir);
  await expect(recompute('b1')).rejects.toThrow(/another `npm start` runs/);
  running.release();
  expect(computed()).toHaveLength(1);
});
