import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { killWhileWriting } from '../../../testing/kill-while-writing.ts';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'many-batches-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = path.join(import.meta.dirname, 'many-batches-child.ts');

/** As issue 16 wants it: 3,000 batches of one row, 200 of 500 and one of a million. */
const SIZES = [...Array(3_000).fill(1), ...Array(200).fill(500), 1_000_000] as number[];
const MEGABYTES = 1_500;

describe('the embedded result store with thousands of batches', { timeout: 1_200_000 }, () => {
  it('is killed in the middle, goes on, stops and starts within seconds, and reads every batch', async () => {
    const acknowledged = await killWhileWriting(script, [folder, '0', ...SIZES.map(String)], 1_700);
    const done = acknowledged.length;
    // The batch that was being written is written again.
    const child = spawn(process.execPath, [script, folder, String(done), ...SIZES.slice(done).map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) lines.push(line);
    const [, stopMs] = (lines.pop() ?? '').split(' ').map(Number);
    expect(stopMs).toBeLessThan(5_000);
    const megabytes = [...acknowledged, ...lines].map((line) => Number(line.split(' ')[1]));
    expect(megabytes.length).toBe(SIZES.length);
    expect(Math.max(...megabytes)).toBeLessThan(MEGABYTES);

    const starting = performance.now();
    const store = await openDuckDbResultStore({ folder, memoryLimit: '160MB' });
    expect(performance.now() - starting).toBeLessThan(5_000);
    for (const [i, size] of SIZES.entries()) {
      const sort = { column: 'sharpe_ratio', direction: 'desc' } as const;
      const page = await store.query(`batch-${i}`, { sort, limit: 10, columns: ['combination', '$N'] });
      expect(page.total).toBe(size);
      expect(page.rows.length).toBe(Math.min(10, size));
    }
    expect(process.memoryUsage.rss() / 1e6).toBeLessThan(MEGABYTES);
    await store.close();
  });
});
