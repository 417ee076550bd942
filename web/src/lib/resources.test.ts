import { listDrafts } from '@quantloom/domain/contracts/http/calls';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient, setApi } from './api.ts';
import {
  draftsById,
  fetchDrafts,
  foundIn,
  IDS_AT_ONCE,
  isRunning,
  openBatches,
  pageOf,
} from './resources.ts';

type Query = Readonly<Record<string, string | number>>;

/** What the server was asked, and what it answers. */
let asked: Query[];
let answer: (query: Query) => readonly object[];
let headers: Headers;

beforeEach(() => {
  [asked, answer, headers] = [[], () => [], new Headers()];
  queryClient.clear();
  const call = async (_: unknown, { query }: { readonly query: Query }) => {
    asked.push(query);
    return answer(query);
  };
  const request = async (route: unknown, input: never) => ({ body: await call(route, input), headers });
  setApi({ call, request } as never);
});
const idsOf = (query: Query) => String(query.ids).split(',');

describe('a page of a list', () => {
  it('says how many there are, as the server counts them or as far as is known', () => {
    expect(pageOf(['a'], new Headers({ 'x-total-count': '70' }), 20)).toMatchObject({ total: 70 });
    expect(pageOf(['a'], new Headers({ 'x-total-count': '0' }))).toMatchObject({ total: 0 });
    for (const given of [new Headers(), new Headers({ 'x-total-count': 'many' })])
      expect(pageOf(['a', 'b'], given, 20)).toMatchObject({ rows: ['a', 'b'], total: 22 });
  });

  it('says whether rows are to come', () => {
    expect(pageOf([], new Headers({ 'x-quantloom-stale': 'true' })).isCatchingUp).toBe(true);
    for (const given of [new Headers(), new Headers({ 'x-quantloom-stale': 'false' })])
      expect(pageOf([], given).isCatchingUp).toBe(false);
  });

  it('of strategies leaves out of the address what is not asked for', async () => {
    headers = new Headers({ 'x-total-count': '9' });
    const row = { id: 's', name: 'S', is_public: false, created_at: '', updated_at: '', variables: [] };
    answer = () => [
      { ...row, type: 'template' },
      { ...row, type: 'unheard-of', tags: ['a'], last_run: null },
    ];
    const page = await fetchDrafts({ search: '', tag: 'a', limit: 2, skip: 0 });
    expect(asked).toEqual([{ tag: 'a', limit: 2, skip: 0 }]);
    expect(page.total).toBe(9);
    expect(page.rows.map(({ type, tags, lastRun }) => [type, tags, lastRun])).toEqual([
      ['template', [], null],
      ['bot', ['a'], null],
    ]);
    headers = new Headers();
    expect((await fetchDrafts({ limit: 2, skip: 40 })).total).toBe(42);
  });
});

describe('strategies by their ids', () => {
  it.each([
    [0, []],
    [IDS_AT_ONCE, [IDS_AT_ONCE]],
    [IDS_AT_ONCE + 1, [IDS_AT_ONCE, 1]],
  ])('are asked for as many as fit into an address: of %i', async (count, sizes) => {
    const ids = Array.from({ length: count }, (_, i) => `s${i}`);
    answer = (query) => idsOf(query).map((id) => ({ id, type: 'bot' }));
    const found = await queryClient.fetchQuery(draftsById(ids));
    expect(asked.map((query) => idsOf(query).length)).toEqual(sizes);
    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});

it('what the command menu finds are the matches that were changed last', async () => {
  answer = () => [{ id: 's', name: 'Trend', type: 'bot' }];
  headers = new Headers({ 'x-total-count': '31' });
  const { rows, total } = await queryClient.fetchQuery(foundIn(listDrafts, 'tre'));
  expect(asked).toEqual([{ search: 'tre', limit: 20, sort: 'updated:desc' }]);
  expect([rows, total]).toEqual([[{ id: 's', name: 'Trend' }], 31]);
});

describe('batches that still compute', () => {
  const batch = (id: string, status: string, progress = 0) => ({ id, name: id, status, progress });

  it('are told once more when they have come to their end, and then no more', async () => {
    const look = async (open: readonly object[], ended: readonly object[] = []) => {
      asked = [];
      answer = (query) => (query.ids === undefined ? open : ended);
      const rows = await queryClient.fetchQuery({ ...openBatches, staleTime: 0 });
      return rows.map(({ id, status, progress }) => `${id} ${status} ${progress}`);
    };
    expect(await look([batch('a', 'Running', 49.6), batch('b', 'Queued')])).toEqual([
      'a Running 50',
      'b Queued 0',
    ]);
    expect(asked).toEqual([{ status: 'Queued,Running,CompilingResults', limit: IDS_AT_ONCE }]);
    expect(await look([batch('b', 'Running', 1)], [batch('a', 'Finished', 100)])).toEqual([
      'b Running 1',
      'a Finished 100',
    ]);
    expect(asked[1]).toEqual({ ids: 'a', limit: IDS_AT_ONCE });
    expect(await look([batch('b', 'Running', 2)])).toEqual(['b Running 2']);
    expect(asked).toHaveLength(1);
  });

  it('are those that wait, run, or put their results together', () => {
    const statuses = ['Queued', 'Running', 'CompilingResults', 'Finished', 'Error', 'Stopped'];
    expect(statuses.filter((status) => isRunning({ status }))).toEqual(statuses.slice(0, 3));
  });
});
