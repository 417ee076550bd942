import type { Verdict } from '@quantloom/domain/contracts/http/analysis';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { fixed, formatDate, formatPercent, MISSING } from '../../../lib/format.ts';
import { formatMetricValue, METRIC_LABELS } from './metric-names.ts';

type OutOfSampleFigures = NonNullable<Verdict['out_of_sample']>;

/** The metrics of both parts side by side: what was found in sample, and what it did afterwards. */
export function OutOfSample({ figures }: { figures: OutOfSampleFigures }) {
  return (
    <div className="mt-3 overflow-x-auto">
      <table className="text-sm">
        <caption className="pb-1 text-left font-semibold">
          Best in sample ({Object.values(figures.values).join(' / ')}), before and from{' '}
          {formatDate(figures.date)}
        </caption>
        <thead>
          <tr className="text-right text-muted">
            <th scope="col" className="pr-6 text-left font-normal">
              Metric
            </th>
            <th scope="col" className="pl-6 font-normal">
              In sample
            </th>
            <th scope="col" className="pl-6 font-normal">
              Out of sample
            </th>
          </tr>
        </thead>
        <tbody>
          {METRIC_COLUMNS.map((metric) => (
            <tr key={metric} className="border-t border-line">
              <th scope="row" className="py-0.5 pr-6 text-left font-normal">
                {METRIC_LABELS[metric]}
              </th>
              <td className="num py-0.5 pl-6 text-right">
                {formatMetricValue(metric, figures.in_sample[metric] ?? null)}
              </td>
              <td className="num py-0.5 pl-6 text-right">
                {formatMetricValue(metric, figures.out_of_sample[metric] ?? null)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="num mt-2 max-w-prose text-sm">
        Rank correlation of the Sharpe ratios of both parts over all rows:{' '}
        {figures.rank_correlation === null ? MISSING : fixed(figures.rank_correlation, 2)}.{' '}
        {figures.top_stays_above_median !== null &&
          `Of the best tenth in sample, ${formatPercent(figures.top_stays_above_median)} stay above the median out of sample.`}
      </p>
    </div>
  );
}
