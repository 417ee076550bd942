import type { StabilityAnswer } from '@quantloom/domain/contracts/http/stability';
import { formatCount, formatSignedPercent, plural } from '../../../lib/format.ts';

type Period = StabilityAnswer['periods'][number];
type Row = { readonly periods: readonly { readonly annualized_return: number | null }[] };

export const REGIME_WORDS = { bull: 'Rising', bear: 'Falling', high_volatility: 'Swinging' } as const;
const DAYS_A_YEAR = 365.25;
const DAY_MS = 86_400_000;

/**
 * How many of the rows earned something in every period: the plainest test. A period without a figure is none
 * in which it gained.
 */
export function consistencyInWords(rows: readonly Row[], periods: number): string {
  const always = rows.filter((row) => row.periods.every((one) => (one.annualized_return ?? 0) > 0)).length;
  const count = plural(periods, 'period');
  if (rows.length === 1)
    return always === 1
      ? `This row gained in all ${count}.`
      : `In at least one of ${count} this row did not gain.`;
  return `${always === 0 ? 'None' : formatCount(always)} of the ${rows.length} rows below gained in all ${count}.`;
}

/** Which rows are shown where none are picked, and by what they are the best. */
export function bestInWords({
  rows,
  cash,
  left_out: leftOut,
}: {
  readonly rows: readonly unknown[];
  readonly cash: string | null;
  readonly left_out: number;
}): string {
  const ratio = cash === null ? 'Sharpe ratio' : 'Sharpe ratio over cash';
  const without =
    leftOut === 0
      ? ''
      : `, without ${plural(leftOut, 'row')} that ${leftOut === 1 ? 'is' : 'are'} like cash, equal ` +
        'to the benchmark or a mix of both';
  const plain = cash === null ? '' : ' The ratios below have no cash taken off.';
  return (
    `The ${plural(rows.length, 'best row')} by ${ratio}${without}.${plain} Pick rows in the table to ` +
    'see them here.'
  );
}

/** Year and month of a day. */
export const monthOf = (day: string): string => day.slice(0, 7);
/** A stretch of days by its first and last month. */
export const monthsOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${monthOf(from)} – ${monthOf(to)}`;

/** What a period was for the benchmark: in all, and by the year, as the rows beside it are told. */
export function periodInWords({ from, to, regime, benchmark }: Period): string {
  const market = regime ? `${REGIME_WORDS[regime]} market; the` : 'The';
  if (benchmark === null) return `${market} benchmark has no prices here.`;
  const years = ((Date.parse(to) - Date.parse(from)) / DAY_MS + 1) / DAYS_A_YEAR;
  const yearly = (1 + benchmark) ** (1 / years) - 1;
  return `${market} benchmark made ${formatSignedPercent(benchmark)} in all, ${formatSignedPercent(yearly)} a year.`;
}
