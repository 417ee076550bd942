import type { CallOptions } from '@quantloom/domain/contracts/http/client';
import { afterEach, expect, it, vi } from 'vitest';
import type { DraftRow } from '../../lib/resources.ts';
import { fetchDraftsOf } from './draft-list.ts';

const asked = vi.hoisted(() => vi.fn());
vi.mock('../../lib/api.ts', () => ({ api: () => ({ request: asked }), queryClient: {} }));
afterEach(() => asked.mockReset());

const draft = (id: string): DraftRow => ({
  id,
  name: id,
  type: 'bot',
  is_public: false,
  created_at: '2026-01-02T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  variables: [],
  tags: [],
  lastRun: null,
});
it('loses no favourite: more than one address takes are asked for in parts, and put in order', async () => {
  asked.mockImplementation(async (_route: unknown, { query }: CallOptions & { query: never }) => {
    const { ids, sort, search } = query as Record<string, string>;
    expect([sort, search]).toEqual(['name:desc', 'spy']);
    const names = (ids ?? '').split(',');
    expect(names.length).toBeLessThanOrEqual(250);
    // One of them was deleted since it was marked.
    return { body: names.filter((id) => id !== 'f007').map(draft), headers: new Headers() };
  });
  const ids = Array.from({ length: 600 }, (_, i) => `f${String((i * 7) % 600).padStart(3, '0')}`);
  const { signal } = new AbortController();
  const { rows, total } = await fetchDraftsOf(ids, { sort: 'name:desc', search: 'spy', type: '' }, signal);
  expect(total).toBe(599);
  expect(rows.map(({ id }) => id)).toEqual(
    ids
      .filter((id) => id !== 'f007')
      .sort()
      .reverse(),
  );
  expect(asked).toHaveBeenCalledTimes(3);
});

it('asks nothing when nothing is marked', async () => {
  const { signal } = new AbortController();
  expect(await fetchDraftsOf([], { sort: 'name:asc' }, signal)).toEqual({
    rows: [],
    total: 0,
    isCatchingUp: false,
  });
  expect(asked).not.toHaveBeenCalled();
});
