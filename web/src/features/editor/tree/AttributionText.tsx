import type { BacktestAttribution, BlockAttribution } from '@quantloom/domain/contracts/backtest';
import { formatPercent, formatSignedPercent } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';

/** Part of the days in whole percent; what is not quite nothing is not called nothing. */
function partOfDays(days: number, of: number): string {
  const percent = (100 * days) / of;
  return percent > 0 && percent < 1
    ? '<1%'
    : percent > 99 && percent < 100
      ? '>99%'
      : `${Math.round(percent)}%`;
}

/** A signed percentage in the width of a line's end: large ones without their decimals, which the title has. */
function shortSigned(fraction: number): string {
  const exact = formatSignedPercent(fraction);
  return Math.abs(fraction) < 10 ? exact : exact.replace(/\.\d+/, '');
}

const ATTRIBUTION =
  'num flex shrink-0 items-center gap-2 self-center px-2 text-xs text-muted @max-[34rem]:hidden';

/** Heads the three figures at the ends of the lines, and says what lies between the root's and the total return. */
export function AttributionHead({
  attribution: { costs, cash },
  day,
}: {
  attribution: BacktestAttribution;
  /** Whose decision the lines show; undefined: they show none. */
  day: string | undefined;
}) {
  return (
    <div className="flex items-center gap-3 pl-3 text-xs text-muted @max-[34rem]:hidden">
      <span className="num">Costs took {formatPercent(costs)} of the starting balance</span>
      {cash !== 0 && <span className="num">Cash earned {formatPercent(cash)}</span>}
      <span aria-hidden className={cx(ATTRIBUTION, 'ml-auto')}>
        <span className="w-9 text-right">Days</span>
        <span className="w-18 text-right">Earned</span>
        <span className="w-9 text-right">Up</span>
      </span>
      {day !== undefined && (
        <span aria-hidden className="-ml-3 w-20 px-2 text-right whitespace-nowrap">
          {day}
        </span>
      )}
    </div>
  );
}

/**
 * What came of a block in the run that is shown, at the end of its line: days taken, what it earned, and how
 * often it won.
 */
export function AttributionText({
  found,
  days,
}: {
  found: BlockAttribution;
  /** Days of the run. */
  days: number;
}) {
  if (found.days === 0)
    return (
      <span
        title="On no day of this run was anything of this block held"
        className="shrink-0 self-center rounded-sm bg-surface px-1.5 text-xs text-warning"
      >
        never taken
      </span>
    );
  const hit = found.hit_rate === null ? '--' : `${Math.round(100 * found.hit_rate)}%`;
  return (
    <span
      title={
        `Held on ${found.days} of ${days} days. It earned ${formatSignedPercent(found.earned)} of ` +
        `the starting balance, with a gain on ${hit} of those days.`
      }
      className={ATTRIBUTION}
    >
      <span className="w-9 text-right">{partOfDays(found.days, days)}</span>{' '}
      <span className={cx('w-18 text-right whitespace-nowrap', found.earned < 0 && 'text-loss')}>
        {shortSigned(found.earned)}
      </span>{' '}
      <span className="w-9 text-right">{hit}</span>
    </span>
  );
}
