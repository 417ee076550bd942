import { day as dayNumber, formatDay } from '../market-data/day.ts';
import { isSession } from '../market-data/trading-calendar.ts';
import type { MarketData, PriceSeries } from '../ports/market-data.ts';
import { DEFAULT_SLIPPAGE_BPS } from '../strategy/backtest-terms.ts';
import { type LastClose, type LivedRecord, livedRecord } from './lived.ts';
import type { DecisionDocument } from './projections.ts';

/**
 * What came of decisions as they were made, on the closes of one version of the market data and after the
 * default costs.
 *
 * @param decisions one for each day, by day
 */
export async function recordOn(
  marketData: Pick<MarketData, 'load'>,
  dataVersion: string,
  decisions: readonly DecisionDocument[],
): Promise<LivedRecord> {
  const tickers = [...new Set(decisions.flatMap(({ decision }) => Object.keys(decision.weights)))];
  const series = await marketData.load(dataVersion, tickers);
  return livedRecord(
    decisions,
    lastCloseIn(series),
    DEFAULT_SLIPPAGE_BPS / 10_000,
    resumedDays(decisions, series),
  );
}

function lastCloseIn(series: ReadonlyMap<string, PriceSeries>): LastClose {
  return (ticker, day) => {
    const { days, closes } = series.get(ticker) ?? {};
    const wanted = dayNumber(day);
    // The number of days up to and including the wanted one.
    let [low, high] = [0, days?.length ?? 0];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((days?.[middle] ?? 0) <= wanted) low = middle + 1;
      else high = middle;
    }
    const [last, close] = [days?.[low - 1], closes?.[low - 1]];
    return last === undefined || close === undefined ? undefined : { day: formatDay(last), close };
  };
}

/**
 * Days of decisions before which there were trading days without one. Closes on days without a session (a bar
 * on a holiday, prices of a weekend in a file) are no trading days that anybody could have missed.
 */
function resumedDays(
  decisions: readonly DecisionDocument[],
  series: ReadonlyMap<string, PriceSeries>,
): ReadonlySet<string> {
  const traded = [...new Set([...series.values()].flatMap(({ days }) => [...days].filter(isSession)))];
  traded.sort((a, b) => a - b);
  let next = 0;
  return new Set(
    decisions.flatMap(({ day }, index) => {
      const [before, now] = [dayNumber(decisions[index - 1]?.day ?? day), dayNumber(day)];
      while (next < traded.length && (traded[next] as number) <= before) next += 1;
      const missed = traded[next];
      return missed !== undefined && missed < now ? [day] : [];
    }),
  );
}
