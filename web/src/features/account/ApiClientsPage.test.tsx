// @vitest-environment happy-dom
import {
  addApiClient,
  getApiClientSecret,
  listApiClients,
  removeApiClient,
  replaceApiClient,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import ApiClientsPage from './ApiClientsPage.tsx';

afterEach(leave);

const client = (id: string, name: string, over = {}) => ({
  id,
  name,
  scopes: ['read'],
  created_at: '2026-01-05T10:00:00Z',
  ends_at: null,
  last_used_at: null,
  replaced_by: null,
  requests_this_month: 1200,
  ...over,
});
const features = ['web.settings.api-clients.view'];
const inDialog = (name: string) =>
  fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement);

it('deletes and replaces the client that was pressed, and tells what failed where it was asked', async () => {
  let clients = [client('c1', 'Nightly', { replaced_by: 'c2' }), client('c2', 'Desk')];
  const asked: string[] = [];
  let isAway = true;
  const act = (what: string) => (sent: Sent) => {
    asked.push(`${what} ${sent.params?.id}`);
    if (isAway) throw refusal('The log is away.');
    clients = clients.filter(({ id }) => id !== sent.params?.id);
    return null;
  };
  const secret = ({ params }: Sent) => {
    if (params?.id === 'c1') throw refusal('It is gone.');
    return { secret: `secret of ${params?.id}` };
  };
  answer(
    [listApiClients, () => ({ clients, requests_per_minute: 120 })],
    [removeApiClient, act('delete')],
    [replaceApiClient, act('replace')],
    [getApiClientSecret, secret],
  );
  show(<ApiClientsPage />, { features });
  await screen.findByText('c1');
  // The example names a client whose secret goes on working.
  expect(screen.getByText(/client_id=/).textContent).toContain('client_id=c2');
  expect(screen.queryByRole('button', { name: 'Replace Nightly' })).toBeNull();
  const [first, second] = screen.getAllByRole('button', { name: 'Show secret' });
  fireEvent.click(first as HTMLElement);
  await waitFor(() => expect(toasts().at(-1)?.options.description).toBe('It is gone.'));
  fireEvent.click(second as HTMLElement);
  await screen.findByText('secret of c2');
  await press('Delete Nightly');
  await press('Delete');
  await screen.findByText('The log is away.');
  expect(screen.getByText('c1')).toBeDefined();
  isAway = false;
  inDialog('Delete');
  await waitFor(() => expect(screen.queryByText('c1')).toBeNull());
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await press('Replace Desk');
  await press('Replace');
  await waitFor(() => expect(asked).toEqual(['delete c1', 'delete c1', 'replace c2']));
});

it('keeps the form of a new client where it is refused, and begins anew once it is made', async () => {
  const made: unknown[] = [];
  const add = ({ body }: Sent) => {
    made.push(body);
    if (made.length === 1) throw refusal('There are ten already.');
    return client('c9', 'Nightly');
  };
  answer([listApiClients, () => ({ clients: [], requests_per_minute: 120 })], [addApiClient, add]);
  show(<ApiClientsPage />, { features });
  await press('Create API Client');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  fireEvent.change(name, { target: { value: ' Nightly ' } });
  fireEvent.change(screen.getByLabelText(/Last day/), { target: { value: '2027-01-31' } });
  fireEvent.click(screen.getByRole('switch', { name: /^Batches/ }));
  inDialog('Create');
  await screen.findByText('There are ten already.');
  expect(name.value).toBe(' Nightly ');
  inDialog('Create');
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
  const body = { name: 'Nightly', scopes: ['read', 'backtest'], ends_on: '2027-01-31' };
  expect(made).toEqual([body, body]);
  await press('Create API Client');
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>(/Last day/).value).toBe('');
});
