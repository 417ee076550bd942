import { createApiClient } from '@quantloom/domain/contracts/http/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../src/lib/api.ts';
import { routes } from './routes.tsx';

/** What the server knows, and what it was asked. */
let marked: string[];
let asked: string[];
let isBroken: boolean;

/** Only the network is played: the client is the product's own. */
async function server(url: string, { method }: RequestInit): Promise<Response> {
  asked.push(`${method} ${url}`);
  if (isBroken) return Response.json({ error: 'Not today.', code: 'refused', status: 422 }, { status: 422 });
  const [, id = ''] = /trading-bots\/(.+)\/favorite$/.exec(url) ?? [];
  if (method === 'GET') return Response.json({ strategy_ids: marked });
  marked = marked.filter((one) => one !== id);
  return Response.json({ strategy_id: id, is_favorite: false });
}

beforeEach(() => {
  [marked, asked, isBroken] = [['s1', 's2'], [], false];
  setApi(createApiClient({ fetch: server, accessToken: () => 'token' }));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

async function show() {
  const [route] = routes;
  if (!route) throw new Error('There is no page');
  const { default: Page } = await route.load();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[route.path]}>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

it('shows what is marked, and takes one out', async () => {
  await show();
  const link = await screen.findByRole('link', { name: 's2' });
  expect(link.getAttribute('href')).toBe('/editor/s2');
  fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('link', { name: 's1' })).toBeNull());
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['s2']);
  expect(asked).toContain('DELETE /api/v1/trading-bots/s1/favorite');
});

it('says what the server said where the list cannot be had, and asks again', async () => {
  isBroken = true;
  await show();
  expect((await screen.findByText(/Not today\./)).textContent).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: /again/i }));
  await screen.findByRole('link', { name: 's1' });
});
