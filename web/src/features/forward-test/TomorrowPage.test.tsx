// @vitest-environment happy-dom
import {
  changePreferences,
  followStrategy,
  getPreferences,
  getTomorrow,
  listDecisions,
  listFollows,
  unfollowStrategy,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import { queryClient } from '../../lib/api.ts';
import TomorrowPage from './TomorrowPage.tsx';

afterEach(leave);

const follow = (id: string, name: string | null, rest = {}) => ({
  strategy_id: id,
  name,
  followed_at: '2026-01-05T21:00:00Z',
  last_decided_day: '2026-03-02',
  failure: null,
  ...rest,
});
const ROW = {
  strategy_id: 'a',
  name: 'Trend',
  day: '2026-03-02',
  is_late: true,
  is_simulated: false,
  is_current: true,
  failure: null,
  orders: [
    {
      ticker: 'SPY',
      side: 'buy',
      from_percent: 25,
      to_percent: 60,
      close: 500,
      money: 1500,
      shares: 3,
    },
  ],
  conditions: [
    {
      id: 'c1',
      holds: true,
      lhs: 70,
      rhs: 75.5,
      margin: -5.5,
      flip: { ticker: 'QQQ', side: 'above', price: 410 },
    },
    { id: 'c2', holds: false, lhs: 1, rhs: 2, margin: -1, flip: null },
  ],
};
const decision = (day: string, rest = {}) => ({
  day,
  revision: 4,
  decided_at: `${day}T22:00:00Z`,
  is_late: false,
  is_simulated: false,
  weights: { TLT: 40, SPY: 60 },
  correction: null,
  ...rest,
});

let follows: object[];
let kept: number | null;
let asked: unknown[];
beforeEach(() => {
  follows = [follow('a', 'Trend')];
  kept = null;
  asked = [];
});
const present = () =>
  [
    [listFollows, () => follows],
    [
      getTomorrow,
      ({ query }: Sent) => {
        asked.push(query);
        return [ROW];
      },
    ],
    [getPreferences, () => ({ amount: kept })],
  ] as const;
const amountField = () => screen.findByLabelText<HTMLInputElement>(/Amount in each strategy/);
const row = (name: RegExp) => screen.findByRole('row', { name });
const cells = (line: HTMLElement) =>
  within(line)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('shows percents, with the amount that the account keeps money too, and keeps the one that is typed', async () => {
  kept = 2500;
  const saved: unknown[] = [];
  const keep = ({ body }: Sent) => {
    saved.push(body);
    return {};
  };
  answer(...present(), [changePreferences, keep]);
  show(<TomorrowPage />);
  await waitFor(() => expect(asked.at(-1)).toEqual({ amount: 2500 }));
  expect((await amountField()).value).toBe('2500');
  const table = within(await screen.findByRole('table', { name: 'Holdings of Trend' }));
  expect(cells(table.getByRole('row', { name: /SPY/ }))).toEqual([
    'SPY',
    'buy',
    '25.0%',
    '60.0%',
    '$1,500.00',
    '3',
  ]);
  expect(saved).toEqual([]);
  fireEvent.change(await amountField(), { target: { value: '50%' } });
  await screen.findByText(/is a percentage/);
  fireEvent.change(await amountField(), { target: { value: '$1,000' } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ amount: 1000 }));
  fireEvent.change(await amountField(), { target: { value: '' } });
  await waitFor(() => expect(saved).toEqual([{ amount: 1000 }, { amount: null }]));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Money' })).toBeNull());
});

it('leaves what the account keeps alone where the address says an amount', async () => {
  kept = 2500;
  answer(...present());
  show(<TomorrowPage />, { at: '/?amount=400' });
  expect((await amountField()).value).toBe('400');
  await waitFor(() => expect(queryClient.getQueryData(['preferred-amount'])).toBe(2500));
  await screen.findByRole('table', { name: 'Holdings of Trend' });
  expect((await amountField()).value).toBe('400');
  expect(asked).toEqual([{ amount: 400 }]);
});

it('says of each condition how it stands and what flips it, and of each decision what is known of it', async () => {
  const pages: unknown[] = [];
  const decisions = ({ params, query }: Sent) => {
    pages.push([params?.id, query?.skip]);
    const rows =
      query?.skip === 0
        ? [decision('2026-03-02', { is_simulated: true, correction: { weights: { BIL: 100 } } })]
        : [decision('2026-02-27', { weights: {} })];
    return { body: rows, headers: new Headers({ 'x-total-count': '2' }) };
  };
  answer(...present(), [listDecisions, decisions]);
  show(<TomorrowPage />);
  const conditions = within(await screen.findByRole('table', { name: 'Conditions of Trend' }));
  expect(conditions.getAllByRole('row').slice(1).map(cells)).toEqual([
    ['1', 'true', '70.00', '75.50', '-5.5000', 'QQQ above 410.00'],
    ['2', 'false', '1.0000', '2.00', '-1.0000', 'no single price flips it'],
  ]);
  expect(screen.getByText(/It was decided late/)).toBeDefined();
  await press('Past decisions');
  await press('Show earlier ones');
  expect(await row(/February 27/)).toBeDefined();
  expect(pages).toEqual([
    ['a', 0],
    ['a', 1],
  ]);
  expect(cells(await row(/SPY 60.0%, TLT 40.0%/))).toEqual([
    'March 2, 2026',
    'SPY 60.0%, TLT 40.0%With corrected prices: BIL 100.0%',
    'simulated prices',
    '4',
  ]);
  expect(cells(await row(/February 27/))).toEqual(['February 27, 2026', 'Cash', '', '4']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show earlier ones' })).toBeNull());
});

it('says why a strategy has no decision, and lets go of one that is gone also after a refusal', async () => {
  follows = [
    follow('a', 'Trend'),
    follow('b', 'Broken', { failure: { day: '2026-03-01', code: 'invalid' } }),
    follow('c', 'New', { last_decided_day: null }),
    follow('d', null),
  ];
  let isAway = true;
  const left: unknown[] = [];
  const unfollow = ({ params }: Sent) => {
    left.push(params);
    if (isAway) throw refusal('The log is away.');
    follows = follows.slice(0, 3);
    return null;
  };
  answer(...present(), [unfollowStrategy, unfollow]);
  show(<TomorrowPage />);
  await screen.findByText(/at the closes of March 1, 2026/);
  expect(screen.getAllByText('Its first decision is being made. It appears here by itself.')).toHaveLength(1);
  expect(screen.getByText(/followed since January 5, 2026 was deleted/)).toBeDefined();
  await press('Stop following');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['The log is away.']));
  isAway = false;
  await press('Stop following');
  await waitFor(() => expect(screen.queryByText(/was deleted/)).toBeNull());
  expect(left).toEqual([{ id: 'd' }, { id: 'd' }]);
});

it('asks before it follows or stops, for the strategy itself, with what is to count', async () => {
  follows = [follow('a', 'Trend')];
  const done: unknown[] = [];
  const unfollow = ({ params }: Sent) => {
    done.push(['unfollow', params]);
    follows = [follow('b', 'Other')];
    return null;
  };
  answer(
    ...present(),
    [unfollowStrategy, unfollow],
    [
      followStrategy,
      ({ params, body }) => {
        done.push(['follow', params, body]);
        throw refusal('It is a template.');
      },
    ],
  );
  const { unmount } = show(<TomorrowPage />);
  await press('Following Trend');
  const confirm = () => within(screen.getByRole('alertdialog'));
  await screen.findByRole('alertdialog');
  expect(done).toEqual([]);
  fireEvent.click(confirm().getByRole('button', { name: 'Stop following' }));
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['You no longer follow Trend']));
  expect(done).toEqual([['unfollow', { id: 'a' }]]);
  unmount();
  follows = [follow('b', 'Trend')];
  const { default: FollowButton } = await import('./FollowButton.tsx');
  show(<FollowButton strategy={{ id: 'x', name: 'Mine' }} />);
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Follow Mine' })).toHaveProperty('disabled', false),
  );
  await press('Follow Mine');
  await screen.findByRole('alertdialog');
  fireEvent.click(confirm().getByRole('button', { name: 'Follow' }));
  await screen.findByText('It is a template.');
  expect(done.at(-1)).toEqual(['follow', { id: 'x' }, {}]);
});
