import type { BacktestAnswer, Metrics } from '@quantloom/domain/contracts/backtest';
import { formatMetric, METRICS } from '../../../lib/format.ts';
import { Term } from '../../../ui/Tooltip.tsx';

/** The metrics of strategy and benchmark in two columns; '--' where there is none. */
export function MetricsList({ answer }: { answer: BacktestAnswer | null }) {
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
              <Term definition={spec.definition}>{spec.label}</Term>
              {spec.unit === 'days' && <span className="text-faint"> days</span>}
            </th>
            <td className="num py-1.5 pl-2 text-right">
              {formatMetric(spec, value(answer?.metrics, spec.key))}
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
