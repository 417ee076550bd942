import { type ApiClient, ApiError } from '@quantloom/domain/contracts/http/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { resultViewsQuery, saveView } from './result-views.ts';

const KEY = 'result-table-views';

beforeEach(() => {
  queryClient.clear();
});
afterEach(() => localStorage.clear());

/** An account whose server refuses these names, each with a status. */
function account(refused: Readonly<Record<string, number>>): { readonly made: string[] } {
  const made: string[] = [];
  setApi({
    call: async ({ method }: { method: string }, input?: { body: { name: string } }) => {
      if (method === 'GET' || !input) return made.map((name) => ({ name }));
      const status = refused[input.body.name];
      if (status !== undefined) throw new ApiError(status, { error: 'No', code: 'x' });
      made.push(input.body.name);
      return { name: input.body.name };
    },
  } as unknown as ApiClient);
  return { made };
}

const before = (): string[] => {
  const { saved } = JSON.parse(localStorage.getItem(KEY) ?? '{"saved":[]}') as { saved: { name: string }[] };
  return saved.map(({ name }) => name);
};

it('brings views of this browser into the account, and forgets them one by one', async () => {
  const saved = ['First', 'Known', 'Away', 'Last'].map((name) => ({ name, columns: ['trades'] }));
  localStorage.setItem(KEY, JSON.stringify({ columns: [], saved }));
  const first = account({ Known: 409, Away: 500 });
  await expect(queryClient.fetchQuery(resultViewsQuery)).rejects.toMatchObject({ status: 500 });
  // What the account has by that name is that view; what could not be told stays for the next time.
  expect([first.made, before()]).toEqual([['First'], ['Away', 'Last']]);

  const full = account({ Last: 422 });
  const views = await queryClient.fetchQuery(resultViewsQuery);
  expect(views).toEqual([{ name: 'Away' }]);
  expect([full.made, before()]).toEqual([['Away'], ['Last']]);
});

it('reads the views again after one was kept', async () => {
  account({});
  queryClient.setQueryData(['result-views'], []);
  const content = {
    columns: [],
    order: null,
    filters: [],
    picture: 'table',
    metric: 'sharpe_ratio',
  } as const;
  await saveView('Mine', content);
  expect(queryClient.getQueryState(['result-views'])?.isInvalidated).toBe(true);
});
