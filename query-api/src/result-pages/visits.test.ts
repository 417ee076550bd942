import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, wholeAnswer } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

const rateLimits = countedLimits();
let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
  api.engine.answer = () => wholeAnswer();
});
afterAll(() => api.close());
beforeEach(() => rateLimits.hits.clear());

const visit = (path: string) => api.call('GET', path, undefined, '');
const tree = root(...Array.from({ length: 300 }, (_, i) => asset(`node_${i}`, 'A1')));

it('reads and prints a large strategy in another thread, once for a state of it', async () => {
  const body = { name: 'Large', algorithm: tree, is_public: true };
  const { id } = (await api.call('POST', '/api/v1/trading-bots', body)).body;
  await api.call('GET', `/api/v1/trading-bots/${id}`);
  const jobs = vi.spyOn(api.app.documents, 'run');
  const reads = vi.spyOn(api.stores.eventStore, 'readStream');
  expect((await visit(`/strategies/${id}`)).text).toContain('A1');
  expect(jobs.mock.calls.map(([, kind]) => kind)).toEqual(['page', 'page', 'snapshot']);
  jobs.mockClear();
  reads.mockClear();
  for (let i = 0; i < 3; i++) expect((await visit(`/strategies/${id}`)).text).toContain('<svg');
  for (let i = 0; i < 3; i++) expect((await visit(`/strategies/${id}/preview.png`)).status).toBe(200);
  expect(jobs).not.toHaveBeenCalled();
  expect(reads).not.toHaveBeenCalled();
  await api.call('PATCH', `/api/v1/trading-bots/${id}`, { name: 'Renamed' });
  await api.call('GET', `/api/v1/trading-bots/${id}`);
  expect((await visit(`/strategies/${id}`)).text).toContain('<h1>Renamed</h1>');
});

it.each(['/strategies/nothing', '/strategies/nothing/preview.png', '/results/x', '/results/x/preview.png'])(
  'counts who looks at %s by his network',
  async (path) => {
    const answers = [];
    for (let i = 0; i < 122; i++) answers.push((await visit(path)).status);
    expect(answers).toEqual([...Array.from({ length: 120 }, () => 404), 429, 429]);
  },
);
