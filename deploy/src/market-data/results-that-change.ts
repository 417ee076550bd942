import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { changedBarsOf } from '@quantloom/domain/market-data/changed-results';
import { parseDay } from '@quantloom/domain/market-data/day';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { keptVersions } from '@quantloom/domain/market-data/kept-versions';
import { readNameOnBasis } from '@quantloom/domain/market-data/price-basis';
import { sameBars } from '@quantloom/domain/market-data/series-comparison';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { batchesIn, figureOf, lastRunsIn } from './computed-results.ts';

/** A batch, or the last run of a strategy, that used bars which an import has changed. */
export interface ChangedResult {
  readonly kind: 'batch' | 'strategy';
  readonly id: string;
  readonly name: string;
  /** Those of its tickers that have other bars now. */
  readonly tickers: readonly string[];
  /**
   * Annual return (of a batch: of its first combination) on the prices of then and of now, as fractions; null
   * where it was not computed again.
   */
  readonly figure: { readonly before: number; readonly after: number } | null;
}

/** Results with more tickers are not compared. */
const MOST_TICKERS = 300;
/** A figure takes two backtests. */
const MOST_FIGURES = 10;

/**
 * The batches and last runs of strategies whose bars differ between the version they were computed on and the
 * one that an import has published, up to their last day; batches first, each kind from the newest on.
 * Versions that are gone cannot be compared: their results are left out.
 */
export async function resultsThatChange(
  log: EventStore,
  marketData: Pick<MarketDataFiles, 'load' | 'versions'>,
  report: ImportReport,
  today: string,
): Promise<readonly ChangedResult[]> {
  const touched = new Set(changedBarsOf(report, false).firstDays.map(([ticker]) => ticker));
  if (touched.size === 0) return [];
  const kept = await keptVersions(marketData);
  const found: ChangedResult[] = [];
  for (const candidates of [await batchesIn(log), await lastRunsIn(log)]) {
    let figures = 0;
    for (const { dataVersion, read } of candidates) {
      if (dataVersion === report.version || !kept.has(dataVersion)) continue;
      const computed = await read();
      if (!computed) continue;
      const { kind, id, name, tickers, endDate } = computed;
      if (tickers.length > MOST_TICKERS || !tickers.some((ticker) => touched.has(ticker))) continue;
      const then = await marketData.load(dataVersion, tickers);
      const now = await marketData.load(report.version, tickers);
      const lastDay = parseDay(endDate) ?? Number.POSITIVE_INFINITY;
      const changed = tickers.filter((ticker) => !sameBars(then.get(ticker), now.get(ticker), lastDay));
      if (changed.length === 0) continue;
      const figure = figures < MOST_FIGURES ? figureOf(computed, then, now, today) : null;
      figures += 1;
      // Closes on another basis are named by their ticker.
      const named = new Set(changed.map((ticker) => readNameOnBasis(ticker)?.ticker ?? ticker));
      found.push({ kind, id, name, tickers: [...named], figure });
    }
  }
  return found;
}

/** The same for an embedded installation that may or may not be running; none where there is no log. */
export async function resultsThatChangeInFolder(
  dataDir: string,
  marketData: Pick<MarketDataFiles, 'load' | 'versions'>,
  report: ImportReport,
  today: string,
): Promise<readonly ChangedResult[]> {
  const path = join(dataDir, 'quantloom.sqlite');
  if (!existsSync(path)) return [];
  const { openSqliteDatabase } = await import('@quantloom/adapters/sqlite/database');
  const { openSqliteEventStore } = await import('@quantloom/adapters/event-store/sqlite/sqlite-event-store');
  const { openSealedEventStore } = await import('@quantloom/adapters/event-store/sealed/sealed-event-store');
  const { openSqlitePersonKeys } = await import('@quantloom/adapters/person-keys/sqlite/sqlite-person-keys');
  const { KEYS_FILE } = await import('../wiring/person-keys.ts');
  const database = openSqliteDatabase(path);
  const keys = openSqlitePersonKeys(join(dataDir, KEYS_FILE));
  const eventStore = openSealedEventStore(openSqliteEventStore(database), keys);
  try {
    return await resultsThatChange(eventStore, marketData, report, today);
  } finally {
    await eventStore.close();
    await keys.close();
    database.close();
  }
}

/** Lines for people. */
export function changedResultLines(results: readonly ChangedResult[]): string[] {
  const batches = results.filter(({ kind }) => kind === 'batch');
  const strategies = results.filter(({ kind }) => kind === 'strategy');
  return [
    ...listed(batches, 'batch used', 'batches used', 'its first combination made'),
    ...listed(strategies, 'strategy was last run on', 'strategies were last run on', 'it made'),
  ];
}

function listed(results: readonly ChangedResult[], one: string, several: string, made: string): string[] {
  if (results.length === 0) return [];
  const shown = results.slice(0, 20).map(({ name, id, tickers, figure }) => {
    const named = `${tickers.slice(0, 5).join(', ')}${tickers.length > 5 ? ` and ${tickers.length - 5} more` : ''}`;
    const figures = figure
      ? `; ${made} ${percent(figure.before)} a year then, ${percent(figure.after)} now`
      : '';
    return `  ${name} (${id}) used ${named}${figures}`;
  });
  return [
    '',
    `${results.length} ${results.length === 1 ? one : several} prices that are others now:`,
    ...shown,
    ...(results.length > shown.length ? [`  … ${results.length - shown.length} more`] : []),
  ];
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`;
}
