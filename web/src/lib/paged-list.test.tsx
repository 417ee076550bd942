// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type ListPage, PAGE_ROWS, usePagedList, useTypedSearch } from './paged-list.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A server with `total` rows named after the question; answers wait while it is held. */
function server(total: number) {
  const asked: string[] = [];
  const state = { total, isCatchingUp: false, fails: false };
  let gate: Promise<void> = Promise.resolve();
  return {
    asked,
    state,
    /** Answers wait until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    fetchOf:
      (question: string) =>
      async ({ limit, skip }: { limit: number; skip: number }): Promise<ListPage<string>> => {
        asked.push(`${question} ${skip}+${limit}`);
        await gate;
        if (state.fails) throw new Error('The server is away');
        const count = Math.max(0, Math.min(limit, state.total - skip));
        const rows = Array.from({ length: count }, (_, i) => `${question}${skip + i}`);
        return { rows, total: state.total, isCatchingUp: state.isCatchingUp };
      },
  };
}

function show(
  from: ReturnType<typeof server>,
  options: Parameters<typeof usePagedList>[2] = {},
  question = 'a',
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(
    (props: { question: string; pageRows?: number }) =>
      usePagedList<string>(['rows', props.question], from.fetchOf(props.question), {
        ...options,
        ...(props.pageRows && { pageRows: props.pageRows }),
      }),
    { wrapper, initialProps: { question } as { question: string; pageRows?: number } },
  );
}

it('fetches pages of the size that is asked for, each from where the one before ends', async () => {
  const from = server(1_000);
  const { result } = show(from, { pageRows: 30 });
  await waitFor(() => expect(result.current.total).toBe(1_000));
  act(() => result.current.onRange(59, 61));
  await waitFor(() => expect(result.current.rowAt(61)).toBe('a61'));
  expect(result.current.rowAt(59)).toBe('a59');
  expect(from.asked).toEqual(['a 0+30', 'a 30+30', 'a 60+30']);
});

it('fetches the first page, then the pages in view only', async () => {
  const from = server(15_000);
  const { result } = show(from);
  expect([result.current.total, result.current.rowAt(0), result.current.isStale]).toEqual([
    null,
    undefined,
    true,
  ]);
  await waitFor(() => expect(result.current.total).toBe(15_000));
  expect([result.current.rowAt(99), result.current.rowAt(100)]).toEqual(['a99', undefined]);
  act(() => result.current.onRange(12_290, 12_310));
  await waitFor(() => expect(result.current.rowAt(12_310)).toBe('a12310'));
  expect(result.current.rowAt(12_290)).toBe('a12290');
  expect(from.asked).toEqual([`a 0+${PAGE_ROWS}`, 'a 12200+100', 'a 12300+100']);
  // What was seen stays, so that scrolling back shows it at once.
  act(() => result.current.onRange(0, 20));
  expect(result.current.rowAt(12_300)).toBe('a12300');
  expect(result.current.loaded).toHaveLength(300);
});

it('keeps the rows of the question before until the next is answered, and takes none of them over', async () => {
  const from = server(250);
  const { result, rerender } = show(from);
  await waitFor(() => expect(result.current.total).toBe(250));
  act(() => result.current.onRange(195, 205));
  await waitFor(() => expect(result.current.rowAt(200)).toBe('a200'));
  const answer = from.hold();
  from.state.total = 230;
  rerender({ question: 'b' });
  expect([result.current.isStale, result.current.total, result.current.rowAt(0)]).toEqual([true, 250, 'a0']);
  answer();
  await waitFor(() => expect(result.current.isStale).toBe(false));
  await waitFor(() => expect(result.current.rowAt(200)).toBe('b200'));
  expect([result.current.total, result.current.rowAt(0)]).toEqual([230, 'b0']);
  expect(result.current.loaded.every((row) => row.startsWith('b'))).toBe(true);
});

it('asks for larger pages where it is told to, and finds the rows of either size', async () => {
  const from = server(250);
  const { result, rerender } = show(from);
  await waitFor(() => expect(result.current.total).toBe(250));
  // Down to the first row of the next page.
  act(() => result.current.onRange(80, 100));
  await waitFor(() => expect(result.current.rowAt(100)).toBe('a100'));
  const answer = from.hold();
  rerender({ question: 'a', pageRows: 1_000 });
  expect([result.current.isStale, result.current.rowAt(99), result.current.rowAt(101)]).toEqual([
    true,
    'a99',
    'a101',
  ]);
  answer();
  await waitFor(() => expect(result.current.rowAt(249)).toBe('a249'));
  expect(from.asked.at(-1)).toBe('a 0+1000');
  expect(result.current.loaded).toHaveLength(250);
});

it('tells an error, and the rows after another try', async () => {
  const from = server(3);
  from.state.fails = true;
  const { result } = show(from);
  await waitFor(() => expect(result.current.error).toEqual(new Error('The server is away')));
  expect(result.current.total).toBeNull();
  from.state.fails = false;
  act(() => result.current.refetch());
  await waitFor(() => expect(result.current.total).toBe(3));
  expect(result.current.error).toBeNull();
});

it('asks nothing while it is off', () => {
  const from = server(3);
  const { result } = show(from, { isEnabled: false });
  expect([result.current.total, result.current.isStale, from.asked]).toEqual([null, false, []]);
});

it('says that rows are to come, and asks again until all are there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const from = server(40);
  from.state.isCatchingUp = true;
  // The rows by themselves would be asked for no more.
  const { result } = show(from, { refetchMs: () => false });
  await waitFor(() => expect(result.current.isCatchingUp).toBe(true));
  expect(result.current.total).toBe(40);
  from.state.isCatchingUp = false;
  from.state.total = 5_000;
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  await waitFor(() => expect(result.current.isCatchingUp).toBe(false));
  expect(result.current.total).toBe(5_000);
  const { length } = from.asked;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(from.asked).toHaveLength(length);
});

it('leaves what is typed as it is while its search is under way, and takes over what is set elsewhere', () => {
  vi.useFakeTimers();
  const searched: string[] = [];
  const { result, rerender } = renderHook(
    ({ present }) => useTypedSearch(present, (text) => searched.push(text)),
    { initialProps: { present: '' } },
  );
  act(() => result.current[1]('gold '));
  act(() => vi.advanceTimersByTime(199));
  expect(searched).toEqual([]);
  act(() => vi.advanceTimersByTime(1));
  expect(searched).toEqual(['gold']);
  rerender({ present: 'gold' });
  expect(result.current[0]).toBe('gold ');
  rerender({ present: '' });
  expect(result.current[0]).toBe('');
  act(() => vi.advanceTimersByTime(1_000));
  expect(searched).toEqual(['gold']);
});
