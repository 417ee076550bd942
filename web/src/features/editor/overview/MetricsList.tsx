import type { BacktestAnswer, Metrics } from '@quantloom/domain/contracts/backtest';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { formatMetric, METRICS, type MetricSpec } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';
import { Term } from '../../../ui/Tooltip.tsx';
import { change, type Figures } from '../history/revision-figures.ts';

/**
 * The metrics of strategy and benchmark in two columns; '--' where there is none. Beside the strategy's
 * stands what the last edit changed.
 */
export function MetricsList({
  answer,
  before,
}: {
  answer: BacktestAnswer | null;
  /** The run before the last edit; null: there is none to compare with. */
  before: BacktestAnswer | null;
}) {
  const value = (metrics: Metrics | null | undefined, key: string) =>
    (metrics as Readonly<Record<string, number | null>> | null | undefined)?.[key];
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Metrics of strategy and benchmark</caption>
      <thead>
        <tr className="text-left text-xs text-muted">
          <th scope="col" className="py-1 font-normal">
            Metric
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Strategy
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            SPY
          </th>
        </tr>
      </thead>
      <tbody>
        {METRICS.map((spec) => (
          <tr key={spec.key} className="border-t border-line">
            <th scope="row" className="py-1.5 text-left font-normal text-muted">
              <Term definition={spec.definition} href={conceptAddress(spec.key)}>
                {spec.label}
              </Term>
              {spec.unit === 'days' && <span className="text-faint"> days</span>}
            </th>
            <td className="num py-1.5 pl-2 text-right">
              {formatMetric(spec, value(answer?.metrics, spec.key))}
              {answer && before && spec.key !== 'duration' && (
                <Changed spec={spec} before={before.metrics} now={answer.metrics} />
              )}
            </td>
            <td className="num py-1.5 pl-2 text-right text-muted">
              {formatMetric(spec, value(answer?.benchmark_metrics, spec.key))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `1.16 → 1.22` in short: what a metric was, and whether it became better. */
function Changed({ spec, before, now }: { spec: MetricSpec; before: Metrics; now: Metrics }) {
  const [was, is] = [before as unknown as Figures, now as unknown as Figures];
  const found = change(spec, was, is);
  if (!found) return null;
  const words = `${formatMetric(spec, was[spec.key])} → ${formatMetric(spec, is[spec.key])}`;
  return (
    <span
      title={`${spec.label} ${words}`}
      data-changed={spec.key}
      className={cx('block text-xs', found.isBetter ? 'text-gain' : 'text-loss')}
    >
      <span aria-hidden>{found.isBetter ? '▲' : '▼'} </span>
      {found.text}
      <span className="sr-only">: {words}</span>
    </span>
  );
}
