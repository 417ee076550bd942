// @vitest-environment happy-dom
import { getAsLived } from '@quantloom/domain/contracts/http/calls';
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { chart } from '../../../testing/charts.tsx';
import { answer, figuresOf, leave, show } from '../../../testing/page.tsx';
import { AsLived } from './AsLived.tsx';
import { BandNotes } from './BandNotes.tsx';
import type { TomorrowRow } from './follows.ts';
import { PaperNights } from './PaperNights.tsx';
import { PaperRecord } from './PaperRecord.tsx';
import { PaperHoldings, PaperTonight } from './PaperTonight.tsx';
import type { PaperAccount } from './paper.ts';
import { SentAlerts } from './SentAlerts.tsx';
import { TotalsPanel } from './TotalsPanel.tsx';

afterEach(leave);

const order = (ticker: string, from: number, to: number, close: number | null) => ({
  ticker,
  side: to > from ? 'buy' : to < from ? 'sell' : 'hold',
  from_percent: from,
  to_percent: to,
  close,
  money: close === null ? null : (10_000 * to) / 100,
  shares: close === null ? null : Math.floor((10_000 * to) / 100 / close),
});

it('says what all strategies trade together, in shares whichever way, and what has no close', async () => {
  const orders = [
    order('SPY', 100, 40, 300),
    order('TLT', 0, 30, 100),
    order('GLD', 10, 10, null),
    order('NEW', 0, 20, null),
  ];
  const rows = [
    { strategy_id: 'a', name: 'A', day: '2026-11-20', is_late: false, is_simulated: false, orders },
    { strategy_id: 'b', name: 'Old one', day: '2026-11-19', is_late: false, is_simulated: false, orders: [] },
  ] as unknown as readonly TomorrowRow[];
  show(<TotalsPanel rows={rows} amount={10_000} />);
  const table = await figuresOf('Holdings of all strategies');
  const line = (ticker: string) => table.find(([first]) => first === ticker)?.slice(2);
  expect(line('SPY')).toEqual(['100.0%', '40.0%', '$4,000.00', '13', '20']);
  expect(line('TLT')).toEqual(['0.0%', '30.0%', '$3,000.00', '30', '30']);
  expect(screen.getByText(/^Not in the basket/).textContent).toContain('no close is known: NEW.');
  expect(screen.getByText(/^Not included/).textContent).toContain('of an earlier day: Old one.');
});

const RECORD = {
  days: ['2026-01-02', '2026-01-05', '2026-01-06'],
  lived: [1, 1.01, 1.02],
  backtest: [1, 1.02, 1.05],
  benchmark: [1, 1, 0.99],
  benchmark_ticker: 'SPY',
  gap: -0.03,
  reasons: [],
  marks: [],
  bands: [],
  no_band: null,
  missing_closes: [],
  registered: null,
  slippage_bps: 10,
  is_simulated: false,
};

it('sets what was lived beside its backtest, with the gap in either direction where there is one', async () => {
  const words = async (over: object) => {
    answer([getAsLived, () => ({ ...RECORD, ...over })]);
    show(<AsLived id="a" name="Trend" />);
    const found = (await screen.findByText(/^Since January 2, 2026/)).textContent;
    const whole = document.body.textContent;
    leave();
    return [found, whole?.includes('on simulated prices')];
  };
  const both = 'Since January 2, 2026, 2 days: as lived +2.00%, backtest +5.00%, SPY -1.00%.';
  expect(await words({})).toEqual([`${both} The gap to the backtest is -3.00%.`, false]);
  expect(await words({ gap: 0.03, is_simulated: true })).toEqual([
    `${both} The gap to the backtest is +3.00%.`,
    true,
  ]);
  expect(await words({ gap: -0.00001 })).toEqual([both, false]);
});

it('draws what was lived over its backtest and the benchmark, in percent, with a mark where days differ', async () => {
  const marks = [{ day: '2026-01-05', kind: 'late' }];
  answer([getAsLived, () => ({ ...RECORD, benchmark_ticker: 'QQQ', benchmark: [1, 1.5, 0.5], marks })]);
  show(<AsLived id="a" name="Trend" />);
  await screen.findByText(/^Since/);
  const { data, layout } = chart('Trend as lived since January 2, 2026: +2.00%, in its backtest +5.00%');
  const rounded = (values: unknown) => (values as number[]).map(Math.round);
  expect(data.map(({ name, x, y }) => [name, x, rounded(y)])).toEqual([
    ['QQQ', RECORD.days, [0, 50, -50]],
    ['Backtest', RECORD.days, [0, 2, 5]],
    ['As lived', RECORD.days, [0, 1, 2]],
    ['too late, not traded', ['2026-01-05'], [1]],
  ]);
  expect(data.slice(0, 3).map(({ line }) => (line as { color: string }).color)).toEqual([
    'second',
    'third',
    'first',
  ]);
  expect([layout.yaxis?.ticksuffix, layout.showlegend]).toEqual(['%', true]);
});

it('draws a paper account in dollars beside the same money as lived, from the second day on', () => {
  const record = (count: number) => ({
    days: RECORD.days.slice(0, count),
    account: [10_000, 10_100, 9_900].slice(0, count),
    as_lived: [10_000, 10_200, 10_050].slice(0, count),
    gap: -150,
    reasons: ['An order was refused.'],
  });
  const page = show(<PaperRecord record={record(3)} />);
  const words = 'Value of the paper account since January 2, 2026: $9,900.00, as lived $10,050.00';
  const { data, layout } = chart(words);
  expect(data.map(({ name, x, y, line }) => [name, x, y, line])).toMatchObject([
    ['As lived', RECORD.days, [10_000, 10_200, 10_050], { color: 'third', dash: 'dot' }],
    ['Account', RECORD.days, [10_000, 10_100, 9_900], { color: 'first', dash: 'solid' }],
  ]);
  expect([layout.yaxis?.tickprefix, layout.showlegend]).toEqual(['$', true]);
  expect(page.container.textContent).toContain('The difference is -$150.00.');
  leave();
  show(<PaperRecord record={record(1)} />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('The curve begins with the second day that is decided.')).toBeDefined();
});

it('says when a band was left, by how much, and whether it is inside again', () => {
  const band = (upper: number) => ({
    number: 1,
    day: '2026-01-02',
    revision: 4,
    sample_days: 500,
    sample_from: '2024-01-02',
    block_length: 20,
    days: ['2026-01-02', '2026-01-05'],
    lower: [1, 0.9],
    upper: [1, upper],
    left: { day: '2026-01-05', side: 'below', value: 0.85, edge: 0.9 },
  });
  const words = (upper: number) => {
    const record = {
      bands: [band(upper)],
      no_band: null,
      days: ['2026-01-02', '2026-01-05'],
      lived: [1, 1.05],
    };
    show(<BandNotes record={record as never} />);
    const found = screen.getByRole('note').textContent;
    leave();
    return found;
  };
  expect(words(1.1)).toBe(
    'It left its band on January 5, 2026: -15.00% since January 2, 2026, below the lower edge of -10.00%. ' +
      'It is inside again.',
  );
  expect(words(1.04)).not.toContain('inside again');
});

it('says what became of each approved order, and of which day its decision was', async () => {
  const of = (id: string, over: object) => ({
    id,
    side: 'buy',
    ticker: id,
    quantity: 10,
    traded: 0,
    price: null,
    status: 'ended',
    reason: null,
    ...over,
  });
  const nights = [
    {
      day: '2026-01-05',
      approved_at: '2026-01-05T22:00:00Z',
      decisions: [
        { strategy_id: 'a', revision: 3, day: '2026-01-05' },
        { strategy_id: 'gone', revision: 1, day: '2026-01-02' },
      ],
      orders: [
        of('A', { traded: 10, price: 12.5 }),
        of('B', { traded: 2.5, price: 1 }),
        of('C', {}),
        of('D', { status: 'refused', reason: 'No money is left.' }),
        of('E', { status: 'taken', side: 'sell' }),
      ],
    },
  ];
  show(<PaperNights account={{ nights, strategies: [{ id: 'a', name: 'Trend' }] } as never} />);
  const rows = (await figuresOf('Orders after January 5, 2026')).slice(1);
  expect(rows.map(([side, ticker, shares, price]) => [side, ticker, shares, price])).toEqual([
    ['Buy', 'A', '10', '$12.50'],
    ['Buy', 'B', '10', '$1.00'],
    ['Buy', 'C', '10', '--'],
    ['Buy', 'D', '10', '--'],
    ['Sell', 'E', '10', '--'],
  ]);
  expect(rows.map((row) => row[4])).toEqual([
    'Filled at $12.50',
    'Filled: 2.5 of 10 at $1.00',
    'Not traded',
    'RefusedNo money is left.',
    'Waits for the close',
  ]);
  expect(screen.getByText(/^Approved January 5, 2026/).textContent).toContain(
    'From Trend, revision 3; a strategy that is gone, revision 1, of January 2, 2026.',
  );
});

it('says what is to be bought and sold, what is left out of it and why, and where it will be filled', async () => {
  const tonight = {
    day: '2026-01-05',
    orders: [
      { ticker: 'SPY', side: 'buy', quantity: 2, close: 400 },
      { ticker: 'TLT', side: 'sell', quantity: 1.5, close: 90 },
    ],
    unpriced: ['GLD'],
    undecided: ['a'],
    unfollowed: ['b'],
    can_approve: false,
    why_not: 'Approved already.',
  };
  const words = (broker: PaperAccount['broker'], over: object = {}) => {
    leave();
    show(<PaperTonight tonight={{ ...tonight, ...over } as never} broker={broker} />);
    return document.body.textContent;
  };
  const all = words('own');
  expect((await figuresOf('Orders')).slice(1)).toEqual([
    ['Buy', 'SPY', '2', '$400.00', '$800.00'],
    ['Sell', 'TLT', '1.5', '$90.00', '$135.00'],
  ]);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Approved already.');
  for (const left of [
    'no close on that day: GLD.',
    '1 strategy has no decision',
    'You do not follow 1 strategy of',
  ])
    expect(all).toContain(left);
  expect(all).toContain('filled at the first close after you approve them');
  expect(words('alpaca')).toContain('sent to your paper account at Alpaca');
  const none = words('own', { unpriced: [], undecided: [], unfollowed: [] });
  for (const left of ['no close', 'no decision', 'do not follow']) expect(none).not.toContain(left);
});

it('shows all shares that are held, also fractions, with their worth', async () => {
  const position = (ticker: string, quantity: number, close: number | null) => ({
    ticker,
    quantity,
    close,
    wanted_percent: null,
  });
  const tonight = {
    day: '2026-01-05',
    equity: 1_000.5,
    cash: 10,
    positions: [position('SPY', 0.25, 400), position('TLT', 0, 90), position('GLD', 3, null)],
  };
  show(<PaperHoldings tonight={tonight as never} />);
  expect((await figuresOf('Positions')).slice(1)).toEqual([
    ['SPY', '0.25', '$400.00', '$100.00', '0.0%'],
    ['GLD', '3', '--', '--', '0.0%'],
  ]);
  expect(screen.getByText(/^Worth/, { selector: 'p' }).textContent).toContain(
    '$1,000.50 at the closes of January 5, 2026',
  );
});

it('lists what was sent, by which way, and how often it was tried', () => {
  const sent = (id: string, over: object) => ({
    id,
    at: '2026-01-05T22:00:00Z',
    channel: 'mail',
    day: '2026-01-05',
    kinds: ['holdings', 'near'],
    state: 'delivered',
    attempts: 1,
    reason: null,
    ...over,
  });
  show(
    <SentAlerts
      sent={
        [
          sent('1', {}),
          sent('2', { channel: 'webhook', state: 'given_up', attempts: 2, reason: 'HTTP 500' }),
        ] as never
      }
    />,
  );
  const [, first, second] = screen
    .getAllByRole('row')
    .map((line) => [...line.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent));
  expect(first).toEqual(['Mail', '2026-01-05: holdings, close to flipping', 'Delivered']);
  expect(second).toEqual([
    'Webhook',
    '2026-01-05: holdings, close to flipping',
    'Given up HTTP 500 (2 attempts)',
  ]);
});
