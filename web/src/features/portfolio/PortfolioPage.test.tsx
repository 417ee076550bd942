// @vitest-environment happy-dom
import {
  changePreferences,
  getAsLived,
  getPreferences,
  getTomorrow,
  getTradingBot,
  listDrafts,
  listFavorites,
  listFollows,
  removeFavorite,
  runBacktest,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftOf } from '../../../testing/draft.ts';
import { answer, choose, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import PortfolioPage from './PortfolioPage.tsx';

afterEach(leave);

const LAST_RUN = {
  id: 'r1',
  at: '2026-01-03T00:00:00Z',
  terms: {
    start_date: '2020-01-01',
    end_date: '2025-12-31',
    starting_balance: 10_000,
    slippage_bps: 1,
    benchmark_ticker: 'SPY',
  },
  metrics: { annualized_return: 0.1234, max_drawdown: 0.2, sharpe: 1.5, trailing_1_month: -0.031 },
  first_day: '2020-01-02',
  last_day: '2025-12-31',
  is_simulated: true,
  line: [1, 1.2],
};
const follow = (id: string, name: string | null) => ({
  strategy_id: id,
  name,
  followed_at: '2026-01-01T00:00:00Z',
  last_decided_day: '2026-03-02',
  failure: null,
});

let portfolio: unknown;
let drafts: ReturnType<typeof draftOf>[];
let favorites: string[];
let saved: unknown[];
let fault: string | null;
beforeEach(() => {
  portfolio = {
    members: [
      { strategy_id: 'a', percent: 60 },
      { strategy_id: 'd', percent: 30 },
    ],
    rebalance: 'quarterly',
  };
  drafts = [
    draftOf('d', 'Own draft'),
    draftOf('f', 'Fav', { last_run: LAST_RUN }),
    draftOf('t', 'Temp', { type: 'template' }),
  ];
  favorites = [];
  saved = [];
  fault = null;
});

const present = () => {
  const found = ({ query }: Sent) => {
    const ids = query?.ids as string | undefined;
    const rows = drafts.filter(({ id }) => ids === undefined || ids.split(',').includes(id));
    return { body: rows, headers: new Headers({ 'x-total-count': String(rows.length) }) };
  };
  const keep = ({ body }: Sent) => {
    saved.push(body);
    if (fault !== null) throw refusal(fault);
    return {};
  };
  const lived = { days: ['2026-01-02', '2026-01-05'], lived: [100, 90], is_simulated: false };
  return [
    [listFollows, () => [follow('a', 'Trend'), follow('gone', null)]],
    [getPreferences, () => ({ portfolio })],
    [changePreferences, keep],
    [getAsLived, () => lived],
    [getTomorrow, () => []],
    [listDrafts, found],
    [listFavorites, () => ({ strategy_ids: favorites })],
  ] as const;
};
const weight = (name: string) => screen.findByLabelText<HTMLInputElement>(`Weight of ${name} (%)`);
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save portfolio' });

it('shows the weights that are kept, checks what is typed, and saves it also after a refusal', async () => {
  answer(...present());
  show(<PortfolioPage />);
  expect((await weight('Own draft')).value).toBe('30');
  expect((await weight('Trend')).value).toBe('60');
  const table = within(screen.getByRole('table', { name: 'Strategies and weights' }));
  await waitFor(() => expect(table.getByRole('row', { name: /Trend/ }).textContent).toContain('-10.00%'));
  expect(table.getByRole('row', { name: /Own draft/ }).textContent).toContain('not followed');
  expect(table.getAllByRole('row')).toHaveLength(3);
  await screen.findByText('The weights add up to 90%. What is missing, 10%, is cash.');
  expect(save().disabled).toBe(true);
  fireEvent.change(await weight('Trend'), { target: { value: '80' } });
  await screen.findByText('The weights add up to 110%: take 10% away.');
  expect(save().disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make it a strategy' }).disabled).toBe(true);
  fireEvent.change(await weight('Trend'), { target: { value: '70%' } });
  await screen.findByText('The weights add up to 100%.');
  fault = 'The log is away.';
  await press('Save portfolio');
  await screen.findByText('The log is away.');
  expect((await weight('Trend')).value).toBe('70%');
  fault = null;
  await press('Save portfolio');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['Your portfolio is saved']));
  const body = {
    portfolio: {
      members: [
        { strategy_id: 'a', percent: 70 },
        { strategy_id: 'd', percent: 30 },
      ],
      rebalance: 'quarterly',
    },
  };
  expect(saved).toEqual([body, body]);
  expect(screen.queryByText('The log is away.')).toBeNull();
  expect((await weight('Trend')).value).toBe('70');
  expect(save().disabled).toBe(true);
});

it('takes a draft out for good, and gives each that stays the same weight', async () => {
  answer(...present());
  show(<PortfolioPage />);
  await weight('Own draft');
  await press('Same weight for each');
  expect([(await weight('Trend')).value, (await weight('Own draft')).value]).toEqual(['50', '50']);
  expect(screen.queryByRole('button', { name: 'Take out Trend' })).toBeNull();
  await press('Take out Own draft');
  await waitFor(() => expect(screen.queryByLabelText('Weight of Own draft (%)')).toBeNull());
  await screen.findByText('The weights add up to 50%. What is missing, 50%, is cash.');
  await press('Save portfolio');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved).toEqual([
    { portfolio: { members: [{ strategy_id: 'a', percent: 50 }], rebalance: 'quarterly' } },
  ]);
});

it('keeps a draft that is taken out and in again, and how money is moved, as changes until they are saved', async () => {
  const [lived, ran]: [unknown[], unknown[]] = [[], []];
  const record = ({ params }: Sent) => {
    lived.push(params?.id);
    return { days: ['2026-01-02', '2026-01-05'], lived: [100, 90], is_simulated: false };
  };
  const history = { timestamps: [1_767_312_000, 1_767_571_200], value: [100, 120], tickers: {} };
  const run = ({ body }: Sent) => {
    ran.push((body as { readonly trading_bot: unknown }).trading_bot);
    return { history };
  };
  answer(
    ...present(),
    [getAsLived, record],
    [getTradingBot, ({ params }) => ({ type: 'bot', algorithm: params?.id })],
    [runBacktest, run],
  );
  show(<PortfolioPage />);
  await weight('Own draft');
  await waitFor(() => expect(lived).toEqual(['a']));
  expect(save().disabled).toBe(true);
  await press('Take out Own draft');
  await waitFor(() => expect(screen.queryByLabelText('Weight of Own draft (%)')).toBeNull());
  expect(save().disabled).toBe(false);
  const box = screen.getByRole('combobox', { name: 'Add a draft' });
  fireEvent.focus(box);
  fireEvent.input(box, { target: { value: 'Own' }, inputType: 'insertText' });
  fireEvent.click(await screen.findByRole('option', { name: 'Own draft' }));
  expect((await weight('Own draft')).value).toBe('30');
  // Only backtests tell of a draft: all that are held are run.
  await waitFor(() => expect(ran.toSorted()).toEqual(['a', 'd']));
  expect(lived).toEqual(['a']);
  await choose('Money is moved between them', 'Never');
  await press('Save portfolio');
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(saved).toMatchObject([{ portfolio: { rebalance: 'never' } }]);
});

it('shows the figures of favorites, runs each on its last terms, and goes on after one that fails', async () => {
  portfolio = null;
  favorites = ['f', 'd', 't'];
  const ran: unknown[] = [];
  const run = ({ body }: Sent) => {
    const { strategy_id: id, start_date: from } = body as Record<string, string>;
    ran.push([id, from]);
    if (id === 'd') throw refusal('No data.');
    return {};
  };
  const removed: unknown[] = [];
  const remove = ({ params }: Sent) => {
    removed.push(params);
    return null;
  };
  answer(
    ...present(),
    [getTradingBot, ({ params }) => ({ algorithm: { id: params?.id } })],
    [runBacktest, run],
    [removeFavorite, remove],
  );
  show(<PortfolioPage />);
  const card = async (name: string) =>
    (await screen.findByRole('link', { name })).closest('li') as HTMLElement;
  const figures = within(await card('Fav'));
  await waitFor(() => expect(figures.getByText('+12.34%')).toBeDefined());
  expect(figures.getByText('-3.10%')).toBeDefined();
  expect(figures.getByText('1.50')).toBeDefined();
  expect(figures.getByText('20.00%')).toBeDefined();
  expect(figures.getByText(/^Run .*, simulated prices$/)).toBeDefined();
  expect((await card('Own draft')).textContent).toContain('Never run');
  expect(
    within(await card('Temp'))
      .getByRole('link', { name: 'New batch' })
      .getAttribute('href'),
  ).toBe('/batch-backtests/new?template_id=t');
  await press('Run all again');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['Own draft could not be run']));
  await waitFor(() =>
    expect(ran).toEqual([
      ['d', '1990-01-01'],
      ['f', '2020-01-01'],
    ]),
  );
  drafts = [
    draftOf('d', 'Own draft'),
    draftOf('f', 'Fav', { last_run: LAST_RUN, updated_at: '2026-02-01T00:00:00Z' }),
  ];
  const runAll = screen.getByRole<HTMLButtonElement>('button', { name: 'Run all again' });
  await waitFor(() => expect(runAll.disabled).toBe(false));
  await press('Run Fav');
  await waitFor(async () => expect((await card('Fav')).textContent).toContain('changed since'));
  expect(ran).toHaveLength(3);
  await press('Remove Fav from favorites');
  await waitFor(() => expect(removed).toEqual([{ id: 'f' }]));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Fav' })).toBeNull());
});
