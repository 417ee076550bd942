// @vitest-environment happy-dom
import { listAdministratorActs, listWaitlist } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import {
  answer,
  choose,
  downloads,
  figuresOf,
  leave,
  press,
  refusal,
  show,
  toasts,
} from '../../../testing/page.tsx';
import ActsPage from './ActsPage.tsx';
import WaitlistPage from './WaitlistPage.tsx';

afterEach(leave);

const ACT = {
  id: 'e1',
  text: 'Plan changed to API: a gift',
  person: { id: 'u7', name: 'eve@example.com' },
  actor: { id: 'u1', name: 'root@example.com' },
  at: '2026-03-02T12:00:00Z',
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('goes through the acts by hundreds, and begins with the first of those that are asked for', async () => {
  const asked: unknown[] = [];
  answer([listAdministratorActs, ({ query }) => ({ total: 250, acts: [ACT], asked: asked.push(query) })]);
  show(<ActsPage />);
  expect((await figuresOf('Acts of administrators'))[1]?.slice(0, 3)).toEqual([
    'Plan changed to API: a gift',
    'eve@example.com',
    'root@example.com',
  ]);
  expect(screen.getByRole('link', { name: 'eve@example.com' }).getAttribute('href')).toBe('/admin/users/u7');
  expect(screen.getByRole('status').textContent).toBe('250 acts');
  expect(button('Newer').disabled).toBe(true);
  await press('Older');
  await waitFor(() => expect(asked.at(-1)).toEqual({ skip: 100, limit: 100 }));
  await press('Older');
  await waitFor(() => expect(asked.at(-1)).toEqual({ skip: 200, limit: 100 }));
  await waitFor(() => expect(button('Older').disabled).toBe(true));
  type('Done to', ' eve@ ');
  await waitFor(() => expect(asked.at(-1)).toEqual({ person: 'eve@', skip: 0, limit: 100 }));
  type('Done by', 'root');
  await choose('Act', 'Plan changed');
  const all = { act: 'UserPlanChanged', actor: 'root', person: 'eve@' };
  await waitFor(() => expect(asked.at(-1)).toEqual({ ...all, skip: 0, limit: 100 }));
});

it('saves all that fits as a file, not the page that is shown, and says where that fails', async () => {
  const saved = downloads();
  const asked: unknown[] = [];
  let isAway = true;
  answer([
    listWaitlist,
    ({ query }) => {
      asked.push(query);
      if (query?.format !== 'csv') return { total: 51, entries: [{ email: 'ann@example.com', at: ACT.at }] };
      if (isAway) throw refusal('Not now.');
      return new Response('email,at\r\n');
    },
  ]);
  show(<WaitlistPage />);
  await screen.findByText('51 addresses');
  type('Address', ' ann@example.com ');
  await waitFor(() => expect(asked.at(-1)).toEqual({ email: 'ann@example.com', skip: 0, limit: 50 }));
  await press('Older');
  await waitFor(() => expect(asked.at(-1)).toEqual({ email: 'ann@example.com', skip: 50, limit: 50 }));
  await press('Download CSV');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['The list could not be saved']));
  isAway = false;
  await press('Download CSV');
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['waitlist.csv']));
  expect(asked.at(-1)).toEqual({ email: 'ann@example.com', format: 'csv' });
});

it('says why there is no list, and finds it again', async () => {
  let isAway = true;
  answer([
    listWaitlist,
    () => {
      if (isAway) throw refusal('Not now.');
      return { total: 0, entries: [] };
    },
  ]);
  show(<WaitlistPage />);
  await screen.findByText('The waitlist could not be loaded');
  isAway = false;
  await press('Try again');
  await screen.findByText('Nobody is there');
});
