import { pinResultRow, unpinResultRow } from '@quantloom/domain/contracts/http/calls';
import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { pinRow, saveNote, unpinRow } from './pins.ts';

afterEach(() => queryClient.clear());

it('pins and unpins the row itself, and has that batch alone read again, not its results', async () => {
  const calls: unknown[] = [];
  setApi({
    call: async (route: unknown, input: unknown) => void calls.push([route, input]),
  } as unknown as ApiClient);
  const keys = [
    ['batch-backtests', 'b1'],
    ['batch-backtests', 'b1', 'results'],
    ['batch-backtests', 'b2'],
  ];
  const stale = () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated);
  for (const act of [
    () => pinRow('b1', 7, 'Look at this'),
    () => unpinRow('b1', 7),
    () => saveNote('b1', 'Done'),
  ]) {
    for (const key of keys) queryClient.setQueryData(key, {});
    await act();
    expect(stale()).toEqual([true, false, false]);
  }
  expect(calls.slice(0, 2)).toEqual([
    [pinResultRow, { params: { id: 'b1' }, body: { combination: 7, note: 'Look at this' } }],
    [unpinResultRow, { params: { id: 'b1', combination: '7' } }],
  ]);
});
