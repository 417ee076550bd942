import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { afterAll, expect, it } from 'vitest';
import { rateLimitsContract } from '../../testing/rate-limits/contract.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../sqlite/database.ts';
import { createMemoryRateLimits } from './memory/rate-limits.ts';
import { createSqliteRateLimits } from './sqlite/rate-limits.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'rate-limits-'));
const databases: SqliteDatabase[] = [];
afterAll(() => {
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true });
});

rateLimitsContract('SQLite', async ({ now, shared }) => {
  // A connection of its own each time, as two processes have.
  const database = openSqliteDatabase(path.join(folder, `${shared}.sqlite`));
  databases.push(database);
  return createSqliteRateLimits(database, now);
});

const memory = new Map<string, RateLimits>();
rateLimitsContract('memory', async ({ now, shared }) => {
  const limits = memory.get(shared) ?? createMemoryRateLimits(now);
  memory.set(shared, limits);
  return limits;
});

it.each([
  ['SQLite', 2_000],
  ['memory', 10_002],
] as const)('%s goes on counting in an open window while it throws away old ones', async (name, others) => {
  const clock = { time: 1_700_000_000_000 };
  const now = () => clock.time;
  const database = openSqliteDatabase(path.join(folder, `sweep-${name}.sqlite`));
  databases.push(database);
  const limits = name === 'SQLite' ? createSqliteRateLimits(database, now) : createMemoryRateLimits(now);
  await limits.hit('open', 60_000, 7);
  for (let n = 0; n < others; n++) await limits.hit(`short-${n}`, 1_000);
  clock.time += 1_000;
  for (let n = 0; n < 1_000; n++) await limits.hit('after', 1_000);
  expect(await limits.hit('open', 60_000)).toEqual({ hits: 8, endsInMs: 59_000 });
  const left = name === 'SQLite' ? database.relaxed.prepare('SELECT key FROM rate_windows').all() : [];
  expect(left.filter(({ key }) => String(key).startsWith('short'))).toEqual([]);
});
