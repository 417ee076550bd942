import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchApi, body, openBatchApi } from '../../testing/batch-api.ts';
import { openReadServer } from '../../testing/read-server.ts';
import { mountBatchQueries } from './batches.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

it('lets a user follow so many batches at the same time, and another one when he has left one', async () => {
  const held = Promise.withResolvers<void>();
  api.engine.before = () => held.promise;
  const { id } = (await api.call('POST', '/api/v1/batch-backtests', body())).body;
  const path = `/api/v1/batch-backtests/${id}/events`;
  await api.call('GET', `/api/v1/batch-backtests/${id}`);
  const { port } = api.app.server.address() as AddressInfo;
  const open: IncomingMessage[] = [];
  /** @returns the status; a stream stays open */
  const follow = async (): Promise<number | undefined> => {
    const request = get({ port, host: '127.0.0.1', path, headers: { authorization: 'u1' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode === 200) open.push(response);
    response.resume();
    return response.statusCode;
  };
  try {
    const { eventStreams } = USE_LIMITS.api;
    for (let i = 0; i < eventStreams; i += 1) expect(await follow()).toBe(200);
    expect(await follow()).toBe(429);
    open[3]?.destroy();
    await expect.poll(follow).toBe(200);
    // One has left, and one has come.
    expect(await follow()).toBe(429);
  } finally {
    for (const response of open) response.destroy();
    held.resolve();
    api.engine.before = null;
  }
});

it('ends for others when its owner hides it, and says no more of it than that it is gone', async () => {
  const batch = {
    ...{ id: 'b1', userId: 'bob', name: 'Batch', isPublic: true, status: 'Running', combinations: 10 },
    ...{ startedAt: '2026-03-04T09:00:00.000Z', finishedAt: null, _revision: 3 },
    ...{ partitions: 1, partitionSize: 10, openPartitions: [0] },
  };
  let looks = 0;
  const server = await openReadServer(
    mountBatchQueries,
    {
      readModels: {
        get: async (collection: string) => {
          if (!collection.startsWith('batches')) return null;
          looks += 1;
          // It ends by itself where it is told of for too long.
          const status = looks > 3 ? 'Finished' : 'Running';
          return looks === 1 ? batch : { ...batch, isPublic: false, status, _revision: 4 };
        },
      },
      marketData: {},
    },
    ['web.batch-backtests.create'],
  );
  const { text } = await server.get('ann', '/batch-backtests/b1/events');
  const told = text.split('\n').filter((line) => line.startsWith('data:'));
  expect(told.map((line) => JSON.parse(line.slice(5)))).toEqual([
    expect.objectContaining({ id: 'b1', status: 'Deleted', job_names: [], error: null, revision: 3 }),
  ]);
  await server.close();
});
