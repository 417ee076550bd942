import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { reasonInWords } from '@quantloom/adapters/market-data/import/read-failure';
import { PriceCsvReader, type PriceFile } from '@quantloom/compute/data/price-csv';
import type { Provenance } from '@quantloom/domain/contracts/backtest';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import { findVersion } from '@quantloom/domain/market-data/kept-versions';
import { basesOf, basisByTicker } from '@quantloom/domain/market-data/price-basis';
import { holdsSimulatedPrices } from '@quantloom/domain/market-data/simulated-prefix';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { CommandError } from './command-error.ts';

export interface LoadedPrices {
  readonly prices: ReadonlyMap<string, PriceSeries>;
  /** What the prices are; missing where they come from files given by hand. */
  readonly provenance?: Provenance;
}

/** Opens the market data of the data folder; the caller closes it. */
export type MarketDataFactory = () => Promise<MarketData & { close(): Promise<void> }>;

/** The market data files of the data folder. */
export const openDataFolder: MarketDataFactory = async () => {
  // Loaded on demand: a command that is given its prices needs none of it.
  const { openMarketDataFiles } = await import('@quantloom/adapters/market-data/files/market-data-files');
  return openMarketDataFiles({ dataDir: process.env.DATA_DIR || '.data' });
};

/**
 * Loads the prices of some tickers: from price files where any are given, else from the data folder, of the
 * current version or a named one.
 */
export async function loadPrices(
  tickers: readonly string[],
  files: readonly string[],
  openMarketData: MarketDataFactory,
  wanted?: string,
): Promise<LoadedPrices> {
  return files.length > 0 ? readPriceFiles(tickers, files) : readDataFolder(tickers, openMarketData, wanted);
}

async function readPriceFiles(tickers: readonly string[], files: readonly string[]): Promise<LoadedPrices> {
  const prices = new Map<string, PriceSeries>();
  for (const file of files) {
    const { prices: found, rejectedRows } = await readPriceFile(file, tickers);
    if (rejectedRows > 0)
      process.stderr.write(`${file}: ${rejectedRows} rows without a usable price are left out\n`);
    for (const [ticker, series] of found) {
      if (prices.has(ticker)) throw new CommandError(400, `${ticker} is in more than one price file`);
      prices.set(ticker, series);
    }
  }
  return { prices };
}

async function readPriceFile(file: string, tickers: readonly string[]): Promise<PriceFile> {
  const reader = new PriceCsvReader(tickers);
  try {
    const source = createReadStream(file, { highWaterMark: 1 << 20 });
    const stream = file.endsWith('.gz') ? source.compose(createGunzip({ chunkSize: 1 << 20 })) : source;
    for await (const chunk of stream) reader.push(chunk as Uint8Array);
    return reader.finish();
  } catch (error) {
    // What the reader itself finds is said in its words.
    const reason = reasonInWords(error) ?? (error as Error).message;
    throw new CommandError(400, `${file} cannot be read: ${reason}`, { cause: error });
  }
}

async function readDataFolder(
  tickers: readonly string[],
  openMarketData: MarketDataFactory,
  wanted: string | undefined,
): Promise<LoadedPrices> {
  const marketData = await openMarketData();
  try {
    const dataSet = wanted === undefined ? await marketData.current() : await findVersion(marketData, wanted);
    if (dataSet === undefined) {
      const sentence = `There is no data set of version ${wanted}`;
      throw new RefusalError(refuse(400, 'unknown_version', sentence));
    }
    const { version } = dataSet;
    const prices = await marketData.load(version, tickers);
    const price_basis = basesOf(basisByTicker(await marketData.assets(version)), prices.values());
    return {
      prices,
      provenance: {
        data_version: version,
        engine_version: ENGINE_VERSION,
        is_simulated: holdsSimulatedPrices(dataSet, tickers),
        ...(price_basis.length > 0 && { price_basis }),
      },
    };
  } finally {
    await marketData.close();
  }
}

/** Collects a repeatable option into a list. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Today at the exchange, `YYYY-MM-DD`. */
export function today(): string {
  return exchangeDay(new Date());
}
