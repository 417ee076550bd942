import type { BatchDefinitionDocument, BatchDocument } from '@quantloom/domain/batch/projections';
import { tickersOf } from '@quantloom/domain/batch/request';
import { parseDay } from '@quantloom/domain/market-data/day';
import { nameOnBasis } from '@quantloom/domain/market-data/price-basis';
import { sameBars } from '@quantloom/domain/market-data/series-comparison';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { LRUCache } from 'lru-cache';

/** Tickers of one batch that are compared; one with more is told that nobody has looked. */
const MOST_TICKERS = 300;
const REMEMBERED = 5_000;

/**
 * Which tickers of a batch have other bars in a newer version of the market data, up to the batch's last day;
 * null where that cannot be told: the version is gone, or there are too many. Versions never change, so that
 * an answer is good for ever.
 */
export class ChangedBars {
  readonly #marketData: MarketData;
  readonly #known = new LRUCache<string, { readonly tickers: readonly string[] | null }>({ max: REMEMBERED });

  constructor(marketData: MarketData) {
    this.#marketData = marketData;
  }

  async of(
    batch: Pick<BatchDocument, 'id' | 'dataVersion'>,
    definition: BatchDefinitionDocument,
    current: string,
  ): Promise<readonly string[] | null> {
    if (batch.dataVersion === current) return [];
    const key = `${batch.id}/${current}`;
    const known = this.#known.get(key);
    if (known) return known.tickers;
    const tickers = await this.#compare(batch.dataVersion, current, definition);
    this.#known.set(key, { tickers });
    return tickers;
  }

  async #compare(
    then: string,
    now: string,
    definition: BatchDefinitionDocument,
  ): Promise<readonly string[] | null> {
    const { templateBot: template, variables, variableNames, backtestConfig: config } = definition;
    const { inTree, byVariable } = tickersOf({
      template,
      variables: variableNames.map((name) => ({ name, values: variables[name] ?? [] })),
    });
    const { benchmark_ticker: benchmark = DEFAULT_BENCHMARK, cash } = config;
    // What cash earns is the price of a ticker, too.
    const earning = cash && 'ticker' in cash ? [cash.ticker] : [];
    const tickers = [...new Set([...inTree, ...[...byVariable.values()].flat(), benchmark, ...earning])];
    if (tickers.length > MOST_TICKERS) return null;
    // Decisions may have read other closes of the same tickers.
    const prices = config.indicator_prices;
    const otherName = (ticker: string) =>
      prices && prices !== 'adjusted' ? nameOnBasis(ticker, prices) : null;
    const names = [...tickers, ...tickers.map(otherName).filter((name) => name !== null)];
    const lastDay = parseDay(config.end_date) ?? Number.POSITIVE_INFINITY;
    try {
      const [before, after] = await Promise.all([
        this.#marketData.load(then, names),
        this.#marketData.load(now, names),
      ]);
      const isSame = (name: string) => sameBars(before.get(name), after.get(name), lastDay);
      return tickers.filter((ticker) => {
        const other = otherName(ticker);
        return !isSame(ticker) || (other !== null && !isSame(other));
      });
    } catch (error) {
      const { code } = error as { code?: unknown };
      // A version that was removed or damaged; what is wrong with the current one is told elsewhere.
      if (code === 'unknown_version' || code === 'data_set_damaged') return null;
      throw error;
    }
  }
}
