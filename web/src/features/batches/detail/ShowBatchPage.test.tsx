// @vitest-environment happy-dom
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import {
  createBatchBacktest,
  deleteBatchBacktest,
  followBatchBacktest,
  getBatchBacktest,
  getBatchResults,
  listResultViews,
  listTickers,
  stopBatchBacktest,
  updateBatchBacktest,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { batchOf, resultsAnswer } from '../../../../testing/batch.ts';
import {
  answer,
  askAgain,
  leave,
  press,
  refusal,
  type Sent,
  show,
  toasts,
} from '../../../../testing/page.tsx';
import ShowBatchPage from './ShowBatchPage.tsx';

let batch: BatchDetail;
let away: Error | null;
let acts: [what: string, id: string | undefined, body: unknown][];
let failure: Error | null;
beforeEach(() => {
  [batch, away, acts, failure] = [batchOf(), null, [], null];
  const take =
    (what: string, after: () => unknown = () => ({})) =>
    ({ params, body }: Sent) => {
      acts.push([what, params?.id, body]);
      if (failure) throw failure;
      return after();
    };
  const load = ({ params }: Sent) => {
    if (away) throw away;
    return { ...batch, id: params?.id };
  };
  answer(
    [getBatchBacktest, load],
    [listResultViews, () => []],
    [getBatchResults, (sent: Sent) => resultsAnswer(sent, [{ combination: 0, $A: 'SPY', $N: 10 }])],
    [listTickers, () => ({ data: [] })],
    [createBatchBacktest, take('create', () => ({ id: 'b2' }))],
    [stopBatchBacktest, take('stop')],
    [deleteBatchBacktest, take('delete')],
    [updateBatchBacktest, take('change', () => (batch = { ...batch, is_public: !batch.is_public }))],
    // It cannot be had: the page asks from time to time instead.
    [followBatchBacktest, () => Promise.reject(new Error('No stream'))],
  );
});
afterEach(() => {
  leave();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

function Elsewhere() {
  const { pathname, state } = useLocation();
  return (
    <p>
      At {pathname} with {(state as { clone?: BatchDetail } | null)?.clone?.name ?? 'nothing'}
    </p>
  );
}
const page = () =>
  show(
    <Routes>
      <Route path="/batch-backtests/b2" element={<Elsewhere />} />
      <Route path="/batch-backtests/new" element={<Elsewhere />} />
      <Route path="/batch-backtests/:id" element={<ShowBatchPage />} />
      <Route path="/batch-backtests" element={<Elsewhere />} />
    </Routes>,
    { at: '/batch-backtests/b1' },
  );
const heading = () => screen.findByRole('heading', { level: 1, name: 'Pairs' });
const selected = () => screen.getByRole('tab', { selected: true }).textContent;
const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name });
const confirm = (name: string) =>
  act(async () => void fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement));

it('shows the results once there are any, and stays when asking again fails', async () => {
  page();
  await heading();
  expect(selected()).toBe('Results');
  expect(screen.getByRole('tab', { name: 'Analyze' })).toBeDefined();
  away = refusal('Not now.', 'unavailable', 422);
  await askAgain('batch-backtests', 'b1');
  expect(screen.getByRole('heading', { level: 1, name: 'Pairs' })).toBeDefined();
  expect(screen.queryByText('Not now.')).toBeNull();
  leave();
  away = null;
  batch = batchOf({ status: 'Queued', job_names: ['b1-0', 'b1-1'], error: 'One part waits for a node.' });
  page();
  await heading();
  expect(selected()).toBe('Config');
  expect(screen.queryByRole('tab', { name: 'Analyze' })).toBeNull();
  expect(screen.getByText('One part waits for a node.')).toBeDefined();
});

it('tells what may not be seen from what is not there, and asks again for what could not be had', async () => {
  away = refusal('Not yours.', 'forbidden', 403);
  page();
  await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('Access Restricted'));
  leave();
  away = refusal('Gone.', 'not_found', 404);
  page();
  await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('Not found'));
  leave();
  away = refusal('Too busy.');
  page();
  await screen.findByText('Too busy.');
  away = null;
  await press('Try again');
  await heading();
});

it('is published and made private again by its owner alone', async () => {
  page();
  await heading();
  failure = refusal('Its name is taken.');
  await press('Make public');
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('Its name is taken.'));
  failure = null;
  await press('Make public');
  await press('Make private');
  await screen.findByRole('button', { name: 'Make public' });
  expect(acts.map(([, id, body]) => [id, body])).toEqual([
    ['b1', { is_public: true }],
    ['b1', { is_public: true }],
    ['b1', { is_public: false }],
  ]);
  leave();
  batch = batchOf({ is_owner: false });
  page();
  await heading();
  expect([button('Make public'), button('Delete'), button('Run again')?.disabled]).toEqual([
    null,
    null,
    false,
  ]);
});

it('can be stopped once a part of it has run, and is deleted once that was confirmed', async () => {
  batch = batchOf({ status: 'Running', job_names: ['b1-0', 'b1-1'] });
  page();
  await heading();
  expect(button('Stop and keep')).toBeNull();
  leave();
  batch = batchOf({ status: 'Running', job_names: ['b1-1'] });
  page();
  await press('Stop and keep');
  await screen.findByText('Stop this batch backtest for good?');
  expect(acts).toEqual([]);
  failure = refusal('It has just finished.');
  await confirm('Stop and keep');
  await screen.findByText('It has just finished.');
  failure = null;
  await confirm('Stop and keep');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await press('Stop and delete');
  await screen.findByText('Pairs and its results are deleted.');
  await press('Delete');
  await screen.findByText('At /batch-backtests with nothing');
  expect(acts.map(([what, id]) => `${what} ${id}`)).toEqual(['stop b1', 'stop b1', 'delete b1']);
});

it('is run again as it was, or leads to a form that begins with it', async () => {
  page();
  await heading();
  failure = refusal('The month is used up.');
  await press('Run again');
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('The month is used up.'));
  expect(button('Run again')?.disabled).toBe(false);
  failure = null;
  await press('Run again');
  await screen.findByText('At /batch-backtests/b2 with nothing');
  expect(acts.at(-1)?.[2]).toMatchObject({ name: 'Pairs', variables: batch.variables, is_public: false });
  leave();
  page();
  await heading();
  await press('Clone configuration');
  await screen.findByText('At /batch-backtests/new with Pairs');
});
