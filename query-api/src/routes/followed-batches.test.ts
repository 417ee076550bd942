import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchApi, body, openBatchApi } from '../../testing/batch-api.ts';

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
