import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { computeWalkForward } from '@quantloom/domain/contracts/http/calls';
import type {
  ExactWalkForwardAnswer,
  WalkForwardAnswer,
} from '@quantloom/domain/contracts/http/walk-forward';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { fixed, formatDate, formatPercent, MISSING, plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { Select } from '../../../ui/Select.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';
import { OnDemand } from './OnDemand.tsx';
import { walkForwardQuery } from './queries.ts';
import { monthOf } from './stability-words.ts';

const HEIGHT = 300;
const LAYOUT: Partial<Layout> = {
  showlegend: true,
  legend: { orientation: 'h', y: -0.15 },
  yaxis: { type: 'log', title: { text: 'Growth of 1' } },
  margin: { l: 60, r: 10, t: 10, b: 30 },
};

/** What the curves are called. */
const WALK = 'Chosen as one went';
const HINDSIGHT = 'Best in hindsight';

const percentOf = (value: number | null) => (value === null ? MISSING : formatPercent(value));
const ratioOf = (value: number | null) => (value === null ? MISSING : fixed(value, 2));
const days = ({ from, to }: { from: string; to: string }) => `${formatDate(from)} – ${formatDate(to)}`;

/**
 * What somebody would have earned who chose the best row on what was known and held it for the next stretch,
 * over and over.
 */
export function WalkForward({ batch }: { batch: BatchDetail }) {
  const [mode, setMode] = useState<'rolling' | 'anchored'>('rolling');
  const [k, setK] = useState(3);
  const walk = useQuery(walkForwardQuery(batch.id, { mode, k }));
  return (
    <Panel title="Walk-forward">
      <Loaded query={walk} failure="The walk-forward could not be computed">
        {(answer) =>
          answer.windows.length === 0 ? (
            <p className="text-sm text-muted">
              There are too few stretches of the period in which nearly all rows have returns.
            </p>
          ) : (
            <div className="flex flex-col gap-3">
              <p className="max-w-prose">{sentenceOf(answer)}</p>
              <div className="flex flex-wrap items-center gap-2">
                <SegmentedControl
                  label="Which past rows are chosen on"
                  value={mode}
                  onChange={setMode}
                  options={[
                    { value: 'rolling', label: 'Rolling' },
                    { value: 'anchored', label: 'From the start' },
                  ]}
                />
                <Select
                  label="Blocks to choose on"
                  isLabelHidden
                  className="w-56"
                  options={answer.by_k.map((one) => ({
                    value: String(one.k),
                    label: `on ${plural(one.k, 'block')} of ${answer.blocks.length}`,
                  }))}
                  value={String(answer.k)}
                  onChange={(next) => setK(Number(next))}
                />
              </div>
              <DayByDay key={`${answer.mode}/${answer.k}`} batch={batch} answer={answer} />
              <div className="grid grid-cols-1 gap-x-8 gap-y-4 xl:grid-cols-[3fr_2fr]">
                <FigureTable
                  caption="What was chosen, and what it did next"
                  rows={answer.windows}
                  rowKey={({ held }) => held.from}
                  columns={[
                    {
                      header: 'Held',
                      cell: ({ held }) => (
                        <>
                          <span className="sm:hidden">
                            <span className="whitespace-nowrap">{monthOf(held.from)} –</span>{' '}
                            <span className="whitespace-nowrap">{monthOf(held.to)}</span>
                          </span>
                          <span className="max-sm:hidden">{days(held)}</span>
                        </>
                      ),
                      className: 'whitespace-nowrap',
                    },
                    {
                      header: 'Row',
                      isText: true,
                      cell: ({ values }) => combinationLabel(values),
                      className: 'sm:min-w-28',
                    },
                    { header: 'Sharpe before', cell: ({ in_sharpe }) => ratioOf(in_sharpe) },
                    { header: 'Sharpe held', cell: ({ out_sharpe }) => ratioOf(out_sharpe) },
                    { header: 'Return', cell: (one) => formatPercent(one.return) },
                  ]}
                />
                <FigureTable
                  caption="How much the number of blocks decides"
                  rows={answer.by_k}
                  rowKey={(one) => one.k}
                  columns={[
                    { header: 'Blocks', cell: (one) => one.k },
                    { header: 'Times chosen', cell: ({ windows }) => windows },
                    { header: 'Return a year', cell: (one) => percentOf(one.annualized_return) },
                    { header: 'Sharpe', cell: ({ sharpe }) => ratioOf(sharpe) },
                    { header: 'Efficiency', cell: ({ efficiency }) => percentOf(efficiency) },
                  ]}
                />
              </div>
              <p className="max-w-prose text-sm text-muted">{answer.precision}</p>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The outcome in words: what was earned, and how much of what the past promised that is. */
function sentenceOf({ cash, k, mode, windows, stitched, efficiency }: WalkForwardAnswer): string {
  const past = mode === 'rolling' ? `the last ${plural(k, 'block')}` : 'all blocks so far';
  const earned =
    `Choosing the best row by Sharpe ratio${cash === null ? '' : ' over cash'} on ${past} and ` +
    `holding it in the next one, ${plural(windows.length, 'time')}, would have earned ` +
    `${percentOf(stitched.annualized_return)} a year (Sharpe ratio ${ratioOf(stitched.sharpe)}).`;
  return efficiency === null
    ? earned
    : `${earned} That is ${formatPercent(efficiency)} of what the chosen rows had earned a year ` +
        'before they were chosen: the efficiency.';
}

/** The curves by blocks and, once they were asked for, by days: the rows are run again for it. */
function DayByDay({ batch, answer }: { batch: BatchDetail; answer: WalkForwardAnswer }) {
  const exact = useMutation({
    mutationFn: () =>
      api().call(computeWalkForward, {
        params: { id: batch.id },
        body: { mode: answer.mode, k: answer.k },
      }),
  });
  const curves = useMemo(
    () =>
      exact.data
        ? curvesOf(exact.data.stitched, exact.data.hindsight, exact.data.benchmark)
        : byBlock(answer),
    [exact.data, answer],
  );
  return (
    <>
      <Curves from={answer.windows[0]?.held.from ?? ''} curves={curves} isMarked={exact.data === undefined} />
      {exact.data ? (
        <Followed answer={exact.data} />
      ) : (
        <OnDemand
          work={exact}
          ask="Follow day by day"
          pending="Running the chosen rows again"
          failure="The chosen rows could not be followed"
        />
      )}
    </>
  );
}

/** What the chosen rows came to by their daily returns. */
function Followed({
  answer: { stitched, after_changes, hindsight, benchmark },
}: {
  answer: ExactWalkForwardAnswer;
}) {
  const rows = [
    { name: WALK, figures: stitched.figures },
    {
      name: `The same with the cost of ${plural(after_changes.changes, 'change')}`,
      figures: after_changes.figures,
    },
    ...(hindsight ? [{ name: HINDSIGHT, figures: hindsight.figures }] : []),
    ...(benchmark ? [{ name: benchmark.ticker, figures: benchmark.figures }] : []),
  ];
  return (
    <>
      <FigureTable
        caption="Followed day by day"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { header: 'Held', isText: true, cell: ({ name }) => name, className: 'min-w-28 sm:min-w-40' },
          { header: 'Return a year', cell: ({ figures }) => percentOf(figures.annualized_return) },
          { header: 'Sharpe', cell: ({ figures }) => ratioOf(figures.sharpe) },
          { header: 'Max drawdown', cell: ({ figures }) => percentOf(figures.max_drawdown) },
        ]}
      />
      <p className="max-w-prose text-sm text-muted">
        Exact, from the daily returns of the rows that were chosen. The cost of a change is the most that it
        can be: all is sold and all bought, at the slippage of this batch.
      </p>
    </>
  );
}

/** Growth by day, from 1 on. */
interface Line {
  readonly days: readonly string[];
  readonly value: readonly number[];
}
interface Curve extends Line {
  readonly of: 'walk' | 'hindsight' | 'benchmark';
  readonly name: string;
}

/** Growth at the end of each block. */
function byBlock({ windows, stitched, hindsight, benchmark }: WalkForwardAnswer): Curve[] {
  const days = windows.map(({ held }) => held.to);
  const at = <T extends { readonly value: readonly number[] }>(curve: T | null) =>
    curve && { ...curve, days };
  return curvesOf({ ...stitched, days }, at(hindsight), at(benchmark));
}

/** The walk, the row that is best in hindsight, and the benchmark, as far as there are any. */
function curvesOf(
  walk: Line,
  hindsight: Line | null,
  benchmark: (Line & { readonly ticker: string }) | null,
): Curve[] {
  const curves: (Curve | null)[] = [
    { ...walk, of: 'walk', name: WALK },
    hindsight && { ...hindsight, of: 'hindsight', name: HINDSIGHT },
    benchmark && { ...benchmark, of: 'benchmark', name: benchmark.ticker },
  ];
  return curves.filter((curve) => curve !== null);
}

function Curves({ from, curves, isMarked }: { from: string; curves: readonly Curve[]; isMarked: boolean }) {
  const data = useCallback(
    ({ series }: ChartColors): Data[] => {
      const colors = { walk: series[0], benchmark: series[1], hindsight: series[2] };
      return curves.map(
        ({ of, name, days, value }) =>
          ({
            type: 'scatter',
            mode: isMarked ? 'lines+markers' : 'lines',
            name,
            x: [from, ...days],
            y: [1, ...value],
            line: {
              width: of === 'benchmark' ? 1 : 2,
              color: colors[of],
              ...(of === 'benchmark' && { dash: 'dot' }),
            },
            marker: { size: 4 },
          }) as Data,
      );
    },
    [from, curves, isMarked],
  );
  return (
    <DeferredChart
      data={data}
      layout={LAYOUT}
      height={HEIGHT}
      description="Growth of what was chosen as one went, of the row that is best in hindsight, and of the benchmark, over the blocks in which rows were held"
    />
  );
}
