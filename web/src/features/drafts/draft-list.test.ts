import type { ApiClient, CallOptions } from '@quantloom/domain/contracts/http/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setApi } from '../../lib/api.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { fetchAllDrafts, fetchDraftsOf, rowsBetween } from './draft-list.ts';

const asked = vi.fn();
beforeEach(() => setApi({ request: asked } as unknown as ApiClient));
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

it('puts those without a figure last either way, and those with the same one in the order of their ids', async () => {
  const sharpes: Readonly<Record<string, number | null>> = { f001: 2, f002: 1, f003: 2, f004: null };
  asked.mockImplementation(async (_route: unknown, { query }: CallOptions & { query: never }) => ({
    body: String((query as Record<string, string>).ids)
      .split(',')
      .filter((id) => id in sharpes || id === 'f000')
      .map((id) => ({
        ...draft(id),
        last_run: sharpes[id] === undefined ? null : { metrics: { sharpe: sharpes[id] } },
      })),
    headers: new Headers(),
  }));
  const ids = Array.from({ length: 300 }, (_, i) => `f${String(299 - i).padStart(3, '0')}`);
  const sorted = async (sort: string) => (await fetchDraftsOf(ids, { sort })).rows.map(({ id }) => id);
  expect(await sorted('sharpe:desc')).toEqual(['f001', 'f003', 'f002', 'f000', 'f004']);
  expect(await sorted('sharpe:asc')).toEqual(['f002', 'f001', 'f003', 'f000', 'f004']);
});

it('says that rows are to come where any part says so', async () => {
  let part = 0;
  asked.mockImplementation(async () => {
    part += 1;
    return { body: [], headers: new Headers(part === 1 ? { 'x-quantloom-stale': 'true' } : {}) };
  });
  const ids = Array.from({ length: 300 }, (_, i) => `f${i}`);
  expect((await fetchDraftsOf(ids, { sort: 'name:asc' })).isCatchingUp).toBe(true);
});

it('asks for no further part where the last one was full', async () => {
  const all = Array.from({ length: 2_000 }, (_, i) => draft(`d${i}`));
  asked.mockImplementation(async (_route: unknown, { query }: CallOptions & { query: never }) => {
    const { limit, skip } = query as Record<string, number>;
    const from = Number(skip ?? 0);
    const headers = new Headers({ 'x-total-count': String(all.length) });
    return { body: all.slice(from, from + Number(limit)), headers };
  });
  expect(await fetchAllDrafts({ sort: 'name:asc', search: '', type: '' })).toHaveLength(2_000);
  expect(asked).toHaveBeenCalledTimes(2);
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

it('chooses all that match from as many parts as it takes', async () => {
  const all = Array.from({ length: 2_300 }, (_, i) => draft(`d${String(i).padStart(4, '0')}`));
  asked.mockImplementation(async (_route: unknown, { query }: CallOptions & { query: never }) => {
    const { limit, skip } = query as Record<string, number>;
    const [from, count] = [Number(skip ?? 0), Number(limit)];
    return {
      body: all.slice(from, from + count),
      headers: new Headers({ 'x-total-count': String(all.length) }),
    };
  });
  const rows = await fetchAllDrafts({ sort: 'name', search: '', type: '' });
  expect(rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

describe('the rows from one to another', () => {
  const rows = ['a', 'b', 'c', 'd'].map(draft);
  const idsOf = (rowAt: (index: number) => DraftRow | undefined, from: string | null, to: string) =>
    rowsBetween(rowAt, rows.length, from, to).map(({ id }) => id);
  it('are those between, whichever comes first', () => {
    expect(idsOf((index) => rows[index], 'b', 'd')).toEqual(['b', 'c', 'd']);
    expect(idsOf((index) => rows[index], 'd', 'b')).toEqual(['b', 'c', 'd']);
  });
  it('are none where one end is unknown or a row between is not there', () => {
    expect(idsOf((index) => rows[index], null, 'c')).toEqual([]);
    expect(idsOf((index) => rows[index], 'gone', 'c')).toEqual([]);
    expect(idsOf((index) => (index === 2 ? undefined : rows[index]), 'b', 'd')).toEqual([]);
  });
});
