import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import {
  type AccountHistoryDocument,
  accountHistoryProjection,
  orderOf,
} from '@quantloom/domain/account-history/projection';
import { createServer } from '@quantloom/http/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { principalOf } from '../../testing/read-server.ts';
import type { ReadDeps } from '../deps.ts';
import { mountHistoryQueries } from './history.ts';

const LINES = 20_000;
const CALLER = { kind: 'user', userId: 'ann' } as const;

const line = (i: number): AccountHistoryDocument => ({
  id: `e${i}.ann`,
  userId: 'ann',
  order: orderOf(BigInt(i)),
  eventId: `e${i}`,
  at: '2026-11-26T00:00:00.000Z',
  type: 'StrategySaved',
  stream: 'strategy-s',
  revision: i,
  actor: CALLER,
  correlationId: `c${i}`,
  _revision: 0,
  _position: String(i),
});

let folder: string;
let database: ReturnType<typeof openSqliteDatabase>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'history-'));
  database = openSqliteDatabase(path.join(folder, 'a.sqlite'));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

it('costs a file of the account’s history by its lines', async () => {
  const readModels = openSqliteReadModels(database);
  const { collection } = accountHistoryProjection;
  await readModels.ensureCollection(collection);
  await readModels.commit('accountHistory.v1', {
    expected: null,
    next: BigInt(LINES),
    writes: Array.from({ length: LINES }, (_, i) => ({ collection: collection.name, put: line(i) })),
  });
  const rateLimits = createMemoryRateLimits();
  const app = createServer({ authenticate: async () => principalOf('ann', 'api'), rateLimits });
  const deps = { readModels, consistency: { whenReached: async () => true } } as unknown as ReadDeps;
  mountHistoryQueries(app, deps);
  let charged = 0;
  const costOf = async (query: string) => {
    const answer = await app.inject({
      method: 'GET',
      url: `/api/v1/users/me/history${query}`,
      headers: { authorization: 'Bearer ann' },
    });
    expect(answer.statusCode).toBe(200);
    const { hits } = await rateLimits.hit('cost:ann', 60_000, 0);
    const cost = hits - charged;
    charged = hits;
    return { cost, lines: answer.body.split('\n').length - 1 };
  };
  const short = await costOf('?limit=10');
  const long = await costOf('');
  expect([short.lines, long.lines]).toEqual([10, LINES]);
  expect(short.cost).toBeLessThan(20);
  expect(long.cost).toBeGreaterThan(1_000);
  await app.close();
});
