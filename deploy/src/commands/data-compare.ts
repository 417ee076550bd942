import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { compareSources, type SourceComparison } from '@quantloom/domain/market-data/second-source';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { CommandError } from './command-error.ts';

export interface ComparedTicker extends SourceComparison {
  readonly ticker: string;
}

const SHOWN_DAYS = 5;

/**
 * Compares two sources: a version of the data set (`current` for the present one) or files. Files are read as
 * an import reads them, into a folder that is removed. Answers the tickers that both have, in the order of
 * the alphabet.
 */
export async function compareData(
  dataDir: string,
  first: string,
  second: string,
  options: { readonly threshold: number; readonly tickers: readonly string[] },
): Promise<ComparedTicker[]> {
  await using a = await openSource(dataDir, first);
  await using b = await openSource(dataDir, second);
  const inB = new Set(b.tickers);
  const wanted = options.tickers.length > 0 ? options.tickers : a.tickers.filter((ticker) => inB.has(ticker));
  if (wanted.length === 0) throw new CommandError(400, `${first} and ${second} have no ticker in common`);
  const compared: ComparedTicker[] = [];
  for (const ticker of wanted) {
    const [left, right] = [await a.read(ticker), await b.read(ticker)];
    if (!left || !right) throw new CommandError(404, `${ticker} is not in ${left ? second : first}`);
    compared.push({ ticker, ...compareSources(left, right, options.threshold) });
  }
  return compared;
}

interface Source extends AsyncDisposable {
  readonly tickers: readonly string[];
  read(ticker: string): Promise<PriceSeries | undefined>;
}

async function openSource(dataDir: string, name: string): Promise<Source> {
  if (!existsSync(name)) return openVersion(dataDir, name, async () => {});
  const folder = await mkdtemp(join(tmpdir(), 'quantloom-compare-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // What is wrong with a source is what one wants to see here.
    await importFiles({ dataDir: folder, files: [name], now: new Date(), allowBadRows: true });
    return await openVersion(folder, 'current', remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

async function openVersion(dataDir: string, name: string, afterwards: () => Promise<void>): Promise<Source> {
  const marketData = await openMarketDataFiles({ dataDir, simulatedTickers: false });
  const close = async () => {
    await marketData.close();
    await afterwards();
  };
  try {
    const version = name === 'current' ? (await marketData.current()).version : name;
    const tickers = (await marketData.assets(version)).map(({ ticker }) => ticker);
    return {
      tickers,
      read: async (ticker) => (await marketData.load(version, [ticker])).get(ticker),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What `data compare` prints. */
export function comparisonLines(compared: readonly ComparedTicker[], threshold: number): string[] {
  return compared.flatMap((one) => {
    const lines = [
      `${one.ticker}: ${one.commonDays} common days, correlation of returns ` +
        `${one.correlation.toFixed(4)}, ${one.returns.length} ` +
        `${one.returns.length === 1 ? 'return differs' : 'returns differ'} by more than ` +
        `${percent(threshold)}`,
    ];
    if (one.shiftedBy !== 0)
      lines.push(`  the second seems to have the prices a day ${one.shiftedBy > 0 ? 'later' : 'earlier'}`);
    for (const { day, first, second, split } of one.returns.slice(0, SHOWN_DAYS))
      lines.push(
        `  ${day}: ${percent(first)} and ` +
          `${percent(second)}${split ? `, as where one is not adjusted for a ${split} split` : ''}`,
      );
    if (one.returns.length > SHOWN_DAYS) lines.push(`  … ${one.returns.length - SHOWN_DAYS} more`);
    for (const [days, which] of [
      [one.onlyInFirst, 'first'],
      [one.onlyInSecond, 'second'],
    ] as const)
      if (days.length > 0)
        lines.push(
          `  only the ${which} has ` +
            `${days.slice(0, SHOWN_DAYS).join(', ')}${days.length > SHOWN_DAYS ? ` and ${days.length - SHOWN_DAYS} more days` : ''}`,
        );
    return lines;
  });
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`;
}
