import type { Estimate } from '@quantloom/domain/contracts/http/batches';
import { plural } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Notice } from '../../../ui/feedback.tsx';

const SHOWN = 12;

/** Which of the tickers have no prices, and what becomes of their rows. */
export function UnknownTickers({ estimate }: { estimate: Estimate }) {
  const unknown = Object.entries(estimate.unknown_tickers ?? {}).filter(([, tickers]) => tickers.length > 0);
  if (unknown.length === 0) return null;
  const count = new Set(unknown.flatMap(([, tickers]) => tickers)).size;
  return (
    <Notice kind="warning">
      <p>
        {plural(count, 'ticker has', 'tickers have')} no prices. The rows with{' '}
        {count === 1 ? 'it' : 'any of them'} will fail, and they count towards the monthly limit all the same.
      </p>
      <ul className="mt-1 flex flex-col gap-1">
        {unknown.map(([name, tickers]) => (
          <li key={name} className="flex flex-wrap items-center gap-1">
            <TickerChip ticker={name} />
            {tickers.slice(0, SHOWN).map((ticker) => (
              <TickerChip key={ticker} ticker={ticker} />
            ))}
            {tickers.length > SHOWN && <span>and {plural(tickers.length - SHOWN, 'more', 'more')}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
