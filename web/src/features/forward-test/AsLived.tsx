import type { AsLived as AsLivedAnswer } from '@quantloom/domain/contracts/http/as-lived';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatDate, formatSignedPercent, plural } from '../../lib/format.ts';
import { Chart } from '../../ui/Chart.tsx';
import { ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import type { ChartColors } from '../../ui/plot/theme.ts';
import { BandNotes } from './BandNotes.tsx';
import { asLivedOf } from './follows.ts';
import { linesOf } from './lived-lines.ts';
import { RegisteredNote } from './RegisteredNote.tsx';

const HEIGHT = 260;
const LAYOUT = {
  hovermode: 'x unified' as const,
  margin: { l: 56, r: 12, t: 30, b: 28 },
  showlegend: true,
  legend: { orientation: 'h' as const, x: 0, y: 1.01, yanchor: 'bottom' as const },
  xaxis: { type: 'date' as const, hoverformat: '%B %-d, %Y', nticks: 6 },
  yaxis: { nticks: 5, ticksuffix: '%' },
};

/** What came of the decisions of a strategy as they were made, beside the backtest of the same days. */
export function AsLived({ id, name }: { id: string; name: string }) {
  const { data, error, refetch } = useQuery(asLivedOf(id));
  if (error && !data)
    return <ErrorState title="The record could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} columns={3} />;
  const start = data.days[0];
  if (start === undefined)
    return (
      <>
        <p className="text-muted">Nothing was decided yet. The curve begins with the second decision.</p>
        <RegisteredNote registered={data.registered} />
      </>
    );
  if (data.days.length < 2 && data.bands.length === 0)
    return (
      <>
        <OneDecision start={start} />
        <RegisteredNote registered={data.registered} />
        <BandNotes record={data} />
      </>
    );
  return <Record record={data} start={start} name={name} />;
}

function OneDecision({ start }: { start: string }) {
  return (
    <p className="text-muted">
      The first decision was made on {formatDate(start)}. The curve begins with the second one.
    </p>
  );
}

function Record({ record, start, name }: { record: AsLivedAnswer; start: string; name: string }) {
  const { days, lived, backtest, benchmark, benchmark_ticker: ticker, gap, reasons, marks, bands } = record;
  const missing = record.missing_closes;
  const data = useMemo(
    () => (colors: ChartColors) =>
      linesOf({ days, lived, backtest, benchmark, ticker, marks, bands }, colors),
    [days, lived, backtest, benchmark, ticker, marks, bands],
  );
  const since = (values: readonly number[] | null) => formatSignedPercent(values && (values.at(-1) ?? 1) - 1);
  return (
    <div className="flex flex-col gap-2">
      {days.length < 2 ? (
        <OneDecision start={start} />
      ) : (
        <p>
          Since {formatDate(start)}, {plural(days.length - 1, 'day')}: as lived{' '}
          <strong>{since(lived)}</strong>
          {backtest && `, backtest ${since(backtest)}`}
          {benchmark && `, ${ticker} ${since(benchmark)}`}.
          {gap !== null &&
            Math.abs(gap) >= 5e-5 &&
            ` The gap to the backtest is ${formatSignedPercent(gap)}.`}
        </p>
      )}
      <RegisteredNote registered={record.registered} />
      {reasons.length > 0 && (
        <ul className="list-disc pl-5 text-muted">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <div role="note">
          <p>Closes are missing, so part of this record is assumed:</p>
          <ul className="list-disc pl-5 text-muted">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {/* It has the colours and the width of the screen; on paper the figures above say what came of it. */}
      <div className="print:hidden">
        <Chart
          data={data}
          layout={LAYOUT}
          height={HEIGHT}
          description={
            `${name} as lived since ${formatDate(start)}: ${since(lived)}, in its backtest ` +
            `${since(backtest)}`
          }
        />
      </div>
      <BandNotes record={record} />
      <p className="text-sm text-muted">
        Decisions as they were made, those that came too late left out, held from close to close, after costs
        of {record.slippage_bps} bps; the purchase on the first day is not charged.{' '}
        {backtest
          ? 'The backtest is the one of the revision that decided first, on the prices of today.'
          : 'That revision cannot be run on the prices of today, so there is no backtest beside it.'}
        {record.is_simulated && ' All of it on simulated prices.'}
      </p>
    </div>
  );
}
