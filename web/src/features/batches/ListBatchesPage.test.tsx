// @vitest-environment happy-dom
import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import ListBatchesPage from './ListBatchesPage.tsx';
import { isOpen } from './model/follow.ts';

afterEach(() => {
  cleanup();
  queryClient.clear();
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
