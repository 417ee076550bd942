import { addApiClient } from '@quantloom/domain/contracts/http/calls';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError, setApi } from '../../lib/api.ts';
import { createClient, loadClients } from './api-client-list.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('makes a client that ends on a day, or does not end by itself', async () => {
  const asked: unknown[] = [];
  const call = async (route: unknown, { body }: { readonly body: unknown }) => {
    expect(route).toBe(addApiClient);
    asked.push(body);
  };
  setApi({ call } as never);
  await createClient({ name: 'Nightly', scopes: ['read', 'batches'], endsOn: '2027-01-31' });
  await createClient({ name: 'Other', scopes: [], endsOn: '' });
  expect(asked).toEqual([
    { name: 'Nightly', scopes: ['read', 'batches'], ends_on: '2027-01-31' },
    { name: 'Other', scopes: [] },
  ]);
});

it('offers to make one where those that there are cannot be loaded, and tells the console', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failure = new ApiError(503, { error: 'Later' });
  setApi({ call: () => Promise.reject(failure) } as never);
  expect(await loadClients(new AbortController().signal)).toEqual({ clients: [], perMinute: null });
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.any(String), failure);
});
