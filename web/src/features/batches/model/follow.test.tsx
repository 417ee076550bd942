// @vitest-environment happy-dom
import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { setApi } from '../../../lib/api.ts';
import { isOpen, useFollowBatch } from './follow.ts';

afterEach(cleanup);

/** Follows a batch of which the page knows this much; what the server says is written by hand. */
function following() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['batch-backtests', 'b1'], { id: 'b1', name: 'Mine', status: 'Running' });
  queryClient.setQueryData(['batch-backtests', 'quota'], 'as it was');
  let signal: AbortSignal | undefined;
  const opened = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  setApi({
    open: async (_route: unknown, input: { signal: AbortSignal }) => {
      signal = input.signal;
      return new Response(new ReadableStream<Uint8Array>({ start: opened.resolve }));
    },
  } as unknown as ApiClient);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const shown = renderHook(() => useFollowBatch('b1', true), { wrapper });
  const encoder = new TextEncoder();
  return {
    shown,
    batch: () => queryClient.getQueryData(['batch-backtests', 'b1']),
    isQuotaStale: () => queryClient.getQueryState(['batch-backtests', 'quota'])?.isInvalidated,
    signal: () => signal,
    says: async (text: string) => {
      const stream = await opened.promise;
      await act(async () => stream.enqueue(encoder.encode(text)));
    },
    ends: async () => {
      const stream = await opened.promise;
      await act(async () => stream.close());
    },
  };
}

it('shows what the server says of the batch, however it comes', async () => {
  const { batch, says, shown } = following();
  await says(': still here\n\nevent: batch\ndata: {"status":"Running",');
  expect(batch()).toEqual({ id: 'b1', name: 'Mine', status: 'Running' });
  await says('"revision":4}\n\nevent: batch\r\ndata: {"status":"Running",\r\ndata: "revision":5}\r\n\r\n');
  await waitFor(() => expect(batch()).toMatchObject({ name: 'Mine', status: 'Running', revision: 5 }));
  expect(shown.result.current).toBe(true);
});

it('reads everything of batches again at the end, and needs no polling', async () => {
  const { batch, says, shown, isQuotaStale, ends } = following();
  await says('data: {"status":"Finished","revision":9}\n\n');
  await waitFor(() => expect(isQuotaStale()).toBe(true));
  expect(batch()).toMatchObject({ status: 'Finished', revision: 9 });
  await ends();
  expect(shown.result.current).toBe(true);
});

it('leaves a batch that was deleted as it was, and has it read again', async () => {
  const { batch, says, shown, isQuotaStale } = following();
  await says('data: {"status":"Deleted","revision":9}\n\n');
  await waitFor(() => expect(isQuotaStale()).toBe(true));
  expect(batch()).toEqual({ id: 'b1', name: 'Mine', status: 'Running' });
  // There is nothing to poll for.
  expect(shown.result.current).toBe(true);
});

it('polls where the stream ends before the batch', async () => {
  const { says, shown, ends } = following();
  await says('data: {"status":"Running","revision":4}\n\n');
  expect(shown.result.current).toBe(true);
  await ends();
  await waitFor(() => expect(shown.result.current).toBe(false));
});

it('follows no longer than the page is there', async () => {
  const { says, shown, signal } = following();
  await says('data: {"status":"Running","revision":4}\n\n');
  expect(signal()?.aborted).toBe(false);
  shown.unmount();
  expect(signal()?.aborted).toBe(true);
});

it('is of use until the batch has ended, however it did', () => {
  for (const status of ['Queued', 'Running', 'CompilingResults'] as const)
    expect(isOpen({ status })).toBe(true);
  for (const status of ['Finished', 'Stopped', 'Error'] as const) expect(isOpen({ status })).toBe(false);
});
