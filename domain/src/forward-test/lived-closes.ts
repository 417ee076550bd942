import { day as dayNumber, formatDay } from '../market-data/day.ts';
import type { MarketData, PriceSeries } from '../ports/market-data.ts';
import { DEFAULT_SLIPPAGE_BPS } from '../strategy/backtest-terms.ts';
import { type LastClose, type LivedRecord, livedRecord } from './lived.ts';
import type { DecisionDocument } from './projections.ts';

/**
 * What came of decisions as they were made, on the closes of one version of the market data and after the default costs.
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

/** Days of decisions before which there were trading days without one. */
function resumedDays(
  decisions: readonly DecisionDocument[],
  series: ReadonlyMap<string, PriceSeries>,
): ReadonlySet<string> {
  const traded = [...new Set([...series.values()].flatMap(({ days }) => [...days]))].sort((a, b) => a - b);
  const place = new Map(traded.map((day, index) => [day, index]));
  const at = (index: number) => place.get(dayNumber(decisions[index]?.day ?? ''));
  return new Set(
    decisions.flatMap(({ day }, index) => {
      const [before, now] = [index === 0 ? undefined : at(index - 1), at(index)];
      return before !== undefined && now !== undefined && now > before + 1 ? [day] : [];
    }),
  );
}
