// @vitest-environment happy-dom
import type { BacktestAnswer, BacktestHistory, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { runBacktest } from '@quantloom/domain/contracts/http/calls';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { answer, figuresOf, leave, press, refusal, show, toasts } from '../../../../testing/page.tsx';
import { FillLine } from './FillLine.tsx';
import { useFurtherLines, useOtherFill } from './further-lines.ts';
import { useWithGhost } from './ghost.ts';
import { Period } from './Period.tsx';
import { SlippagePopover } from './SlippagePopover.tsx';
import { ZoomBar } from './ZoomBar.tsx';

afterEach(leave);

const METRICS = { cumulative_return: 0.5, annualized_return: 0.1, max_drawdown: 0.2, sharpe: 1 };
const timestamps = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map(
  (day) => Date.parse(day) / 1000,
);
const HISTORY = {
  timestamps,
  value: [100, 110, 99, 121],
  benchmark_value: [100, 100, 100, 110],
  tickers: {},
  indicators: {},
  turnover: [],
} as unknown as BacktestHistory;
const run = (annualized_return: number) =>
  ({
    metrics: { ...METRICS, annualized_return },
    history: HISTORY,
    benchmarks: { QQQ: { metrics: { ...METRICS, annualized_return: 0.15 }, value: [1, 2, 3, 4] } },
  }) as unknown as BacktestAnswer;
const REQUEST = {
  start_date: '2010-01-01',
  end_date: '2024-01-05',
  slippage_bps: 12,
  trading_bot: strategyOfText('SPY'),
} as unknown as BacktestRequest;

function Filled({ request = REQUEST }: { request?: BacktestRequest }) {
  const [isShown, setShown] = useState(false);
  const other = useOtherFill(request, 7, isShown);
  return <FillLine answer={run(0.1)} answered={request} other={other} isShown={isShown} onShow={setShown} />;
}

it('says how a run was filled, and sets the other fill beside it once that is asked for', async () => {
  const asked: unknown[] = [];
  answer([
    runBacktest,
    ({ body }) => {
      asked.push(body);
      if (asked.length === 1) throw refusal('All workers are busy.');
      return Response.json(run(0.08));
    },
  ]);
  show(<Filled />);
  const said = screen.getByText(/^Filled at/).textContent;
  expect(said).toContain('the close that decided, 12 bps slippage, cash earns ');
  expect(asked).toEqual([]);
  await press('Compare with the next close');
  await screen.findByText('All workers are busy.');
  await press('Hide the next close');
  await press('Compare with the next close');
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual({ ...REQUEST, fill: 'next-close', include: { history: true } });
  const caption = 'Fills and further benchmarks over the same days';
  await waitFor(async () => expect(await figuresOf(caption)).toHaveLength(4));
  const rows = await figuresOf(caption);
  const at = rows[0]?.findIndex((label) => /annualized return/i.test(label ?? '')) ?? -1;
  expect(rows.slice(1).map((row) => [row[0], row[at]])).toEqual([
    ['Filled at the same close', '10.00%'],
    ['Filled at the next close', '8.00%'],
    ['QQQ', '15.00%'],
  ]);
});

it('compares a run that was filled at the next close with the same close', async () => {
  const asked: unknown[] = [];
  answer([
    runBacktest,
    ({ body }) => {
      asked.push((body as BacktestRequest).fill);
      return Response.json(run(0.08));
    },
  ]);
  show(<Filled request={{ ...REQUEST, fill: 'next-close' }} />);
  expect(screen.getByText(/^Filled at/).textContent).toContain('the next close, 12 bps');
  await press('Compare with the same close');
  await waitFor(() => expect(asked).toEqual(['close']));
});

it('draws further benchmarks, the other fill, and behind them what there was before the edit', () => {
  const { result } = renderHook(() => {
    const lines = useFurtherLines(run(0.1), REQUEST, run(0.08));
    return useWithGhost(lines, run(0.1), run(0.2));
  });
  expect(result.current.map(({ name, isDashed, isGhost = false }) => [name, isDashed, isGhost])).toEqual([
    ['Before the edit', false, true],
    ['QQQ', false, false],
    ['Filled at the next close', true, false],
  ]);
  expect(result.current[2]?.values).toEqual(HISTORY.value);
});

it('gives the figures of the days in sight, the last one included, once they are to count from there', async () => {
  const done: unknown[] = [];
  const bar = (isRebased: boolean, history = HISTORY, from = 1) => (
    <ZoomBar
      history={history}
      range={{ from, to: 3 }}
      isRebased={isRebased}
      onRebase={(next) => done.push(next)}
      onAll={() => done.push('all')}
    />
  );
  const page = show(bar(false));
  const text = () => page.container.textContent;
  expect(text()).toContain('Zoomed: January 3, 2024 to January 5, 2024');
  expect(text()).not.toContain('Strategy');
  fireEvent.click(screen.getByRole('switch'));
  await press(/Show all days/);
  expect(done).toEqual([true, 'all']);
  leave();
  const rebased = show(bar(true)).container;
  expect(rebased.textContent).toMatch(/Strategy \+10\.00%.*drawdown 10\.00%.*SPY \+10\.00%.*drawdown 0\.00%/);
  leave();
  // The benchmark begins within these days: a figure of a part of them would be no comparison.
  const later = { ...HISTORY, benchmark_value: [null, 100, 100, 110] } as unknown as BacktestHistory;
  expect(show(bar(true, later, 0)).container.textContent).not.toContain('SPY');
});

it('takes a slippage that is typed when it closes, and says why one is not taken', async () => {
  const told: unknown[] = [];
  const popover = (
    <SlippagePopover
      value={10}
      onPreset={(bps) => told.push(['preset', bps])}
      onChange={(bps) => told.push(['typed', bps])}
      trigger={<button type="button">10 bps slippage</button>}
      isOpenAtOnce
    />
  );
  const open = () => act(async () => void show(popover));
  const type = (value: string) =>
    fireEvent.change(screen.getByLabelText('Basis points'), { target: { value } });
  await open();
  type('12');
  await press(/^Done/);
  expect(told).toEqual([['typed', 12]]);
  leave();
  await open();
  type('30');
  await press(/^Cancel/);
  leave();
  await open();
  type('10');
  await press(/^Done/);
  expect(told).toEqual([['typed', 12]]);
  leave();
  await open();
  await press('25 bps');
  expect(told.at(-1)).toEqual(['preset', 25]);
  type('-3');
  fireEvent.click(screen.getByRole('button', { name: '10 bps slippage' }));
  await waitFor(() =>
    expect(toasts().map(({ title }) => String(title))).toEqual([
      expect.stringMatching(/^The slippage stays 10 bps\. /),
    ]),
  );
  expect(told).toHaveLength(2);
});

it('names what decided the days of a run only where they are far from those that were asked for', () => {
  const dates = (first_day: string, last_day: string) =>
    ({
      ...run(0.1),
      calculated_dates: { first_day, last_day, first_day_decided_by: ['SPY'], last_day_decided_by: ['SPY'] },
    }) as unknown as BacktestAnswer;
  const words = (first: string, last: string) => {
    show(<Period answer={dates(first, last)} request={REQUEST} onRun={() => {}} />);
    const text = screen.getByRole('button').textContent;
    leave();
    return text;
  };
  expect(words('2010-01-08', '2024-01-05')).toBe('From January 8, 2010');
  expect(words('2010-01-09', '2023-12-29')).toBe('From January 9, 2010: SPY');
  expect(words('2010-01-04', '2023-12-28')).toBe('From January 4, 2010 to December 28, 2023: SPY');
});
