import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchApi, body, openBatchApi } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

it('calls a strategy edited where its tree was, not for a name or a deletion', async () => {
  const template = body().template_bot as { name: string; algorithm: unknown };
  const { id } = (await api.call('POST', '/api/v1/trading-bots', template)).body;
  const url = `/api/v1/trading-bots/${id}`;
  const batch = await api.finishedBatch({ template_bot: { ...template, id } });
  const differs = async () => {
    const answer = await api.call('GET', `/api/v1/batch-backtests/${batch}`);
    expect([answer.status, answer.body.provenance?.strategy_id], answer.text).toEqual([200, id]);
    return answer.body.provenance.differs_today;
  };
  expect(await differs()).toEqual([]);
  expect((await api.call('PATCH', url, { name: 'Another name' })).status).toBe(200);
  expect(await differs()).toEqual([]);
  const algorithm = root(asset('node_b', '$B'), asset('node_a', '$A'));
  expect((await api.call('PATCH', url, { algorithm })).status).toBe(200);
  expect(await differs()).toEqual(['The strategy was edited: revision 0 was run, the current one is 2.']);
  // There is nothing left that could differ.
  expect((await api.call('DELETE', `/api/v1/drafts/${id}`)).status).toBe(200);
  expect(await differs()).toEqual([]);
});
