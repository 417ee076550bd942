import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { type VariableListCommand, variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { createServer } from '@quantloom/http/server';
import { afterEach, expect, it } from 'vitest';
import { principalOf } from '../../testing/read-server.ts';
import type { ReadDeps } from '../deps.ts';
import { mountHistoryQueries } from './history.ts';

const TICKERS = 2_000;
const UPDATES = 40;
const tickers = (update: number) => Array.from({ length: TICKERS }, (_, i) => `Z${update}X${i}`);
const at = (revision: number) => `2026-11-26T00:00:${String(revision).padStart(2, '0')}.000Z`;

const log = new MemoryEventStore();
let reads = 0;
const eventStore = {
  readStream: async function* (...given: Parameters<EventStore['readStream']>) {
    for await (const event of log.readStream(...given)) {
      reads += 1;
      yield event;
    }
  },
} as unknown as EventStore;
const rateLimits = createMemoryRateLimits();
const app = createServer({ authenticate: async () => principalOf('ann', 'api'), rateLimits });
mountHistoryQueries(app, { eventStore } as unknown as ReadDeps);
afterEach(() => app.close());
const read = async (path: string) =>
  await app.inject({ url: `/api/v1/variable-lists/long${path}`, headers: { authorization: 'Bearer ann' } });

async function change(revision: number, command: VariableListCommand) {
  await handleCommand(log, variableListStream, 'long', command, {
    commandId: derivedId(1, String(revision)),
    correlationId: 'c',
    actor: { kind: 'user', userId: 'ann' },
    now: at(revision),
  });
}

it('reads of a long list what is asked for, pays for what is compared, and lets others come first meanwhile', async () => {
  await change(0, {
    type: 'CreateVariableList',
    listId: 'long',
    callerId: 'ann',
    name: 'Long',
    isPublic: false,
    variables: tickers(0),
  });
  for (let i = 1; i <= UPDATES; i += 1)
    await change(i, { type: 'UpdateVariableList', callerId: 'ann', variables: tickers(i) });
  await change(UPDATES + 1, { type: 'DeleteVariableList', callerId: 'ann' });

  reads = 0;
  const then = (await read(`/history/${UPDATES - 5}`)).json();
  expect(then).toMatchObject({
    id: 'long',
    user_id: 'ann',
    revision: UPDATES - 5,
    created_at: at(0),
    updated_at: at(UPDATES - 5),
  });
  expect(then.variables).toEqual(tickers(UPDATES - 5));
  expect(reads).toBeLessThan(UPDATES / 2);
  const last = (await read(`/history/${UPDATES + 1}`)).json();
  expect(last.variables).toEqual(tickers(UPDATES));
  expect(last.updated_at).toBe(at(UPDATES + 1));
  expect((await read(`/history/${UPDATES + 2}`)).statusCode).toBe(404);

  const before = (await rateLimits.hit('cost:ann', 60_000, 0)).hits;
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const page = (await read('/history?limit=100')).json();
  isOver = true;
  expect(page.entries).toHaveLength(UPDATES + 2);
  expect(turns).toBeGreaterThan(UPDATES);
  // A microsecond or so for each, of the dearest thread.
  const paid = (await rateLimits.hit('cost:ann', 60_000, 0)).hits - before;
  expect(paid).toBeGreaterThan(TICKERS * UPDATES * 0.004);

  // Who has too little left is refused before anything more than an entry is compared.
  await rateLimits.hit('cost:ann', 60_000, USE_LIMITS.api.costPerMinute * 1_000 - before - paid - 100);
  expect((await read('/history?limit=100')).json()).toMatchObject({ status: 429, code: 'cost_limit' });
  expect((await read('/history?limit=1')).statusCode).toBe(200);
});
