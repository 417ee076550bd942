// @vitest-environment happy-dom
import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { deleteBatchBacktest, listBatchBacktests, listDrafts } from '@quantloom/domain/contracts/http/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import { queryClient, setApi } from '../../lib/api.ts';
import ListBatchesPage from './ListBatchesPage.tsx';
import { isOpen } from './model/follow.ts';

afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

it('asks for all that are under way where the open ones are chosen, and for one status elsewhere', async () => {
  const asked: { readonly status?: string; readonly limit: number }[] = [];
  const request = async (_route: unknown, { query }: { readonly query: (typeof asked)[number] }) => {
    asked.push(query);
    return { body: [], headers: new Headers({ 'x-total-count': '3' }) };
  };
  setApi({ request } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/batch-backtests']}>
        <ListBatchesPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const statusOf = async (choice: string) => {
    const before = asked.length;
    fireEvent.click(await screen.findByRole('radio', { name: choice }));
    await waitFor(() => expect(asked.length).toBeGreaterThan(before));
    return asked.at(-1)?.status?.split(',');
  };
  const all: readonly BatchListItem['status'][] = [
    'Queued',
    'Running',
    'CompilingResults',
    'Finished',
    'Stopped',
    'Error',
  ];
  // What the page counts as open elsewhere, too.
  expect(await statusOf('Open')).toEqual(all.filter((status) => isOpen({ status } as BatchListItem)));
  expect(await statusOf('Finished')).toEqual(['Finished']);
  expect(await statusOf('Stopped')).toEqual(['Stopped']);
  expect(await statusOf('Error')).toEqual(['Error']);
});

describe('the batches that are listed', () => {
  const batch = (id: string, over: Partial<BatchListItem> = {}): BatchListItem => ({
    id,
    name: `Batch ${id}`,
    is_public: false,
    created_at: '2026-01-05T12:00:00Z',
    status: 'Finished',
    combinations: 1_500,
    progress: 100,
    ...over,
  });
  let batches: BatchListItem[];
  let asked: Record<string, unknown>[];
  let removed: unknown[];
  let failure: Error | null;
  beforeEach(() => {
    // happy-dom lays nothing out.
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(41);
    [asked, removed, failure] = [[], [], null];
    batches = [batch('b1'), batch('b2', { status: 'Running', progress: 40, is_public: true })];
    const list = ({ query = {} }: Sent) => {
      asked.push(query);
      if (failure) throw failure;
      const total = query.strategy === 'none' ? 0 : batches.length;
      return { body: batches.slice(0, total), headers: new Headers({ 'x-total-count': String(total) }) };
    };
    const remove = ({ params }: Sent) => {
      removed.push(params?.id);
      if (removed.length === 1) throw refusal('The log is away.');
      batches = batches.filter(({ id }) => id !== params?.id);
      return null;
    };
    const drafts = ({ query }: Sent) => ({
      body: query?.ids === 't1' ? [{ id: 't1', name: 'Switch' }] : [],
      headers: new Headers(),
    });
    answer([listBatchBacktests, list], [deleteBatchBacktest, remove], [listDrafts, drafts]);
  });
  const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;
  /** What the list was asked for last; the count asks for one row. */
  const question = () => asked.filter(({ limit }) => limit !== 1).at(-1);

  it('are those that the address asks for, until the filters are cleared', async () => {
    show(<ListBatchesPage />, { at: '/?q=spy&sort=size:desc&status=stopped&strategy=t1' });
    const made = await screen.findByRole('link', { name: 'Switch' });
    expect(made.getAttribute('href')).toBe('/editor/t1');
    expect(question()).toEqual({
      search: 'spy',
      sort: 'size:desc',
      status: 'Stopped',
      strategy: 't1',
      limit: 100,
      skip: 0,
    });
    await press('Show the batches of all strategies');
    await waitFor(() => expect(question()).not.toHaveProperty('strategy'));
    expect(question()).toMatchObject({ search: 'spy', status: 'Stopped' });
    leave();
    show(<ListBatchesPage />, { at: '/?strategy=none&q=spy&status=stopped' });
    await screen.findByText(/^No batch backtest was made from this strategy/);
    await press('Clear filters');
    await rowOf('Batch b1');
    expect(question()).toEqual({ sort: 'created:desc', limit: 100, skip: 0 });
  });

  it('say how far they are, and are deleted once that was confirmed', async () => {
    show(<ListBatchesPage />);
    const cells = async (name: string) =>
      within(await rowOf(name))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect((await cells('Batch b1')).slice(1)).toEqual([
      'Private',
      'January 5, 2026',
      'Finished',
      '1,500',
      '',
    ]);
    expect((await cells('Batch b2')).slice(1, 4)).toEqual(['Public', 'January 5, 2026', 'Running40%']);
    const confirm = () =>
      act(
        async () =>
          void fireEvent.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1) as HTMLElement),
      );
    await press('Delete Batch b1');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Batch b1 and its results are deleted.',
    );
    expect(screen.queryByText(/unused quota is given back/)).toBeNull();
    await press("Don't delete");
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    fireEvent.keyDown(await rowOf('Batch b2'), { key: 'Delete' });
    await screen.findByText(/unused quota is given back/);
    expect(removed).toEqual([]);
    await confirm();
    await screen.findByText('The log is away.');
    await confirm();
    await waitFor(() => expect(screen.queryByText('Batch b2')).toBeNull());
    expect(removed).toEqual(['b2', 'b2']);
  });

  it('are told from none at all and from a failure', async () => {
    failure = refusal('Too busy.');
    show(<ListBatchesPage />);
    await screen.findByText('Too busy.');
    [failure, batches] = [null, []];
    await press('Try again');
    await screen.findByText('No Batch Backtests');
  });
});
