import type { Metrics } from '@quantloom/domain/contracts/backtest';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { formatMetric, formatPercent, METRICS, MISSING } from '../../../../lib/format.ts';
import { Term } from '../../../../ui/Tooltip.tsx';
import type { ReportedRun } from '../../model/report-query.ts';
import { RELATIVE_FIGURES, type ReportFigure, SERIES_FIGURES, TRADING_FIGURES } from './figures.ts';
import { FigureTable, ReportPanel } from './ReportTable.tsx';

const metricOf = (metrics: Metrics | null | undefined, key: string): number | null =>
  (metrics as Readonly<Record<string, number | null>> | null | undefined)?.[key] ?? null;

/** Strategy, benchmark and further benchmarks side by side. */
export function Summary({ run, benchmark }: { run: ReportedRun; benchmark: string }) {
  const { answer, report } = run;
  const further = Object.entries(answer.benchmarks ?? {});
  const metrics = [answer.metrics, answer.benchmark_metrics, ...further.map(([, found]) => found?.metrics)];
  const rows = [
    ...METRICS.map((spec) => ({
      concept: spec.key,
      label: spec.label,
      definition: spec.definition,
      texts: metrics.map((of) => formatMetric(spec, metricOf(of, spec.key))),
      values: metrics.map((of) => metricOf(of, spec.key)),
    })),
    ...SERIES_FIGURES.map(({ concept, label, definition, text, value }) => ({
      concept,
      label,
      definition,
      texts: [text(report), report.benchmark ? text(report.benchmark) : MISSING, ...further.map(() => '')],
      values: [value(report), report.benchmark ? value(report.benchmark) : null, ...further.map(() => null)],
    })),
  ];
  const columns = ['Figure', 'Strategy', benchmark, ...further.map(([name]) => name)];
  return (
    <ReportPanel
      title="Figures of strategy and benchmark"
      file={{ name: 'figures', columns, rows: rows.map(({ label, values }) => [label, ...values]) }}
    >
      <FigureTable
        label="figures of strategy and benchmark"
        columns={columns}
        rows={rows.map(({ concept, label, definition, texts }) => ({
          key: label,
          name: (
            <span className="text-muted">
              <Term definition={definition} href={conceptAddress(concept)}>
                {label}
              </Term>
            </span>
          ),
          cells: texts,
        }))}
      />
    </ReportPanel>
  );
}

function Figures<Source>({
  title,
  name,
  figures,
  source,
  further = [],
}: {
  title: string;
  name: string;
  figures: readonly ReportFigure<Source>[];
  source: Source;
  further?: readonly (Omit<ReportFigure<never>, 'text' | 'value'> & { text: string; value: number | null })[];
}) {
  const rows = [
    ...figures.map(({ concept, label, definition, text, value }) => ({
      concept,
      label,
      definition,
      text: text(source),
      value: value(source),
    })),
    ...further,
  ];
  return (
    <ReportPanel
      title={title}
      file={{ name, columns: ['figure', 'value'], rows: rows.map(({ label, value }) => [label, value]) }}
    >
      <dl className="grid max-w-2xl grid-cols-[1fr_auto] gap-x-6 text-sm">
        {rows.map(({ concept, label, definition, text }) => (
          <div
            key={label}
            className="col-span-2 grid grid-cols-subgrid border-t border-line py-1 first:border-0"
          >
            <dt className="text-muted">
              <Term definition={definition} href={conceptAddress(concept)}>
                {label}
              </Term>
            </dt>
            <dd className="num text-right">{text}</dd>
          </div>
        ))}
      </dl>
    </ReportPanel>
  );
}

export function Relative({ run, benchmark }: { run: ReportedRun; benchmark: string }) {
  if (!run.report.benchmark) return null;
  return (
    <Figures
      title={`Beside ${benchmark}`}
      name="relative-to-benchmark"
      figures={RELATIVE_FIGURES}
      source={run.report}
    />
  );
}

export function Trading({ run: { report, answered } }: { run: ReportedRun }) {
  return (
    <Figures
      title="Turnover, cost and exposure"
      name="trading"
      figures={TRADING_FIGURES}
      source={report}
      further={[
        {
          concept: 'costs',
          label: `Cost at ${answered.slippage_bps ?? DEFAULT_SLIPPAGE_BPS} bps`,
          definition:
            'All that slippage took, the first purchase included, as a share of the starting balance.',
          text: formatPercent(report.costs),
          value: report.costs,
        },
      ]}
    />
  );
}
