import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'rate-limit-'));
const children: ChildProcess[] = [];
const addresses: string[] = [];

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    const child = spawn(process.execPath, [
      path.join(import.meta.dirname, '../testing/limited-server.ts'),
      path.join(folder, 'shared.sqlite'),
    ]);
    children.push(child);
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    addresses.push(`http://127.0.0.1:${port.toString().trim()}/api/v1/anything`);
  }
});
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
});

it('is one limit for two API processes: 300 requests pass, all others are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 320 }, async (_, index) => {
      const response = await fetch(addresses[index % 2] ?? '');
      await response.arrayBuffer();
      return response;
    }),
  );
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([300, 20]);
  const remaining = passed.map(({ headers }) => Number(headers.get('ratelimit-remaining')));
  expect(new Set(remaining)).toEqual(new Set(Array.from({ length: 300 }, (_, index) => index)));
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});
