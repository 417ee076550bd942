// @vitest-environment happy-dom
import type { BacktestAnswer, BacktestHistory, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { fireEvent, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { chart } from '../../../../testing/charts.tsx';
import { downloads, leave, press, show } from '../../../../testing/page.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { AllocationHistory } from './AllocationHistory.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { IndicatorHistory } from './IndicatorHistory.tsx';
import { TradesTable } from './TradesTable.tsx';

beforeEach(() => {
  // Of a long table only the rows in sight exist.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

const timestamps = ['2024-01-02', '2024-01-03', '2024-01-04'].map((day) => Date.parse(day) / 1000);
const tickers = { SPY: [100, 100, 50], TLT: [0, 0, 50] };
const rowsOf = (label: string) =>
  within(screen.getByRole('grid', { name: label }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('gridcell')
        .slice(1)
        .map(({ textContent }) => textContent),
    );

it('lists trades, the newest day first, with what each took, and leads to the reasons of its day', async () => {
  const saved = downloads();
  const explained: number[] = [];
  const history = { timestamps, tickers, turnover: [1, 0, 0.5], value: [10_000, 10_100, 10_200] };
  show(
    <TradesTable
      history={history as unknown as BacktestHistory}
      slippageBps={10}
      onExplain={(day) => explained.push(day)}
    />,
  );
  expect(rowsOf('Trades')).toEqual([
    ['January 4, 2024', 'SPY', '100.0%', '50.0%', '50.00%', '$5.10'],
    ['', 'TLT', '0.0%', '50.0%', '', ''],
    ['January 2, 2024', 'SPY', '0.0%', '100.0%', '100.00%', '$10.01'],
  ]);
  expect(screen.getByText(/Traded on/).textContent).toContain(
    'Traded on 2 days: slippage of 10 bps took $15.11 in all.',
  );
  await press('Why the trade of January 4, 2024');
  expect(explained).toEqual([2]);
  await press('Trades as CSV');
  const lines = (await saved[0]?.content?.text())?.trim().split('\r\n');
  expect(lines?.[0]).toBe('date,ticker,from_percent,to_percent,traded_percent_of_day,cost_of_day');
  expect(lines?.[1]).toMatch(/^2024-01-04,SPY,100,50,50,5\.10/);
  expect(lines?.slice(2)).toEqual([
    '2024-01-04,TLT,0,50,,',
    expect.stringMatching(/^2024-01-02,SPY,0,100,100,10\.01/),
  ]);
});

it('shows what was held day by day, the newest first, or the days of a change alone', async () => {
  const saved = downloads();
  const explained: number[] = [];
  const tools = { store: { document: { name: 'Core holding' } } } as unknown as EditorTools;
  show(
    <EditorToolsContext value={tools}>
      <HistoryTable
        title="Allocation"
        fileName="allocation.csv"
        timestamps={timestamps}
        columns={Object.entries(tickers).map(([id, values]) => ({ id, label: id, values }))}
        format={(value) => `${value} %`}
        isStacked
        held={tickers}
        onExplain={(day) => explained.push(day)}
        changes={[0, 2]}
      />
    </EditorToolsContext>,
  );
  const newest = ['January 4, 2024', '50 %', '50 %'];
  const first = ['January 2, 2024', '100 %', '0 %'];
  expect(rowsOf('Allocation')).toEqual([newest, ['January 3, 2024', '100 %', '0 %'], first]);
  await press('Why on January 4, 2024');
  fireEvent.click(screen.getByRole('switch', { name: 'Only the 2 days with a change' }));
  expect(rowsOf('Allocation')).toEqual([newest, first]);
  await press('Why on January 2, 2024');
  expect(explained).toEqual([2, 0]);
  await press('Download CSV');
  expect(saved[0]?.name).toBe('Core-holding-allocation.csv');
  // The file has all days, the oldest first, whatever the table shows.
  expect((await saved[0]?.content?.text())?.trim().split('\r\n')).toEqual([
    'date,SPY,TLT',
    '2024-01-02,100,0',
    '2024-01-03,100,0',
    '2024-01-04,50,50',
  ]);
});

it('shows as cash what is in no ticker, and trades at the slippage of the run', () => {
  const tools = { store: { document: { name: 'Core holding' } } } as unknown as EditorTools;
  const history = {
    timestamps,
    tickers: { SPY: [60, 100, 33.3], TLT: [30, 0, 66.7] },
    turnover: [0.9, 0, 0.6],
    value: [10_000, 10_100, 10_200],
    indicators: { 'SPY/rsi/10': [41, 52.123, 63] },
  };
  const answer = { history } as unknown as BacktestAnswer;
  const answered = { slippage_bps: 0 } as unknown as BacktestRequest;
  const inEditor = (part: ReactNode) => show(<EditorToolsContext value={tools}>{part}</EditorToolsContext>);
  inEditor(<AllocationHistory answer={answer} answered={answered} onExplain={() => {}} />);
  expect(rowsOf('Allocation History')).toEqual([
    ['January 4, 2024', '33.3%', '66.7%', '0.0%'],
    ['January 3, 2024', '100.0%', '0.0%', '0.0%'],
    ['January 2, 2024', '60.0%', '30.0%', '10.0%'],
  ]);
  expect(screen.getByRole('switch', { name: 'Only the 2 days with a change' })).toBeDefined();
  expect(screen.getByText(/slippage of 0 bps took/).textContent).toContain('$0.00');
  leave();
  inEditor(<IndicatorHistory answer={answer} onExplain={() => {}} />);
  expect(rowsOf('Indicator History')[1]).toEqual(['January 3, 2024', '52.12']);
  leave();
  const none = { history: { ...history, indicators: {} } } as unknown as BacktestAnswer;
  inEditor(<IndicatorHistory answer={none} onExplain={() => {}} />);
  expect(screen.getByText('No indicators')).toBeDefined();
});

it('draws what was held as areas in percent, and indicators as lines, a held ticker in the same colour', () => {
  const tools = { store: { document: { name: 'Core holding' } } } as unknown as EditorTools;
  const inEditor = (part: ReactNode) => show(<EditorToolsContext value={tools}>{part}</EditorToolsContext>);
  const days = ['2024-01-02', '2024-01-03', '2024-01-04'];
  const history = {
    timestamps,
    tickers: { SPY: [60, 0, 30], TLT: [30, 100, 70] },
    turnover: [0.9, 0, 0.6],
    value: [10_000, 10_100, 10_200],
    indicators: {
      'SPY-relative-strength-index-10': [41, 52, 63],
      'QQQ-relative-strength-index-10': [1, 2, 3],
    },
  };
  const answer = { history } as unknown as BacktestAnswer;
  inEditor(<AllocationHistory answer={answer} answered={null} onExplain={() => {}} />);
  const held = chart('Allocation History by day for 3 series from 2024-01-02 to 2024-01-04');
  // The ticker that was held most has the first colour after those of strategy and benchmark.
  expect(held.data.map(({ name, x, y, line }) => [name, x, y, (line as { color: string }).color])).toEqual([
    ['SPY', days, [60, 0, 30], 'fourth'],
    ['TLT', days, [30, 100, 70], 'third'],
    ['Cash', days, [10, 0, 0], 'muted'],
  ]);
  const stacks = new Set(held.data.map(({ stackgroup }) => stackgroup));
  expect([stacks.size, stacks.has(undefined)]).toEqual([1, false]);
  expect(held.layout.yaxis).toMatchObject({ ticksuffix: '%', range: [0, 100] });
  leave();
  inEditor(<IndicatorHistory answer={answer} onExplain={() => {}} />);
  const { data, layout } = chart('Indicator History by day for 2 series');
  expect(data.map(({ x, y, stackgroup }) => [x, y, stackgroup])).toEqual([
    [days, [41, 52, 63], undefined],
    [days, [1, 2, 3], undefined],
  ]);
  expect(data.map(({ name }) => name?.includes('SPY'))).toEqual([true, false]);
  const [spy, other] = data.map(({ line }) => line as { color: string; width: number });
  expect(spy?.color).toBe('fourth');
  expect(['third', 'fourth']).not.toContain(other?.color);
  expect(spy?.width).toBeGreaterThan(0);
  expect(layout.yaxis?.ticksuffix).toBeUndefined();
});
