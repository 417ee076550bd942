// @vitest-environment happy-dom
import { computeBands, recomputeRows } from '@quantloom/domain/contracts/http/calls';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchOf } from '../../../../testing/batch.ts';
import { chart } from '../../../../testing/charts.tsx';
import { answer, figuresOf, leave, press, refusal, type Sent, show } from '../../../../testing/page.tsx';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { PickedRows } from './PickedRows.tsx';

const curve = { timestamps: [1_262_563_200, 1_262_649_600], value: [10_000, 10_100] };
const picked = (combination: number, over = {}) => ({
  combination,
  values: { $A: 'SPY', $N: combination },
  ...curve,
  error: null,
  equals_stored: true,
  ...over,
});
const band = (low: number, high: number) => ({ low, middle: (low + high) / 2, high });
const banded = (combination: number, over = {}) => ({
  combination,
  values: { $A: 'SPY', $N: combination },
  error: null,
  figures: {
    sharpe: 0.71,
    annualized_return: -0.012,
    max_drawdown: 0.333,
    expected_shortfall_95: 0.021,
    exposure: 0.87,
  },
  bands: {
    sharpe: band(0.11, 1.31),
    annualized_return: band(-0.05, 0.09),
    max_drawdown: band(0.2, 0.5),
    shuffled_drawdown: band(0.15, 0.45),
  },
  loss_share: 0.25,
  best_share: 0.75,
  years: [{ year: 2011, return: 0.07, sharpe: 1 }],
  ...over,
});

let asked: [what: string, id: string | undefined, body: unknown][];
let rows: unknown[];
let failure: Error | null;
beforeEach(() => {
  [asked, failure] = [[], null];
  rows = [picked(1), picked(4, { equals_stored: false })];
  const take = (what: string, answered: () => unknown) => (sent: Sent) => {
    asked.push([what, sent.params?.id, sent.body]);
    if (failure) throw failure;
    return answered();
  };
  const bands = () => ({
    days: 2_500,
    from: '2010-01-05',
    to: '2019-12-31',
    draws: 1_000,
    block_length: 20,
    rows: [
      banded(1),
      banded(4, { years: [{ year: 2010, return: -0.02, sharpe: 1 }] }),
      banded(3, { error: 'It has no prices.', figures: null, bands: null, years: [] }),
    ],
  });
  answer(
    [
      recomputeRows,
      take('rows', () => ({
        rows,
        benchmark: { ...curve, value: [10_000, 9_900] },
        correlation: [
          [1, 0.456],
          [0.456, 1],
        ],
        group: { name: 'Both rows' },
      })),
    ],
    [computeBands, take('bands', bands)],
  );
});
afterEach(() => {
  leave();
  localStorage.clear();
});

const onClose = vi.fn();
// Its window is fetched when it opens.
const dialog = () =>
  act(async () => show(<PickedRows batch={batchOf()} combinations={[1, 4]} onClose={onClose} />));

it('runs the picked rows again, says how they go together, and which differ from what is stored', async () => {
  failure = refusal('Ten are running already.');
  await dialog();
  await screen.findByText('Ten are running already.');
  failure = null;
  await press('Try again');
  expect(await figuresOf('Correlation of daily returns')).toEqual([
    ['Row', '1', '2'],
    ['1. SPY / 1', '1.00', '0.46'],
    ['2. SPY / 4', '0.46', '1.00'],
  ]);
  expect(asked).toEqual(Array(2).fill(['rows', 'b1', { combinations: [1, 4] }]));
  expect(screen.getByText(/^1 row no longer gives the stored figures/)).toBeDefined();
  await press('Copy all as one group');
  expect(JSON.parse(localStorage.getItem(COPIED_NODE_KEY) ?? '')).toEqual({ name: 'Both rows' });
  await screen.findByRole('button', { name: 'Copied' });
  await press('Close');
  expect(onClose).toHaveBeenCalledOnce();
});

it('draws the curves of the rows and of the benchmark, each day and value', async () => {
  rows = [picked(1), picked(4, { timestamps: [], value: [], error: 'ZZZ has no prices.' }), picked(9)];
  leave();
  const dated = batchOf();
  await act(async () =>
    show(
      <PickedRows
        batch={{ ...dated, backtest_config: { ...dated.backtest_config, out_of_sample_date: '2010-01-05' } }}
        combinations={[1, 4, 9]}
        onClose={onClose}
      />,
    ),
  );
  await screen.findByText('SPY / 4: ZZZ has no prices.');
  const { data, layout } = chart('Equity curves of 3 picked rows');
  const days = ['2010-01-04', '2010-01-05'];
  expect(data.map(({ name, x, y, line }) => [name, x, y, (line as { color: string }).color])).toEqual([
    ['SPY / 1', days, [10_000, 10_100], 'first'],
    ['SPY / 9', days, [10_000, 10_100], 'third'],
    [dated.backtest_config.benchmark_ticker, days, [10_000, 9_900], 'second'],
  ]);
  expect(layout.yaxis?.type).toBe('log');
  expect(layout.shapes?.map(({ x0, x1 }) => [x0, x1])).toEqual([['2010-01-05', '2010-01-05']]);
});

it('says of a row that cannot be run again why', async () => {
  rows = [
    picked(1),
    picked(4, { timestamps: [], value: [], error: 'ZZZ has no prices.', equals_stored: null }),
  ];
  await dialog();
  await screen.findByText('SPY / 4: ZZZ has no prices.');
  expect(screen.queryByText(/no longer gives/)).toBeNull();
});

it('says between which values figures would have been, once that is asked for', async () => {
  await dialog();
  await screen.findByRole('button', { name: 'Compute bands' });
  expect(asked).toHaveLength(1);
  failure = refusal('The day’s budget is used up.');
  await press('Compute bands');
  await screen.findByText('The day’s budget is used up.');
  failure = null;
  await press('Try again');
  const [, first, ...others] = await figuresOf('Nine of ten draws lie between');
  expect(first).toEqual([
    'SPY / 1',
    '0.71 (0.11 to 1.31)',
    '-1.20% (-5.00% to +9.00%)',
    '33.30% (20.00% to 50.00%)',
    '15.00% to 45.00%',
    '25.00%',
    '75.00%',
    '2.10%',
    '87.00%',
  ]);
  expect(others).toHaveLength(1);
  expect(await figuresOf('Return by year')).toEqual([
    ['Row', '2010', '2011'],
    ['SPY / 1', '--', '+7.00%'],
    ['SPY / 4', '-2.00%', '--'],
  ]);
  expect(screen.getByText('SPY / 3: It has no prices.')).toBeDefined();
  expect(screen.getByText(/^1,000 draws from 2,500 days/).textContent).toContain(
    '(January 5, 2010 – December 31, 2019), in runs of 20 days',
  );
  await waitFor(() => expect(asked.at(-1)).toEqual(['bands', 'b1', { combinations: [1, 4] }]));
});
