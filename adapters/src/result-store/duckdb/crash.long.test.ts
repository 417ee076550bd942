import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killWhileWriting } from '../../../testing/kill-while-writing.ts';
import { mergeRanges } from '../ranges.ts';
import { sampleBlock } from '../sample-block.ts';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the result file', { timeout: 60_000 }, () => {
  it('says who is in the way where another process has it open', async () => {
    const path = join(folder, 'shared');
    const script = join(import.meta.dirname, '../../../testing/result-store/crash-child.ts');
    const child = spawn(process.execPath, [script, path, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(openDuckDbResultStore({ folder: path })).rejects.toThrow(
      /shared is open in another process/,
    );
    child.kill('SIGKILL');
  });
});

describe('the result file after kill -9', { timeout: 90_000 }, () => {
  const path = join(folder, 'results');
  const size = 1500;

  it.each([
    [1, 0],
    [23, 600_000],
  ])('has lost and doubled no block that was acknowledged (killed after %i)', async (lines, start) => {
    const script = join(import.meta.dirname, '../../../testing/result-store/crash-child.ts');
    const acknowledged = await killWhileWriting(script, [path, String(start)], lines);
    const store = await openDuckDbResultStore({ folder: path, memoryLimit: '256MB' });
    for (const batchId of ['batch-a', 'batch-b']) {
      const blocks = acknowledged
        .filter((line) => line.startsWith(batchId))
        .map((line) => ({ from: Number(line.split(' ')[1]), to: Number(line.split(' ')[1]) + size }));
      if (blocks.length === 0) continue;
      const stored = await store.storedRanges(batchId);
      expect(mergeRanges([...stored, ...blocks])).toEqual(stored);
      // The registry says what the table holds: rows and entry were one transaction.
      const rows = async () => {
        const filters = [{ column: 'combination', op: 'gte', value: 0 }] as const;
        return (await store.query(batchId, { filters, limit: 0 })).total;
      };
      expect(await rows()).toBe(await store.countRows(batchId));
      // The partition runs again, cut differently.
      const last = stored.at(-1)?.to ?? 0;
      const before = await store.countRows(batchId);
      await store.append(sampleBlock(batchId, { from: last - 1000, count: 2000 }, [1000], 100));
      expect(await rows()).toBe(before + 1000);
      const failures = (await store.failures(batchId)).map(({ combination }) => combination);
      expect(new Set(failures).size).toBe(failures.length);
      expect(failures.length).toBe((before + 1000) / 100);
    }
    await store.close();
  });
});
