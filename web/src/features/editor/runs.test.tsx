// @vitest-environment happy-dom
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import {
  createTradingBot,
  getTradingBot,
  listDrafts,
  listFollows,
  listTickers,
  runBacktest,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { botOf } from '../../../testing/bot.ts';
import { draftOf } from '../../../testing/draft.ts';
import { answer, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import EditorPage from './EditorPage.tsx';

type Asked = BacktestRequest & { readonly strategy_id?: string };
let asked: Asked[];
let answered: () => unknown;

const RESULT = {
  metrics: { cumulative_return: 0.5, annualized_return: 0.1, max_drawdown: 0.2, sharpe: 1 },
  calculated_dates: {
    first_day: '2012-01-03',
    last_day: '2020-06-30',
    first_day_decided_by: [],
    last_day_decided_by: [],
  },
  provenance: { data_version: 'v1', engine_version: '7', is_simulated: false },
};
const LAST_RUN = {
  id: 'r7',
  at: '2026-03-02T20:00:00Z',
  terms: {
    start_date: '2012-01-01',
    end_date: '2020-06-30',
    starting_balance: 10_000,
    slippage_bps: 25,
    benchmark_ticker: 'SPY',
    fill: 'next-close',
  },
  metrics: {},
  first_day: '2012-01-03',
  last_day: '2020-06-30',
  is_simulated: false,
};

beforeEach(() => {
  asked = [];
  answered = () => Response.json(RESULT);
});
afterEach(() => {
  leave();
  localStorage.clear();
  // What a run is made with is written past the router.
  window.history.replaceState(null, '', '/');
});

async function open(at: string, lastRun: object | null = null) {
  answer(
    [listTickers, () => ({ data: [] })],
    [
      listDrafts,
      () => ({ body: [draftOf('b1', 'Core holding', { last_run: lastRun })], headers: new Headers() }),
    ],
    [listFollows, () => []],
    [getTradingBot, () => botOf()],
    [createTradingBot, ({ body }: Sent) => botOf({ ...(body as object), id: 'b9', revision: 1 })],
    [
      runBacktest,
      ({ body }) => {
        asked.push(body as Asked);
        return answered();
      },
    ],
  );
  await act(async () =>
    show(
      <Routes>
        <Route path="/editor/:id/*" element={<EditorPage />} />
      </Routes>,
      { at },
    ),
  );
  await screen.findByLabelText('Strategy name');
}
const termsOf = (request: Asked | undefined) => {
  const { start_date, end_date, slippage_bps, fill = 'close', strategy_id = null } = request ?? ({} as Asked);
  return { start_date, end_date, slippage_bps, fill, strategy_id };
};

it('opens with the result of its last run, on the terms of that, which counts as no trial', async () => {
  await open('/editor/b1', LAST_RUN);
  await waitFor(() => expect(asked).toHaveLength(1));
  const terms = { start_date: '2012-01-01', end_date: '2020-06-30', slippage_bps: 25, fill: 'next-close' };
  expect(termsOf(asked[0])).toEqual({ ...terms, strategy_id: null });
  await press(/^Run Backtest/i);
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(termsOf(asked[1])).toEqual({ ...terms, strategy_id: 'b1' });
});

it('runs what the address says, whatever was run last', async () => {
  await open('/editor/b1?from=2015-01-01&to=2019-12-31&slippage=1', LAST_RUN);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(termsOf(asked[0])).toEqual({
    start_date: '2015-01-01',
    end_date: '2019-12-31',
    slippage_bps: 1,
    fill: 'close',
    strategy_id: null,
  });
});

it('says which part of an address it cannot read, until that was seen', async () => {
  await open('/editor/b1?from=yesterday&slippage=5000');
  const notice = await screen.findByText(/What the address says here could not be read/);
  expect(notice.parentElement?.textContent).toMatch(/from=yesterday: .*slippage=5000: /);
  await press('Dismiss');
  expect(screen.queryByText(/What the address says here could not be read/)).toBeNull();
  expect(asked).toEqual([]);
});

it('runs a starter once as it opens, as a trial of it', async () => {
  await open('/editor/b1?run=1', LAST_RUN);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]).toMatchObject({ strategy_id: 'b1', start_date: '1990-01-01' });
});

it('records what was run before the first save as a run of the strategy that it made', async () => {
  await open('/editor/new');
  fireEvent.change(screen.getByLabelText('Strategy name'), { target: { value: 'Brand new' } });
  await press(/^Run Backtest/i);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(termsOf(asked[0]).strategy_id).toBeNull();
  await press('Save changes');
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual({ ...asked[0], include: {}, strategy_id: 'b9' });
});

it('says why a run failed, and runs it again', async () => {
  answered = () => {
    throw refusal('All workers are busy.', 'busy', 503);
  };
  await open('/editor/b1');
  await press(/^Run Backtest/i);
  await screen.findByText('All workers are busy.');
  answered = () => Response.json(RESULT);
  await press('Try again');
  await waitFor(() => expect(screen.queryByText('All workers are busy.')).toBeNull());
  expect(asked.map(termsOf)[0]).toEqual(asked.map(termsOf)[1]);
});

it('says that a result is of what was there before an edit, which a new name is not, and runs it again', async () => {
  await open('/editor/b1');
  await press(/^Run Backtest/i);
  await screen.findByRole('button', { name: 'Fold chart to a strip' });
  fireEvent.change(screen.getByLabelText('Strategy name'), { target: { value: 'Renamed' } });
  expect(screen.queryByText('Changed since this run')).toBeNull();
  const line = screen.getAllByRole('treeitem').find(({ textContent }) => textContent?.includes('TLT'));
  await act(async () => line?.focus());
  await act(async () => void fireEvent.keyDown(line as HTMLElement, { key: 'd', ctrlKey: true }));
  expect(screen.getByText('Changed since this run')).toBeDefined();
  await press('Run again');
  await waitFor(() => expect(screen.queryByText('Changed since this run')).toBeNull());
  const blocks = asked.map(({ trading_bot: bot }) => JSON.stringify(bot).split('"ticker":"TLT"').length - 1);
  expect(blocks).toEqual([1, 2]);
});
