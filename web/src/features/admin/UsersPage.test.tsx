// @vitest-environment happy-dom

import { listUsers } from '@quantloom/domain/contracts/http/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { answer, figuresOf, show } from '../../../testing/page.tsx';
import { queryClient, setApi } from '../../lib/api.ts';
import UsersPage from './UsersPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

it('goes through the users by hundreds, and begins with the first of what is searched for', async () => {
  const asked: unknown[] = [];
  const call = async (_route: unknown, { query }: { readonly query: object }) => {
    asked.push(query);
    return { total: 250, users: [] };
  };
  setApi({ call } as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/admin/users']}>
        <UsersPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const older = await screen.findByRole<HTMLButtonElement>('button', { name: 'Older' });
  const newer = screen.getByRole<HTMLButtonElement>('button', { name: 'Newer' });
  expect(newer.disabled).toBe(true);
  fireEvent.click(older);
  await waitFor(() => expect(asked.at(-1)).toEqual({ limit: 100, skip: 100 }));
  fireEvent.click(older);
  await waitFor(() => expect(asked.at(-1)).toEqual({ limit: 100, skip: 200 }));
  await waitFor(() => expect(older.disabled).toBe(true));
  fireEvent.click(newer);
  await waitFor(() => expect(older.disabled).toBe(false));
  fireEvent.change(screen.getByLabelText('Search users'), { target: { value: 'eve@' } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ limit: 100, skip: 0, search: 'eve@' }));
});

it('tells what is granted beyond a plan apart from what is taken away of it', async () => {
  const user = (id: string, granted_features: readonly string[], revoked_features: readonly string[]) => ({
    id,
    email: `${id}@example.com`,
    plan_id: 'free',
    created_at: '2026-01-05T12:00:00Z',
    granted_features,
    revoked_features,
  });
  const users = [user('a', [], []), user('b', ['x'], ['y']), user('c', [], ['y', 'z'])];
  answer([listUsers, () => ({ total: 3, users })]);
  show(<UsersPage />, { at: '/admin/users' });
  await screen.findByText('a@example.com');
  const [head = [], ...rows] = await figuresOf('Users');
  expect(rows.map((row) => row[head.indexOf('Beyond the plan')])).toEqual(['--', '+1 −1', '−2']);
});
