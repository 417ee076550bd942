// @vitest-environment happy-dom
import { listBatchBacktests } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answer, askAgain, leave, press, show, showWindow, toasts } from '../../testing/page.tsx';
import { askForProof, settleProof } from '../lib/proof.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import ProofDialog from './ProofDialog.tsx';
import { RunningBatches } from './RunningBatches.tsx';

afterEach(() => {
  leave();
  settleProof(false);
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
});

const features = ['web.batch-backtests.create'];
const batch = (id: string, status: string, progress: number | null) => ({
  id,
  name: `Batch ${id}`,
  is_public: false,
  created_at: '2026-01-05T12:00:00Z',
  status,
  combinations: 100,
  progress,
});

it('tells how far all batches are together, and of each one that has ended, once', async () => {
  let open = [batch('a', 'Running', 40), batch('b', 'Queued', 0), batch('c', 'Running', 20)];
  const ended = new Map([
    ['a', batch('a', 'Finished', 100)],
    ['b', batch('b', 'Error', 0)],
    ['c', batch('c', 'Stopped', 20)],
  ]);
  answer([
    listBatchBacktests,
    ({ query }) =>
      query?.ids === undefined
        ? open
        : String(query.ids)
            .split(',')
            .map((id) => ended.get(id)),
  ]);
  show(<RunningBatches />, { features });
  await screen.findByRole('progressbar', { name: '3 batches running, 20% done' });
  open = [batch('c', 'Running', 60)];
  await askAgain('batch-backtests', 'open');
  await screen.findByRole('progressbar', { name: '1 batch running, 60% done' });
  expect(screen.getByRole('link').getAttribute('href')).toBe('/batch-backtests/c');
  const told = () => toasts().map(({ kind, title }) => [kind, title]);
  const both = [
    ['success', 'Batch a has finished'],
    ['error', 'Batch b has failed'],
  ];
  await waitFor(() => expect(told()).toEqual(both));
  // Who stopped one knows it.
  open = [];
  await askAgain('batch-backtests', 'open');
  await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
  expect(told()).toEqual(both);
});

it('tells nothing of a batch whose page is open, nor of any to those who have none', async () => {
  window.history.replaceState(null, '', '/batch-backtests/a');
  let open = [batch('a', 'Running', 40)];
  const asked = vi.fn(({ query }: { readonly query?: Readonly<Record<string, unknown>> }) =>
    query?.ids === undefined ? open : [batch('a', 'Finished', 100)],
  );
  answer([listBatchBacktests, asked]);
  show(<RunningBatches />);
  expect(asked).not.toHaveBeenCalled();
  leave();
  answer([listBatchBacktests, asked]);
  show(<RunningBatches />, { features });
  await screen.findByRole('link');
  open = [];
  await askAgain('batch-backtests', 'open');
  await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
  expect(toasts()).toEqual([]);
});

it('goes on with what waits for a password once the person is back from giving it, not before', async () => {
  let isHidden = false;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isHidden ? 'hidden' : 'visible'));
  const given: boolean[] = [];
  const turn = (next: boolean) =>
    act(async () => {
      isHidden = next;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  void askForProof().then((isGiven) => given.push(isGiven));
  await showWindow(<ProofDialog />);
  await turn(true);
  await turn(false);
  expect(given).toEqual([]);
  const link = screen.getByRole('link', { name: /Enter password/ });
  expect(link.getAttribute('href')).toBe('/u/account');
  link.addEventListener('click', (event) => event.preventDefault());
  await act(async () => void fireEvent.click(link));
  await turn(false);
  expect(given).toEqual([]);
  await turn(true);
  await turn(false);
  expect(given).toEqual([true]);
});

it('leaves refused what waits for a password that is not given', async () => {
  const given: boolean[] = [];
  void askForProof().then((isGiven) => given.push(isGiven));
  await showWindow(<ProofDialog />);
  await press('Cancel');
  await waitFor(() => expect(given).toEqual([false]));
});

it('says so as long as the browser has no connection', async () => {
  let isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  const turn = (next: boolean) =>
    act(async () => {
      isOnline = next;
      window.dispatchEvent(new Event(next ? 'online' : 'offline'));
    });
  show(<OfflineNotice />);
  expect(screen.queryByRole('status')).toBeNull();
  await turn(false);
  expect(screen.getByRole('status').textContent).toContain('You are offline.');
  await turn(true);
  expect(screen.queryByRole('status')).toBeNull();
});
