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
  const list = () => ({
    clients: made.length > 1 ? [client('c9', 'Nightly')] : [],
    requests_per_minute: 120,
  });
  answer([listApiClients, list], [addApiClient, add]);
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
  expect(screen.getByText('c9')).toBeDefined();
  const body = { name: 'Nightly', scopes: ['read', 'backtest'], ends_on: '2027-01-31' };
  expect(made).toEqual([body, body]);
  await press('Create API Client');
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('');
  expect(screen.getByLabelText<HTMLInputElement>(/Last day/).value).toBe('');
});

it('says of each client what it may, until when, and how much it was used', async () => {
  const [old, young] = [
    client('c1', 'Nightly', {
      scopes: ['batches', 'read'],
      replaced_by: 'c2',
      last_used_at: '2026-02-10T12:00:00Z',
      ends_at: '2026-03-09T12:00:00Z',
    }),
    client('c2', 'Desk', { scopes: ['backtest'], requests_this_month: 0 }),
  ];
  answer([listApiClients, () => ({ clients: [old, young], requests_per_minute: 1_200 })]);
  const { unmount } = show(<ApiClientsPage />, { features });
  await screen.findByText('c1');
  expect(screen.getByText(/^Limit:/).textContent).toContain('1,200 requests a minute');
  const [first, second] = screen
    .getAllByText('May:')
    .map((fact) => fact.closest('dl')?.textContent?.replaceAll(/ \d+:\d+ [AP]M/g, ''));
  expect(first).toBe(
    'May: Read, BatchesCreated: January 5, 2026Last used: February 10, 2026' +
      'Replaced, works until: March 9, 2026Requests this month: 1,200',
  );
  expect(second).toBe('May: BacktestCreated: January 5, 2026Last used: neverRequests this month: 0');
  const did = screen.getByRole('link', { name: 'What Nightly did' });
  expect(did.getAttribute('href')).toBe('/account/history?search=c1');
  unmount();
  show(<ApiClientsPage />);
  expect(screen.getByText('The API is part of the paid plans')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create API Client' })).toBeNull();
});

it('hides a secret again, which is then asked for anew', async () => {
  const asked: unknown[] = [];
  const secret = ({ params }: Sent) => {
    asked.push(params?.id);
    return { secret: 'one two three' };
  };
  answer(
    [listApiClients, () => ({ clients: [client('c1', 'Nightly')], requests_per_minute: 120 })],
    [getApiClientSecret, secret],
  );
  show(<ApiClientsPage />, { features });
  await press('Show secret');
  await screen.findByText('one two three');
  await press('Hide secret');
  expect(screen.queryByText('one two three')).toBeNull();
  await press('Show secret');
  await screen.findByText('one two three');
  expect(asked).toEqual(['c1', 'c1']);
});

it('needs a name and something that the client may, and begins anew without what was said before', async () => {
  const made: unknown[] = [];
  let isRefused = true;
  const add = ({ body }: Sent) => {
    made.push(body);
    if (isRefused) throw refusal('There are ten already.');
    return client('c9', 'Nightly');
  };
  answer([listApiClients, () => ({ clients: [], requests_per_minute: 120 })], [addApiClient, add]);
  show(<ApiClientsPage />, { features });
  const scope = (name: RegExp) => screen.getByRole('switch', { name });
  const create = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Create' }).at(-1);
  const type = (text: string) => fireEvent.change(screen.getByLabelText('Name'), { target: { value: text } });
  await press('Create API Client');
  await screen.findByLabelText('Name');
  type('  ');
  expect(create()?.disabled).toBe(true);
  type('Nightly');
  fireEvent.click(scope(/^Batches/));
  fireEvent.click(scope(/^Backtest/));
  inDialog('Create');
  await screen.findByText('There are ten already.');
  fireEvent.click(scope(/^Read/));
  expect(create()?.disabled).toBe(true);
  fireEvent.click(scope(/^Read/));
  await press('Cancel');
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
  await press('Create API Client');
  await screen.findByLabelText('Name');
  expect(screen.queryByText('There are ten already.')).toBeNull();
  isRefused = false;
  inDialog('Create');
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
  await press('Create API Client');
  await screen.findByLabelText('Name');
  type('Desk');
  inDialog('Create');
  await waitFor(() => expect(made).toHaveLength(3));
  expect(made.slice(1)).toEqual([
    { name: 'Nightly', scopes: ['read'] },
    { name: 'Desk', scopes: ['read', 'backtest', 'batches'] },
  ]);
});
