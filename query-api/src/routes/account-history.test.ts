import { createServer } from '@quantloom/http/server';
import { afterEach, expect, it } from 'vitest';
import { principalOf } from '../../testing/read-server.ts';
import type { ReadDeps } from '../deps.ts';
import { mountHistoryQueries } from './history.ts';

let asked: unknown = null;
const readModels = {
  find: async (_: string, query: unknown) => {
    asked = query;
    return [];
  },
};
const app = createServer({ authenticate: async () => principalOf('ann', 'api') });
mountHistoryQueries(app, { readModels } as unknown as ReadDeps);
afterEach(() => app.close());

it('answers with a thousand lines of the own account at most as JSON, whatever number is asked for', async () => {
  const read = async (more = '') => {
    const url = `/api/v1/users/me/history?format=json${more}`;
    const answer = await app.inject({ url, headers: { authorization: 'Bearer ann' } });
    expect(answer.statusCode).toBe(200);
    return asked;
  };
  const own = { where: { userId: 'ann' }, sort: [['order', 'desc']] };
  expect(await read()).toEqual({ ...own, limit: 1_000 });
  expect(await read('&limit=100000')).toEqual({ ...own, limit: 1_000 });
  expect(await read('&limit=3')).toEqual({ ...own, limit: 3 });
});
