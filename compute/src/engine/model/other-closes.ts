import { isSeriesName } from '@quantloom/domain/market-data/condition-series';
import { indicatorPricesInWords, nameOnBasis } from '@quantloom/domain/market-data/price-basis';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { IndicatorPrices } from '@quantloom/domain/strategy/run-settings';
import { forEachDecisionPlace } from '@quantloom/domain/strategy/ticker-places';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { isVariable, sidesOf } from '@quantloom/domain/strategy/values';
import { refuseRequest } from './terms.ts';

/** Tickers that a refusal names. */
const MOST_NAMED = 10;

/** The name under which prices hold what decisions read of a ticker. Series for conditions have one basis. */
export function decisionName(ticker: string, prices: IndicatorPrices): string {
  return prices === 'adjusted' || isSeriesName(ticker) ? ticker : nameOnBasis(ticker, prices);
}

/**
 * Refuses a run whose decisions would read closes that some of its tickers have none of. Tickers without any
 * prices are refused elsewhere, or leave rows of a batch empty.
 * @param variables the values of the variables that stand in the tree
 * @param at path of the object that holds the setting
 * @throws RefusalError (400) naming the tickers
 */
export function refuseMissingCloses(
  algorithm: Algorithm,
  prices: ReadonlyMap<string, PriceSeries>,
  indicatorPrices: IndicatorPrices,
  {
    variables = new Map(),
    at = '',
  }: {
    readonly variables?: ReadonlyMap<string, readonly (string | number)[]>;
    readonly at?: string;
  } = {},
): void {
  if (indicatorPrices === 'adjusted') return;
  const missing = new Set<string>();
  const look = (ticker: string) => {
    if (hasBars(prices, ticker) && !hasBars(prices, decisionName(ticker, indicatorPrices)))
      missing.add(ticker);
  };
  forEachDecisionPlace(algorithm, (value) => {
    for (const side of sidesOf(value))
      if (!isVariable(side)) look(side);
      else
        for (const bound of variables.get(side) ?? []) for (const part of sidesOf(String(bound))) look(part);
  });
  if (missing.size === 0) return;
  const named = [...missing].slice(0, MOST_NAMED).join(', ');
  const more = missing.size > MOST_NAMED ? ` and ${missing.size - MOST_NAMED} more` : '';
  const message =
    `Decisions are to be read from ${indicatorPricesInWords(indicatorPrices)}, and the market data ` +
    `have none of ${named}${more}. Choose adjusted closes, or have a file imported that holds both ` +
    `for ${missing.size === 1 ? 'it' : 'them'}`;
  refuseRequest('no_such_closes', message, [
    { code: 'no_such_closes', message, path: `${at}/indicator_prices` },
  ]);
}

function hasBars(prices: ReadonlyMap<string, PriceSeries>, name: string): boolean {
  return (prices.get(name)?.days.length ?? 0) > 0;
}
