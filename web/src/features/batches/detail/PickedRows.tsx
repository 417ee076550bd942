import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { recomputeRows } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import type { Data, Layout } from 'plotly.js';
import { useCallback, useMemo } from 'react';
import { api } from '../../../lib/api.ts';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { fixed, formatUnixDay, MISSING, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { FigureTable } from '../analysis/FigureTable.tsx';
import { combinationLabel } from '../analysis/metric-names.ts';
import { dollarTicks } from '../model/dollar-ticks.ts';
import { Bands } from './Bands.tsx';
import { useFlag } from './use-flag.ts';

/** Picked rows, simulated again: their equity curves, how much they move together, and one group of them all. */
export function PickedRows({
  batch,
  combinations,
  onClose,
}: {
  batch: BatchDetail;
  combinations: readonly number[];
  onClose: () => void;
}) {
  const [isCopied, flagCopied] = useFlag();
  const rows = useQuery({
    queryKey: ['batch-backtests', batch.id, 'rows', ...combinations],
    queryFn: ({ signal }) =>
      api().call(recomputeRows, {
        params: { id: batch.id },
        body: { combinations: [...combinations] },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const curves = useMemo(() => {
    if (!rows.data) return [];
    const { benchmark } = rows.data;
    return [
      ...rows.data.rows
        .filter(({ error }) => error === null)
        .map(({ values, timestamps, value }) => ({
          type: 'scatter' as const,
          mode: 'lines' as const,
          name: combinationLabel(values),
          x: timestamps.map(formatUnixDay),
          y: value,
          line: { width: 1.5 },
        })),
      {
        type: 'scatter' as const,
        mode: 'lines' as const,
        name: batch.backtest_config.benchmark_ticker,
        x: benchmark.timestamps.map(formatUnixDay),
        y: benchmark.value,
        line: { width: 1, dash: 'dot' as const },
      },
    ];
  }, [rows.data, batch.backtest_config.benchmark_ticker]);
  const data = useCallback(
    ({ series: [first, benchmark, ...others] }: ChartColors) => {
      const own = [first, ...others];
      return curves.map(({ line, ...curve }, at) => ({
        ...curve,
        // The second colour is the benchmark's in every chart.
        line: { ...line, color: at === curves.length - 1 ? benchmark : own[at % own.length] },
      })) as Data[];
    },
    [curves],
  );
  const outOfSample = batch.backtest_config.out_of_sample_date ?? null;
  const layout = useCallback(
    (colors: ChartColors): Partial<Layout> => {
      const values = curves.flatMap(({ y }) => y.flatMap((one) => (one !== null && one > 0 ? [one] : [])));
      return {
        showlegend: true,
        legend: { orientation: 'h', y: -0.15 },
        yaxis: { type: 'log', ...dollarTicks(values) },
        margin: { l: 60, r: 10, t: 20, b: 30 },
        ...(outOfSample && {
          shapes: [
            {
              type: 'line',
              x0: outOfSample,
              x1: outOfSample,
              yref: 'paper',
              y0: 0,
              y1: 1,
              line: { width: 1, dash: 'dot', color: colors.ink },
            },
          ],
          annotations: [
            {
              x: outOfSample,
              yref: 'paper',
              y: 1.06,
              text: 'out of sample',
              showarrow: false,
              xanchor: 'left',
            },
          ],
        }),
      };
    },
    [curves, outOfSample],
  );
  const differing = rows.data?.rows.filter((row) => row.equals_stored === false).length ?? 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={plural(combinations.length, 'picked row')}
      description="Simulated again on the days that all of them have."
      footer={
        rows.data && (
          <Button
            variant="primary"
            icon={isCopied ? Check : Copy}
            onClick={() => {
              localStorage.setItem(COPIED_NODE_KEY, JSON.stringify(rows.data.group));
              flagCopied();
            }}
          >
            {isCopied ? 'Copied' : 'Copy all as one group'}
          </Button>
        )
      }
    >
      {rows.isPending && <LoadingPane label="Simulating the picked rows" />}
      {rows.isError && (
        <ErrorState
          title="The rows could not be simulated"
          error={rows.error}
          onRetry={() => void rows.refetch()}
        />
      )}
      {rows.data && (
        <div className="flex flex-col gap-4">
          {differing > 0 && (
            <Notice kind="warning">
              {plural(differing, 'row no longer gives', 'rows no longer give')} the stored figures: the prices
              or the engine have changed since.
            </Notice>
          )}
          {rows.data.rows.map(
            ({ combination, values, error }) =>
              error !== null && (
                <Notice key={combination} kind="danger">
                  {combinationLabel(values)}: {error}
                </Notice>
              ),
          )}
          <Chart
            data={data}
            layout={layout}
            height={340}
            description={`Equity curves of ${plural(combinations.length, 'picked row')} and the benchmark, logarithmic`}
          />
          <Correlation
            rows={rows.data.rows.map(({ values }) => combinationLabel(values))}
            matrix={rows.data.correlation}
          />
          <Bands batch={batch} combinations={combinations} />
        </div>
      )}
    </Dialog>
  );
}

function Correlation({
  rows,
  matrix,
}: {
  rows: readonly string[];
  matrix: readonly (readonly (number | null)[])[];
}) {
  if (rows.length < 2) return null;
  return (
    <FigureTable
      caption="Correlation of daily returns"
      tableClassName=""
      rows={rows.map((name, index) => ({ name, index }))}
      rowKey={({ index }) => index}
      columns={[
        {
          header: 'Row',
          className: 'whitespace-nowrap',
          cell: ({ name, index }) => `${index + 1}. ${name}`,
        },
        ...rows.map((_, at) => ({
          header: String(at + 1),
          cell: ({ index }: { index: number }) => {
            const value = matrix[index]?.[at] ?? null;
            return value === null ? MISSING : fixed(value, 2);
          },
        })),
      ]}
    />
  );
}
