import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { WalkForwardAnswer } from '@quantloom/domain/contracts/http/walk-forward';
import { useQuery } from '@tanstack/react-query';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useState } from 'react';
import { fixed, formatDate, formatPercent, MISSING, plural } from '../../../lib/format.ts';
import { DeferredChart } from '../../../ui/Chart.tsx';
import { Panel } from '../../../ui/Page.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { Select } from '../../../ui/Select.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { FigureTable } from './FigureTable.tsx';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';
import { walkForwardQuery } from './queries.ts';

const HEIGHT = 300;
const LAYOUT: Partial<Layout> = {
  showlegend: true,
  legend: { orientation: 'h', y: -0.15 },
  yaxis: { type: 'log', title: { text: 'Growth of 1' } },
  margin: { l: 60, r: 10, t: 10, b: 30 },
};

const percentOf = (value: number | null) => (value === null ? MISSING : formatPercent(value));
const ratioOf = (value: number | null) => (value === null ? MISSING : fixed(value, 2));
const days = ({ from, to }: { from: string; to: string }) => `${formatDate(from)} – ${formatDate(to)}`;

/** What somebody would have earned who chose the best row on what was known and held it for the next stretch, over and over. */
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
              <Curves answer={answer} />
              <div className="grid grid-cols-1 gap-x-8 gap-y-4 xl:grid-cols-[3fr_2fr]">
                <FigureTable
                  caption="What was chosen, and what it did next"
                  rows={answer.windows}
                  rowKey={({ held }) => held.from}
                  columns={[
                    { header: 'Held', cell: ({ held }) => days(held), className: 'whitespace-nowrap' },
                    {
                      header: 'Row',
                      isText: true,
                      cell: ({ values }) => combinationLabel(values),
                      className: 'min-w-28',
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
function sentenceOf({ k, mode, windows, stitched, efficiency }: WalkForwardAnswer): string {
  const past = mode === 'rolling' ? `the last ${plural(k, 'block')}` : 'all blocks so far';
  const earned = `Choosing the best row by Sharpe ratio on ${past} and holding it in the next one, ${plural(windows.length, 'time')}, would have earned ${percentOf(stitched.annualized_return)} a year (Sharpe ratio ${ratioOf(stitched.sharpe)}).`;
  return efficiency === null
    ? earned
    : `${earned} That is ${formatPercent(efficiency)} of what the chosen rows had earned a year before they were chosen: the efficiency.`;
}

function Curves({ answer: { windows, stitched, hindsight, benchmark } }: { answer: WalkForwardAnswer }) {
  const data = useCallback(
    (colors: ChartColors): Data[] => {
      const x = [windows[0]?.held.from ?? '', ...windows.map(({ held }) => held.to)];
      const line = (name: string, value: readonly number[], color: string | undefined, dash?: 'dot') =>
        ({
          type: 'scatter',
          mode: 'lines+markers',
          name,
          x,
          y: [1, ...value],
          line: { width: dash ? 1 : 2, color, ...(dash && { dash }) },
          marker: { size: 4 },
        }) as Data;
      return [
        line('Chosen as one went', stitched.value, colors.series[0]),
        ...(hindsight ? [line('Best in hindsight', hindsight.value, colors.series[2])] : []),
        ...(benchmark ? [line(benchmark.ticker, benchmark.value, colors.series[1], 'dot')] : []),
      ];
    },
    [windows, stitched, hindsight, benchmark],
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
