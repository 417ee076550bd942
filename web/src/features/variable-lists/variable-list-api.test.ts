import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import { cloneList, removeList, restoreList, saveList } from './variable-list-api.ts';

afterEach(() => queryClient.clear());

it('changes the revision that was edited, the first one too, and has lists read again', async () => {
  const asked: object[] = [];
  setApi({
    call: async ({ method }: { method: string }, { ifMatch, idempotencyKey }: Record<string, unknown>) => {
      asked.push({ method, ifMatch, isSafe: typeof idempotencyKey === 'string' });
      return { id: 'l1' };
    },
  } as unknown as ApiClient);
  const fields = { name: 'Stocks', is_public: false, variables: ['SPY'] };
  queryClient.setQueryData(['variable-lists', 'l1'], 'as it was');
  for (const revision of [0, 3, null]) await saveList('l1', fields, revision);
  await saveList('new', fields, null);
  const [put] = asked as { method: string }[];
  expect(asked).toEqual([
    { method: put?.method, ifMatch: 0, isSafe: false },
    { method: put?.method, ifMatch: 3, isSafe: false },
    { method: put?.method, ifMatch: undefined, isSafe: false },
    { method: 'POST', ifMatch: undefined, isSafe: true },
  ]);
  expect(queryClient.getQueryState(['variable-lists', 'l1'])?.isInvalidated).toBe(true);
});

it('has lists read again after each change of them', async () => {
  setApi({ call: async () => ({ id: 'l1' }) } as unknown as ApiClient);
  for (const act of [removeList, restoreList, cloneList]) {
    queryClient.setQueryData(['variable-lists', 'count'], 1);
    await act('l1');
    expect(queryClient.getQueryState(['variable-lists', 'count'])?.isInvalidated).toBe(true);
  }
});
