import { formatAgo, formatDate } from '../../lib/format.ts';
import type { LastRun } from '../../lib/resources.ts';
import { termsOf, termsWords } from './terms.ts';

/**
 * What figures of a strategy's last run are of:
 * `Run 2 days ago: Jan 4, 2010 to Nov 20, 2026, 10 bps slippage, same close, cash 0%`.
 */
export function lastRunWords({ at, firstDay, lastDay, terms, isSimulated }: LastRun): string {
  const { fill, cash, indicator_prices } = terms;
  const traded = termsWords(termsOf({ fill, cash, indicator_prices }));
  return (
    `Run ${formatAgo(at)}: ${formatDate(firstDay)} to ${formatDate(lastDay)}, ${terms.slippage_bps} bps slippage, ` +
    `${traded.charAt(0).toLowerCase()}${traded.slice(1)}${isSimulated ? ', simulated prices' : ''}`
  );
}
