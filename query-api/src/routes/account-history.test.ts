import { type AccountHistoryDocument, orderOf } from '@quantloom/domain/account-history/projection';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountHistoryQueries } from './history.ts';

/** More than are read at once, and than an answer as JSON has. */
const LINES = 1_203;
const lines = Array.from({ length: LINES }, (_, i) => ({
  ...{ id: `e${i}`, eventId: `e${i}`, userId: 'ann', order: orderOf(BigInt(i)) },
  ...{ type: 'StrategyCreated', stream: `strategy-s-${i}`, revision: 0, correlationId: 'c' },
  ...{ at: '2026-03-01T00:00:00.000Z', actor: { kind: 'user', userId: 'ann' } },
})) as unknown as AccountHistoryDocument[];
let server: Awaited<ReturnType<typeof openReadServer>>;
beforeAll(async () => {
  const found = (where: unknown) => {
    const { userId, order } = where as { userId: string; order?: { gt: string } };
    return lines.filter((line) => line.userId === userId && line.order > (order?.gt ?? ''));
  };
  server = await openReadServer(mountHistoryQueries, {
    readModels: {
      find: async (_: string, { where, sort = [], limit }: FindQuery) => {
        const all = found(where);
        return (sort[0]?.[1] === 'desc' ? all.reverse() : all).slice(0, limit);
      },
      count: async (_: string, where: unknown) => found(where).length,
    },
  });
});
afterAll(() => server.close());
const read = (query: string, user = 'ann') => server.get(user, `/users/me/history${query}`);
const ids = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: string }).id);

it('answers with the newest thousand lines of an account at most as JSON, whatever is asked for', async () => {
  const newest = lines.map(({ eventId }) => eventId).reverse();
  for (const [query, count] of [
    ['', 1_000],
    ['&limit=100000', 1_000],
    ['&limit=3', 3],
  ] as const)
    expect((await read(`?format=json${query}`)).body.map(({ id }: { id: string }) => id)).toEqual(
      newest.slice(0, count),
    );
  expect((await read('?format=json', 'bob')).body).toEqual([]);
});

it('writes a file of all lines, the oldest first, or of just so many as are asked for', async () => {
  const oldest = lines.map(({ eventId }) => eventId);
  expect(ids((await read('')).text)).toEqual(oldest);
  expect(ids((await read('?limit=3')).text)).toEqual(oldest.slice(0, 3));
  expect(ids((await read('?limit=501&after=99')).text)).toEqual(oldest.slice(100, 601));
});

it('names what a line is about by its whole id, whatever is in it', async () => {
  const { body } = await read('?format=json&limit=1');
  expect(body[0].subject).toEqual({ kind: 'strategy', id: `s-${LINES - 1}`, revision: 0 });
});
