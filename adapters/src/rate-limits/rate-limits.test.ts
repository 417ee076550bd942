import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { afterAll } from 'vitest';
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
