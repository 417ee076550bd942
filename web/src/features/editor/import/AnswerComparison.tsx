import type { Comparison } from '@quantloom/domain/exchange/answer-comparison';
import { cx } from '../../../ui/classes.ts';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The indicator values that came with a source beside ours of the same day: those that differ first. */
export function AnswerComparison({ comparison }: { comparison: Comparison }) {
  const { date, prices, counts, rows } = comparison;
  const order = (agrees: boolean | null) => (agrees === false ? 0 : agrees === null ? 2 : 1);
  const sorted = rows.toSorted((left, right) => order(left.agrees) - order(right.agrees));
  return (
    <section aria-label="Their values and ours" className="flex flex-col gap-2 text-sm">
      <h3 className="font-medium">Their values and ours on {date}</h3>
      <p className="text-muted">
        {counts.agree} agree as far as their digits go, {counts.differ} differ, {counts.missing} have no
        counterpart here. Ours are computed on {prices} prices, scaled to their closes of that day.
        {counts.left_out > 0 && ` ${counts.left_out} more were not looked at.`}
      </p>
      <ScrollRegion
        label="Their values and ours"
        className="max-h-80 overflow-auto rounded border border-line"
      >
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-raised text-xs text-muted">
            <tr>
              {['Value', 'Theirs', 'Ours', 'What explains it'].map((label, index) => (
                <th
                  key={label}
                  scope="col"
                  className={cx(
                    'px-2 py-1 font-normal',
                    index === 1 || index === 2 ? 'text-right' : 'text-left',
                  )}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ feature, ticker, window, theirs, ours, agrees, missing, reason }) => (
              <tr key={`${feature} ${ticker} ${window}`} className="border-t border-line align-top">
                <th scope="row" className="px-2 py-1 text-left font-normal">
                  {ticker} {feature.replaceAll('-', ' ')}
                  {window !== null && `, ${window} days`}
                </th>
                <td className="num px-2 py-1 text-right">{theirs}</td>
                <td className={cx('num px-2 py-1 text-right', agrees === false && 'font-medium')}>
                  {ours ?? '–'}
                </td>
                <td className="px-2 py-1 text-muted">
                  {agrees === true
                    ? 'Agrees'
                    : sentence(missing ?? reason ?? 'not explained by prices or history')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
