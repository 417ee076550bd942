import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import { formatDate, formatSignedPercent, plural } from '../../lib/format.ts';

type Band = AsLived['bands'][number];

/** What the band on the chart means, what it assumes, and when it was left. */
export function BandNotes({
  record: { bands, no_band: reason, days, lived },
}: {
  record: Pick<AsLived, 'bands' | 'no_band' | 'days' | 'lived'>;
}) {
  const newest = bands.at(-1);
  if (!newest) return reason === null ? null : <p className="text-sm text-muted">{reason}</p>;
  return (
    <div className="flex flex-col gap-1">
      {bands.map(
        (band) =>
          band.left && (
            <p key={band.number} role="note">
              <strong>It left its band on {formatDate(band.left.day)}</strong>:{' '}
              {formatSignedPercent(band.left.value - 1)} since {formatDate(band.day)},{' '}
              {band.left.side === 'below' ? 'below the lower' : 'above the upper'} edge of{' '}
              {formatSignedPercent(band.left.edge - 1)}.
              {band === newest && isInside(band, days, lived) && ' It is inside again.'}
            </p>
          ),
      )}
      <p className="text-sm text-muted">
        The band was fixed on {formatDate(newest.day)} from the backtest of revision {newest.revision} until
        then ({plural(newest.sample_days, 'day')} since {formatDate(newest.sample_from)}), and nothing moves
        it since. Of ten strategies that go on as in their backtests, about one or two leave the outer band
        within its year, more where the past is short; half of them leave the inner one. It assumes that the
        days to come are like those of the backtest, in runs of about {newest.block_length} days; it does not
        know how many others were tried before this one was chosen. A strategy that leaves it is one of these,
        or the backtest promised too much.
      </p>
    </div>
  );
}

function isInside(band: Band, days: readonly string[], lived: readonly number[]): boolean {
  const [day = '', value] = [days.at(-1), lived.at(-1)];
  const at = band.days.indexOf(day);
  const [lower, upper] = [band.lower[at], band.upper[at]];
  if (value === undefined || lower === undefined || upper === undefined) return false;
  return value >= lower && value <= upper;
}
