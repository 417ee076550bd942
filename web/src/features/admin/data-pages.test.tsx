// @vitest-environment happy-dom
import {
  beginMarketDataImport,
  getAdminDashboard,
  getAdminMarketData,
  getAdminTicker,
  getDataSet,
  getMarketDataImport,
  listBacktestErrors,
  listParkedEvents,
  putMarketDataPiece,
  runMarketDataImport,
  useMarketDataVersion,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { chart } from '../../../testing/charts.tsx';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import DashboardPage from './DashboardPage.tsx';
import MarketDataPage from './MarketDataPage.tsx';
import { ImportPanel } from './market-data/ImportPanel.tsx';
import TickerPage from './TickerPage.tsx';

afterEach(leave);

const cells = (line: HTMLElement) =>
  within(line)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
/** A figure with its name and its note; a table below may have a column of the same name. */
const stat = async (label: string) => (await screen.findAllByText(label))[0]?.parentElement?.textContent;

const VERSION = {
  version: 'v2',
  label: 'Import of March',
  created_at: '2026-03-03T12:00:00Z',
  is_simulated: false,
  is_current: true,
  last_day: '2026-03-02',
  asset_count: 1234,
  sessions_behind: 1,
};

it('tells an operator what waits, what is away and what is behind', async () => {
  const asked: unknown[] = [];
  const dashboard = {
    batches: { queued: 2, running: 1, queue_wait_seconds: 75 },
    outages: [{ name: 'results store', since: '2026-03-01T12:00:00Z', reason: 'It refuses connections' }],
    dead_letters: 3,
    nodes: [{ node: 'n1', rate: 1200, partitions: 4, at: '2026-03-01T12:00:00Z' }],
    followers: [
      { kind: 'projection', name: 'drafts', lag: 7 },
      { kind: 'consumer', name: 'mail', lag: null },
      { kind: 'projection', name: 'users', lag: 40 },
    ],
    errors_by_hour: [2, 5, 1],
    users_by_plan: { free: 30, api: 10 },
  };
  let isAway = false;
  answer(
    [
      getAdminDashboard,
      () => {
        if (isAway) throw refusal('Not now.');
        return dashboard;
      },
    ],
    [
      listBacktestErrors,
      ({ query }) => {
        asked.push(query);
        return Array.from({ length: 1000 }, () => ({}));
      },
    ],
    [listParkedEvents, () => [{}, {}]],
    [getDataSet, () => ({ data: VERSION })],
  );
  show(<DashboardPage />);
  await screen.findByText('Results store away since', { exact: false });
  expect(screen.getByText(/3 batches wait\. It refuses connections\./)).toBeDefined();
  expect(screen.getByText(/3 dead letters/)).toBeDefined();
  expect(await stat('Batches running')).toBe('Batches running12 batches queued');
  expect(await stat('Queue wait')).toContain('1m 15s');
  expect(await stat('Largest lag')).toContain('Largest lag40');
  expect(await stat('Open backtest errors')).toBe('Open backtest errors1,000+1 in the last hour');
  expect(await stat('Parked events')).toContain('Parked events2Not well');
  expect(await stat('Users')).toContain('Users40');
  expect(await stat('Data up to')).toBe('Data up toMarch 2, 20261 session behind');
  expect(asked).toEqual([{ outcome: 'open', limit: 1000 }]);
  const bars = screen.getByRole('img', { name: '8 errors in the last 24 hours, at most 5 in an hour' });
  const [before, last] = Array.from(bars.children, (bar) => bar.getAttribute('title')).slice(-2);
  expect([bars.children.length, before, last]).toEqual([24, '5 errors', '1 error']);
  expect(cells(screen.getByRole('row', { name: /n1/ })).slice(1, 3)).toEqual(['4', '1,200']);
  expect(cells(screen.getByRole('row', { name: /mail/ }))[2]).toBe('--');
  isAway = true;
  const { queryClient } = await import('../../lib/api.ts');
  await queryClient.refetchQueries({ queryKey: ['admin', 'dashboard'] });
  await screen.findByText('Live figures are missing: Not now.');
  expect(await stat('Largest lag')).toContain('40');
});

it('shows another version of the prices, with the defects of that version and the way to each', async () => {
  const asked: unknown[] = [];
  const flag = (kind: string) => ({ kind, from: '2020-01-02', message: `It has ${kind}` });
  const data = ({ query }: Sent) => {
    asked.push(query);
    return {
      data: {
        current: VERSION,
        versions: [VERSION, { ...VERSION, version: 'v1', is_current: false, label: 'Old', asset_count: 9 }],
        report: { rows: 5000, seconds: 90 },
        rejected: [
          { file: 'a.csv', line: 7, reason: 'no price', ticker: 'SPY', date: '2020-01-02', price: 'x' },
        ],
        condition_series: [
          {
            name: '@VIX',
            title: 'Fear',
            source: 'FRED',
            first_day: '1990-01-02',
            last_day: '2026-03-02',
            has_vintages: false,
            lag_days: 2,
          },
        ],
        assets_with_defects: [
          { ticker: 'AAA', name: 'Aaa', flags: ['gaps', 'jumps', 'zeros', 'stale'].map(flag) },
          { ticker: 'BBB', name: 'Bbb', flags: [flag('holes')] },
        ],
      },
    };
  };
  answer([getAdminMarketData, data]);
  show(<MarketDataPage />);
  await screen.findByText('and 1 more');
  expect(await stat('Assets')).toBe('Assets1,234');
  expect(await stat('Rows read')).toBe('Rows read5,0001m 30s');
  expect(screen.getByText(/known 2 days later/)).toBeDefined();
  expect(cells(screen.getByRole('row', { name: /a\.csv/ }))).toEqual([
    'a.csv',
    '7',
    'no price',
    'SPY',
    '2020-01-02',
    'x',
  ]);
  const link = () => screen.getByRole('link', { name: /AAA/ }).getAttribute('href');
  expect(link()).toBe('/admin/market-data/AAA');
  expect(screen.queryByText(/All prices are simulated/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'v1' }));
  await waitFor(() => expect(asked).toEqual([{}, { version: 'v1' }]));
  expect(link()).toBe('/admin/market-data/AAA?version=v1');
  const old = screen.getByRole('row', { name: /Old/ });
  expect(within(old).queryByText('current')).toBeNull();
  expect(within(screen.getByRole('row', { name: /Import of March/ })).getByText('current')).toBeDefined();
});

it('says of one ticker what its prices are and what is suspicious, in the version that is chosen', async () => {
  const asked: unknown[] = [];
  const prices = { days: ['2020-01-02', '2020-01-03'], closes: [1, 2] };
  const day = (from: string) => ({ from, to: from, message: `A jump on ${from}`, prices });
  const version = (name: string, change: object | null) => ({
    ...VERSION,
    version: name,
    source: 'Files',
    basis: 'splits',
    change,
  });
  const ticker = ({ params, query }: Sent) => {
    asked.push([params, query]);
    return {
      data: {
        ticker: 'SPY',
        name: 'S&P 500',
        version: 'v2',
        first_day: '1993-01-29',
        last_day: '2026-03-02',
        days: 8321,
        source: 'Tiingo',
        basis: 'splits_and_dividends',
        further_bases: ['none'],
        is_simulated: true,
        prices,
        suspicions: [
          { kind: 'big_jump', severity: 'serious', count: 5, days: [day('2020-01-02'), day('2020-01-03')] },
          { kind: 'stale', severity: 'notice', count: 1, days: [day('2021-01-04')] },
        ],
        versions: [
          version('v2', { action: 'appended', added: 21, changed: 3, lost: 1 }),
          version('v1', null),
        ],
      },
    };
  };
  answer([getAdminTicker, ticker]);
  show(
    <Routes>
      <Route path="/:ticker" element={<TickerPage />} />
    </Routes>,
    { at: '/SPY?version=v2' },
  );
  await screen.findByText('6 suspicions');
  expect(await stat('Span')).toBe('SpanJanuary 29, 1993to March 2, 2026, 8,321 prices');
  expect(screen.getByText('also kept: not adjusted')).toBeDefined();
  const { data: drawn, layout } = chart('Closes of SPY from 1993-01-29 to 2026-03-02');
  expect(drawn).toMatchObject([{ name: 'SPY', x: prices.days, y: prices.closes }]);
  expect([layout.xaxis?.type, layout.yaxis?.type]).toEqual(['date', 'log']);
  expect(screen.getByText('These prices are simulated.')).toBeDefined();
  expect(screen.getByText('Big jump (5)')).toBeDefined();
  expect(screen.getByText('Stale')).toBeDefined();
  expect(screen.getByText('prices are probably wrong')).toBeDefined();
  expect(screen.getByText('and 3 more')).toBeDefined();
  expect(screen.getByText('appended: 21 new, 3 changed, 1 lost')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'v1' }));
  await waitFor(() =>
    expect(asked).toEqual([
      [{ ticker: 'SPY' }, { version: 'v2' }],
      [{ ticker: 'SPY' }, { version: 'v1' }],
    ]),
  );
});

it('previews an import, publishes it only when told to, and makes the version before current again', async () => {
  const ran: unknown[] = [];
  const used: unknown[] = [];
  const report = {
    createdAt: '2026-03-03T12:00:00Z',
    tickers: 1,
    rows: 30,
    firstDay: '2026-01-02',
    lastDay: '2026-03-02',
    rejectedRows: 2,
    problems: ['SPY differs; use --replace'] as string[],
    series: [
      {
        ticker: 'SPY',
        action: 'replaced',
        before: 10,
        after: 30,
        added: 20,
        changed: 4,
        lost: 1,
        files: ['a.csv'],
      },
    ],
    files: [],
    notes: ['A remark'],
  };
  const run = ({ params, body }: Sent) => {
    ran.push([params, body]);
    const { publish, replace } = body as { publish?: boolean; replace?: boolean };
    const state = publish ? 'published' : 'previewed';
    return {
      data: { id: 'upload-1', state, report: { ...report, problems: replace ? [] : report.problems } },
    };
  };
  const results = {
    state: 'done',
    batches: { total: 0, items: [] },
    strategies: {
      total: 3,
      items: [
        {
          id: 's1',
          name: 'Trend',
          tickers: ['SPY'],
          ticker_count: 3,
          changed_from: '2026-01-02',
          figure: { before: 0.1, after: 0.2 },
        },
        { id: 's2', name: null, tickers: [], ticker_count: 1, changed_from: '2026-01-02', figure: null },
      ],
    },
  };
  let isAway = true;
  const use = ({ body }: Sent) => {
    used.push(body);
    if (isAway) throw refusal('Not now.');
    return {};
  };
  const pieces: unknown[] = [];
  answer(
    [beginMarketDataImport, () => ({ data: { id: 'upload-1' } })],
    [
      putMarketDataPiece,
      ({ params, body }) => {
        pieces.push([params, body]);
        return {};
      },
    ],
    [runMarketDataImport, run],
    [getMarketDataImport, () => ({ data: { changed_results: results } })],
    [useMarketDataVersion, use],
  );
  const { container } = show(<ImportPanel before="v1" />);
  const input = container.querySelector('input[type=file]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File(['x'], 'a.csv')] } });
  await screen.findByText(/1 ticker, 30 prices, January 2, 2026 to March 2, 2026; 2 rows left out/);
  const importing = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Import' });
  expect(importing().disabled).toBe(true);
  expect(pieces).toEqual([[{ id: 'upload-1' }, { path: 'a.csv', offset: 0, content: btoa('x') }]]);
  const changes = within(screen.getByRole('region', { name: 'What becomes of each ticker' }));
  expect(cells(changes.getByRole('row', { name: /SPY/ })).slice(1)).toEqual([
    'replaced',
    '10',
    '30',
    '20',
    '4',
    '1',
    'a.csv',
  ]);
  fireEvent.click(screen.getByRole('switch', { name: /Replace the stored series/ }));
  const trend = async () => cells(await screen.findByRole('row', { name: /Trend/ }));
  expect(await trend()).toEqual(['Trend', '10.00%', '20.00%', 'SPYand 2 more', 'January 2, 2026']);
  expect(screen.getByText('Private, of another account')).toBeDefined();
  expect(screen.getByText('and 1 more')).toBeDefined();
  expect(used).toEqual([]);
  await press('Import');
  await press('Undo');
  await waitFor(() =>
    expect(
      toasts()
        .map(({ title }) => title)
        .at(-1),
    ).toBe('Not now.'),
  );
  isAway = false;
  await press('Undo');
  await screen.findByText('In between');
  expect((await trend()).slice(1, 3)).toEqual(['20.00%', '10.00%']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(used).toEqual([{ version: 'v1' }, { version: 'v1' }]);
  const choices = { replace: true, keep_different: false };
  expect(ran).toEqual([
    [{ id: 'upload-1' }, { publish: false }],
    [{ id: 'upload-1' }, { publish: false, ...choices }],
    [{ id: 'upload-1' }, { publish: true, ...choices }],
  ]);
});
