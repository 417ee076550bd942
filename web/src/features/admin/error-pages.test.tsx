// @vitest-environment happy-dom
import {
  getBacktestError,
  listBacktestErrors,
  listParkedEvents,
  replayBacktestError,
  replayBacktestErrors,
  replayParkedEvent,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import ErrorListPage from './ErrorListPage.tsx';
import ErrorPage from './ErrorPage.tsx';
import ParkedEventsPage from './ParkedEventsPage.tsx';

afterEach(leave);

const error = (id: string, message: string, created_at: string) => ({
  id,
  message,
  created_at,
  user_id: 'u1',
  kind: 'batch',
  outcome: 'open',
});
const ROWS = [
  error('e1', 'No data at node_1a', '2026-03-01T00:00:00Z'),
  error('e2', 'Too deep: 12', '2026-03-03T00:00:00Z'),
  error('e3', 'Too deep: 7', '2026-03-02T00:00:00Z'),
];
const said = () => toasts().map(({ title, options }) => [title, options.description]);

it('lists the errors that the address asks for, and replays those and no others once somebody agrees', async () => {
  const asked: unknown[] = [];
  const replayed: unknown[] = [];
  let isAway = true;
  const replay = ({ body }: Sent) => {
    replayed.push(body);
    if (isAway) throw refusal('The queue is away.');
    return { outcomes: [{ kind: 'succeeded' }, { kind: 'failed' }, { kind: 'succeeded' }] };
  };
  const list = ({ query }: Sent) => {
    asked.push(query);
    return ROWS;
  };
  answer([listBacktestErrors, list], [replayBacktestErrors, replay]);
  show(<ErrorListPage />, { at: '/?outcome=open&kind=batch' });
  await screen.findByText('3 errors');
  expect(asked).toEqual([{ outcome: 'open', kind: 'batch', limit: 1000 }]);
  const links = () => screen.getAllByRole('link', { name: /^View/ }).map((link) => link.getAttribute('href'));
  expect(links()).toEqual(['e2', 'e3', 'e1'].map((id) => `/admin/backtests/errors/${id}`));
  const counts = within(screen.getByRole('list', { name: 'Errors by message' })).getAllByRole('button');
  expect(counts.map(({ textContent }) => textContent)).toEqual(['2Too deep: 12', '1No data at node_1a']);
  fireEvent.click(counts[1] as HTMLElement);
  const filter = { outcome: 'open', kind: 'batch', search: 'No data at' };
  await waitFor(() => expect(asked.at(-1)).toEqual({ ...filter, limit: 1000 }));
  await press('Replay all like this');
  await screen.findByText(/Up to 100 of the errors/);
  expect(replayed).toEqual([]);
  await press('Replay');
  await waitFor(() => expect(said()).toEqual([['Replaying failed', 'The queue is away.']]));
  isAway = false;
  await press('Replay');
  await waitFor(() => expect(said().at(-1)).toEqual(['3 errors replayed', '2 succeeded, 1 failed']));
  expect(replayed).toEqual([filter, filter]);
  await waitFor(() => expect(asked).toHaveLength(3));
});

it('looks for the whole of a message that begins with a number', async () => {
  const asked: unknown[] = [];
  const list = ({ query }: Sent) => {
    asked.push(query?.search);
    return [...ROWS, error('e4', '30 rows are missing', '2026-03-04T00:00:00Z')];
  };
  answer([listBacktestErrors, list]);
  show(<ErrorListPage />);
  await press(/30 rows are missing$/);
  await waitFor(() => expect(asked).toEqual([undefined, '30 rows are missing']));
});

it('tells a list that is empty by its filter from one that is empty, and leads out of it', async () => {
  answer([listBacktestErrors, ({ query }) => (query?.search ? [] : ROWS)]);
  show(<ErrorListPage />, { at: '/?search=nothing' });
  await screen.findByText('Nothing matches');
  const replayAll = screen.getByRole<HTMLButtonElement>('button', { name: 'Replay all like this' });
  expect(replayAll.disabled).toBe(true);
  await press('Clear filters');
  await screen.findByText('3 errors');
});

it('shows one error with what the engine knew, and how each replay ended', async () => {
  const asked: unknown[] = [];
  let outcome: object = { kind: 'failed', detail: 'No price of SPY' };
  const record = {
    ...ROWS[0],
    engine_version: '7.1',
    batch_id: 'b1',
    partition: 0,
    data_version: 'v9',
    request: { start_date: '2020-01-01' },
    debug_data: {
      error: { message: 'No data at node_1a', stack: ['at run (engine.ts:1)'] },
      calculated_dates: { warm_up: [], range: { from: '2020-01-02' } },
      bar_counts: { SPY: 1500 },
      indicator_bar_counts: { RSI: 14 },
      ohlc_cache: [{ close: 1, index: 0 }],
    },
    replays: [{ kind: 'refused', detail: 'It is a template', at: '2026-03-05T00:00:00Z' }],
  };
  const one = ({ params }: Sent) => {
    asked.push(params);
    return record;
  };
  answer(
    [getBacktestError, one],
    [
      replayBacktestError,
      ({ params }) => {
        asked.push(params);
        return outcome;
      },
    ],
  );
  show(
    <Routes>
      <Route path="/errors/:id" element={<ErrorPage />} />
    </Routes>,
    { at: '/errors/e1' },
  );
  await screen.findByText('at run (engine.ts:1)');
  expect(asked).toEqual([{ id: 'e1' }]);
  expect(screen.getByText('b1, partition 0')).toBeDefined();
  expect(screen.getByRole('link', { name: 'u1' }).getAttribute('href')).toBe('/admin/users/u1');
  const value = (name: string) => screen.getByTitle(name).nextElementSibling?.textContent;
  expect([value('SPY'), value('RSI'), value('warm_up'), value('range from')]).toEqual([
    '1,500',
    '14',
    '--',
    '2020-01-02',
  ]);
  expect(screen.getByText('It is a template')).toBeDefined();
  fireEvent.click(screen.getByRole('tab', { name: 'OHLC Cache' }));
  await screen.findByText('1 row');
  fireEvent.click(screen.getByRole('tab', { name: 'Indicator Cache' }));
  await screen.findByText('No rows');
  await press('Replay');
  await waitFor(() =>
    expect(toasts().map(({ kind, title }) => [kind, title])).toEqual([['error', 'Replay failed']]),
  );
  expect(said()).toEqual([['Replay failed', 'No price of SPY']]);
  outcome = { kind: 'succeeded', detail: 'As expected' };
  await press('Replay');
  await waitFor(() => expect(toasts().at(-1)).toMatchObject({ kind: 'success', title: 'Replay succeeded' }));
  expect(asked).toEqual(Array.from(asked, () => ({ id: 'e1' })));
});

it('follows a replay of a parked event to its end', async () => {
  const event = (id: string, attempts: number, reason: string) => ({
    id,
    event: `Event ${id}`,
    projection: 'drafts',
    reason,
    attempts,
    is_waiting: id === 'p2',
    parked_at: '2026-03-01T00:00:00Z',
    stream: `strategy-${id}`,
    revision: 3,
    event_id: `uuid-${id}`,
    position: 42,
    stack: null,
  });
  let parked = [event('p1', 1, 'No such block'), event('p2', 1, 'Behind p1')];
  const asked: unknown[] = [];
  let next = parked;
  let isAsked = false;
  const replay = ({ params }: Sent) => {
    asked.push(params);
    isAsked = true;
    return null;
  };
  // The projection takes a moment: the first look after a replay finds everything as it was.
  const list = () => {
    const before = parked;
    if (isAsked) parked = next;
    return before;
  };
  answer([listParkedEvents, list], [replayParkedEvent, replay]);
  show(<ParkedEventsPage />);
  const row = (name: RegExp) => within(screen.getByRole('row', { name }));
  await screen.findByText('2 events');
  expect(row(/Event p2/).getByText('waiting')).toBeDefined();
  expect(row(/Event p1/).queryByText('waiting')).toBeNull();
  next = [event('p1', 2, 'Still no such block'), event('p2', 1, 'Behind p1')];
  fireEvent.click(row(/Event p1/).getByRole('button', { name: 'Replay' }));
  await waitFor(() => expect(said()).toEqual([['The event failed again', 'Still no such block']]));
  await screen.findByText('Still no such block');
  next = next.slice(1);
  fireEvent.click(row(/Event p1/).getByRole('button', { name: 'Replay' }));
  await waitFor(() => expect(said().at(-1)).toEqual(['Event applied', 'Event p1']));
  await screen.findByText('1 event');
  expect(asked).toEqual([{ id: 'p1' }, { id: 'p1' }]);
  await act(async () => void fireEvent.click(row(/Event p2/).getByRole('button', { name: 'View' })));
  await screen.findByText('strategy-p2 at revision 3');
  expect(screen.getByText('42')).toBeDefined();
});
