import { recomputeRows } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '../../../lib/api.ts';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { fixed, formatUnixDay, MISSING, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chart } from '../../../ui/Chart.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { useFlag } from './use-flag.ts';

const labelOf = (values: Readonly<Record<string, string | number>>) => Object.values(values).join(' / ');

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
  const data = useMemo(() => {
    if (!rows.data) return [];
    const { benchmark } = rows.data;
    return [
      ...rows.data.rows
        .filter(({ error }) => error === null)
        .map(({ values, timestamps, value }) => ({
          type: 'scatter' as const,
          mode: 'lines' as const,
          name: labelOf(values),
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
              {plural(differing, 'row')} no longer give the stored figures: the prices or the engine have
              changed since.
            </Notice>
          )}
          {rows.data.rows.map(
            ({ combination, values, error }) =>
              error !== null && (
                <Notice key={combination} kind="danger">
                  {labelOf(values)}: {error}
                </Notice>
              ),
          )}
          <Chart
            data={data as never}
            layout={{
              showlegend: true,
              legend: { orientation: 'h', y: -0.15 },
              yaxis: { type: 'log', tickprefix: '$' },
              margin: { l: 60, r: 10, t: 10, b: 30 },
            }}
            height={340}
            description={`Equity curves of ${plural(combinations.length, 'picked row')} and the benchmark, logarithmic`}
          />
          <Correlation
            rows={rows.data.rows.map(({ values }) => labelOf(values))}
            matrix={rows.data.correlation}
          />
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
    <section aria-label="Correlation of daily returns" tabIndex={0} className="overflow-x-auto">
      <table className="text-sm">
        <caption className="pb-1 text-left font-semibold">Correlation of daily returns</caption>
        <thead>
          <tr>
            <td />
            {rows.map((row, index) => (
              <th key={row} scope="col" className="num px-2 text-right font-normal text-muted">
                {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="num whitespace-nowrap py-1 pr-4 text-left font-normal">
                {index + 1}. {row}
              </th>
              {rows.map((other, at) => {
                const value = matrix[index]?.[at] ?? null;
                return (
                  <td key={other} className="num px-2 text-right">
                    {value === null ? MISSING : fixed(value, 2)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
