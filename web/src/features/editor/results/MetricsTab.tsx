import type { BacktestAnswer, BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { Data, Layout } from 'plotly.js';
import { type ReactNode, useMemo, useState } from 'react';
import { fixed, formatCount, formatPercent, formatRatio, formatUnixDay } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { Term } from '../../../ui/Tooltip.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { distributionOf, rollingFigures, tradingOf, worstDrawdowns } from '../model/performance.ts';
import { DAY_AXIS, dailyReturns, drawdowns } from '../model/series.ts';
import { CalendarReturns } from './CalendarReturns.tsx';

/** More than the metrics of the run, all computed from the same answer. */
export function MetricsTab({ answer, slippageBps }: { answer: BacktestAnswer | null; slippageBps: number }) {
  if (!answer?.history)
    return (
      <EmptyState title="No backtest yet">
        Run a backtest to see returns by month, rolling risk, drawdowns and turnover.
      </EmptyState>
    );
  const { history } = answer;
  return (
    <div className="flex flex-col gap-4 p-4">
      <CalendarReturns history={history} />
      <Rolling history={history} />
      <div className="grid gap-4 xl:grid-cols-2">
        <Drawdowns history={history} />
        <DistributionPanel history={history} />
      </div>
      <TradingPanel history={history} slippageBps={slippageBps} />
    </div>
  );
}

const WINDOWS = [
  { value: '63', label: '3 months' },
  { value: '126', label: '6 months' },
  { value: '252', label: '1 year' },
] as const;
type Window = (typeof WINDOWS)[number]['value'];

function Rolling({ history }: { history: BacktestHistory }) {
  const [window, setWindow] = useState<Window>('126');
  const series = useMemo(() => {
    const benchmark = (history.benchmark_value ?? []).map((value) => value ?? Number.NaN);
    return {
      days: history.timestamps.map(formatUnixDay),
      strategy: { ...rollingFigures(history.value, Number(window)), drawdown: drawdowns(history.value) },
      benchmark: { ...rollingFigures(benchmark, Number(window)), drawdown: drawdowns(benchmark) },
    };
  }, [history, window]);
  const chart = (title: string, key: 'volatility' | 'sharpe' | 'drawdown', factor: number, unit: string) => {
    const layout: Partial<Layout> = {
      hovermode: 'x unified',
      margin: { l: 48, r: 8, t: 24, b: 24 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.01, yanchor: 'bottom' },
      xaxis: { ...DAY_AXIS, nticks: 10 },
      yaxis: { nticks: 5, ticksuffix: unit },
    };
    return (
      <div className="min-w-0">
        <h3 className="text-sm font-medium">{title}</h3>
        <Chart
          height={200}
          description={`${title} of strategy and SPY by day`}
          layout={layout}
          data={(colors) =>
            (['benchmark', 'strategy'] as const).map(
              (which): Data => ({
                type: 'scatter',
                mode: 'lines',
                name: which === 'strategy' ? 'Strategy' : 'SPY',
                x: series.days,
                y: series[which][key].map((value) => value * factor),
                line: { width: 1.5, color: colors.series[which === 'strategy' ? 0 : 1] },
                hovertemplate: `%{y:.2f}${unit}<extra>%{fullData.name}</extra>`,
              }),
            )
          }
        />
      </div>
    );
  };
  return (
    <Panel
      title="Rolling figures"
      actions={
        <SegmentedControl
          label="Window"
          options={WINDOWS}
          value={window}
          onChange={(next) => setWindow(next)}
        />
      }
    >
      <div className="flex flex-col gap-4">
        {chart('Volatility, annualized', 'volatility', 100, '%')}
        {chart('Sharpe ratio', 'sharpe', 1, '')}
        {chart('Drawdown', 'drawdown', 1, '%')}
      </div>
    </Panel>
  );
}

const CELL = 'num border-t border-line py-1 pl-3 text-right';

function Drawdowns({ history }: { history: BacktestHistory }) {
  const worst = useMemo(() => worstDrawdowns(history.value), [history]);
  const day = (index: number | null) =>
    index === null ? 'not yet' : formatUnixDay(history.timestamps[index]);
  return (
    <Panel title="Worst drawdowns">
      {worst.length === 0 ? (
        <p className="text-muted">The strategy never fell below an earlier value.</p>
      ) : (
        <ScrollRegion label="Table of the worst drawdowns" className="overflow-x-auto">
          <table className="w-full text-sm">
            <thead>
              <tr className="text-right text-muted">
                {['Depth', 'Peak', 'Trough', 'Recovered', 'Days under water'].map((name) => (
                  <th key={name} scope="col" className="py-1 pl-3 font-normal first:pl-0 first:text-left">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {worst.map(({ peak, trough, recovered, depth }) => (
                <tr key={peak}>
                  <th scope="row" className="num border-t border-line py-1 text-left font-medium">
                    {formatPercent(depth)}
                  </th>
                  <td className={CELL}>{day(peak)}</td>
                  <td className={CELL}>{day(trough)}</td>
                  <td className={CELL}>{day(recovered)}</td>
                  <td className={CELL}>{formatCount((recovered ?? history.value.length - 1) - peak)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function Figures({
  rows,
}: {
  rows: readonly { readonly label: string; readonly definition: string; readonly value: ReactNode }[];
}) {
  return (
    <dl className="grid max-w-2xl grid-cols-[1fr_auto] gap-x-6 text-sm">
      {rows.map(({ label, definition, value }) => (
        <div
          key={label}
          className="col-span-2 grid grid-cols-subgrid border-t border-line py-1 first:border-0"
        >
          <dt className="text-muted">
            <Term definition={definition}>{label}</Term>
          </dt>
          <dd className="num text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function DistributionPanel({ history }: { history: BacktestHistory }) {
  const returns = useMemo(() => dailyReturns(history.value), [history]);
  const shape = useMemo(() => distributionOf(returns), [returns]);
  if (!shape) return null;
  return (
    <Panel title="Distribution of daily returns">
      <Chart
        height={180}
        description={`Histogram of ${returns.length} daily returns from ${formatPercent(shape.worst)} to ${formatPercent(shape.best)}`}
        data={(colors) => [
          {
            type: 'histogram',
            x: returns.map((value) => value * 100),
            nbinsx: 80,
            marker: { color: colors.series[0] },
            hovertemplate: '%{x}%: %{y} days<extra></extra>',
          } as Data,
        ]}
        layout={{
          margin: { l: 40, r: 8, t: 8, b: 24 },
          bargap: 0.05,
          xaxis: { ticksuffix: '%' },
          yaxis: { nticks: 5 },
        }}
      />
      <Figures
        rows={[
          { label: 'Best day', definition: 'The highest daily return.', value: formatPercent(shape.best) },
          { label: 'Worst day', definition: 'The lowest daily return.', value: formatPercent(shape.worst) },
          {
            label: 'Days up',
            definition: 'Days above zero among the days on which the value moved.',
            value: formatPercent(shape.winRate),
          },
          {
            label: 'Value at risk, 5%',
            definition: 'One day in twenty was this bad or worse.',
            value: formatPercent(shape.valueAtRisk),
          },
          {
            label: 'Skewness',
            definition: 'Below zero: bad days reach further than good ones.',
            value: formatRatio(shape.skewness),
          },
          {
            label: 'Excess kurtosis',
            definition: 'Above zero: extreme days are more frequent than a normal distribution has them.',
            value: formatRatio(shape.kurtosis),
          },
        ]}
      />
    </Panel>
  );
}

function TradingPanel({ history, slippageBps }: { history: BacktestHistory; slippageBps: number }) {
  const trading = useMemo(() => tradingOf(history, slippageBps), [history, slippageBps]);
  if (!trading) return null;
  return (
    <Panel title="Turnover, cost and exposure">
      <Figures
        rows={[
          {
            label: 'Turnover per year',
            definition:
              'Half of all that is bought and sold, drifted weights brought back to their targets included: 100% sells everything and buys something else once.',
            value: formatPercent(trading.turnoverPerYear),
          },
          {
            label: `Cost per year at ${slippageBps} bps`,
            definition: 'What slippage takes for all that is bought and sold, as the backtest charged it.',
            value: formatPercent(trading.costPerYear),
          },
          {
            label: 'Days with a trade',
            definition:
              'Days on which anything was bought or sold; weights that drifted are brought back at every close.',
            value: formatCount(trading.tradeDays),
          },
          {
            label: 'Days with a new target',
            definition: 'Days on which a target weight changed.',
            value: formatCount(trading.targetDays),
          },
          {
            label: 'Mean exposure',
            definition: 'Mean share of the portfolio that is not in cash.',
            value: formatPercent(trading.meanExposure),
          },
          {
            label: 'Days invested',
            definition: 'Share of days with anything but cash.',
            value: formatPercent(trading.investedDays),
          },
          {
            label: 'Mean holdings',
            definition: 'Mean number of tickers held on the days that were invested.',
            value: fixed(trading.meanHoldings, 1),
          },
        ]}
      />
    </Panel>
  );
}
