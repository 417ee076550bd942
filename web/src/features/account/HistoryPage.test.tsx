// @vitest-environment happy-dom
import { getAccountHistory } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import {
  answer,
  askAgain,
  choose,
  downloads,
  leave,
  press,
  refusal,
  type Sent,
  show,
  toasts,
} from '../../../testing/page.tsx';
import HistoryPage from './HistoryPage.tsx';

afterEach(leave);

const YOU = { kind: 'user', label: 'You' };
const NIGHTLY = { kind: 'apiClient', label: 'Nightly (c1)' };
const line = (id: number, actor: object, kind = 'batch') => ({
  id: `e${id}`,
  at: '2026-03-02T20:00:00Z',
  summary: `Entry ${id}`,
  actor,
  subject: { kind, id: `s${id}` },
});
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at, YOU));
const shown = async () =>
  within(await screen.findByRole('list', { name: 'History' })).getAllByRole('listitem');

it('finds what the address asks for, and what is typed, and leads to strategies alone', async () => {
  answer([getAccountHistory, () => [line(1, YOU, 'strategy'), line(2, NIGHTLY), line(3, NIGHTLY, 'list')]]);
  show(<HistoryPage />, { at: '/account/history?search=c1' });
  expect((await shown()).map(({ textContent }) => textContent?.slice(0, 7))).toEqual(['Entry 2', 'Entry 3']);
  expect(screen.getByRole('status').textContent).toBe('2 entries');
  fireEvent.change(screen.getByLabelText('Search the history'), { target: { value: '' } });
  expect(await shown()).toHaveLength(3);
  const links = within(screen.getByRole('list', { name: 'History' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Entry 1', '/editor/s1'],
  ]);
  await choose('Done by', 'API clients');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('2 entries'));
  fireEvent.change(screen.getByLabelText('Search the history'), { target: { value: 'nothing like it' } });
  expect(screen.getByText('Nothing found')).toBeDefined();
});

it('shows a hundred at a time, and says where older ones are to be found', async () => {
  let count = 1000;
  answer([getAccountHistory, () => lines(count)]);
  const { unmount } = show(<HistoryPage />);
  expect(await shown()).toHaveLength(100);
  expect(screen.getByRole('status').textContent).toMatch(/^1,000 entries among the newest 1000\. Older/);
  await press('Show more');
  expect((await shown()).at(-1)?.textContent).toContain('Entry 199');
  unmount();
  leave();
  count = 101;
  show(<HistoryPage />);
  await shown();
  expect(screen.getByRole('status').textContent).toBe('101 entries');
  await press('Show more');
  expect(await shown()).toHaveLength(101);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  leave();
  count = 100;
  show(<HistoryPage />);
  expect(await shown()).toHaveLength(100);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('saves the whole history as it came, and says where that failed', async () => {
  const saved = downloads();
  let isAway = true;
  const history = ({ query }: Sent) => {
    if (query?.format === 'json') return lines(1);
    if (isAway) throw refusal('The log is away.');
    return new Response('{"id":"e1"}\n');
  };
  answer([getAccountHistory, history]);
  show(<HistoryPage />);
  await shown();
  await press('Download all');
  await waitFor(() => expect(toasts().at(-1)?.options.description).toBe('The log is away.'));
  isAway = false;
  await press('Download all');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toBe('account-history.jsonl');
  expect(await saved[0]?.content?.text()).toBe('{"id":"e1"}\n');
});

it('keeps what is shown where asking again fails, and can be asked again where nothing is', async () => {
  let isAway = false;
  const history = () => {
    if (isAway) throw refusal('The log is away.');
    return lines(2);
  };
  answer([getAccountHistory, history]);
  show(<HistoryPage />);
  await shown();
  isAway = true;
  await askAgain('account-history');
  expect(await shown()).toHaveLength(2);
  leave();
  show(<HistoryPage />);
  await screen.findByText('The history could not be loaded');
  isAway = false;
  await press('Try again');
  expect(await shown()).toHaveLength(2);
});
