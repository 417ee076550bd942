import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { runBacktest } from '@quantloom/compute/engine/backtest';
import { bindCombination, planBatch } from '@quantloom/compute/engine/batch-plan';
import { tickersOf } from '@quantloom/compute/engine/tickers';
import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { parseDay } from '@quantloom/domain/market-data/day';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { sameBars } from '@quantloom/domain/market-data/series-comparison';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';

/** A batch that used bars which an import has changed. */
export interface ChangedResult {
  readonly batchId: string;
  readonly name: string;
  readonly strategyId: string | null;
  /** Those of its tickers that have other bars now. */
  readonly tickers: readonly string[];
  /** Annual return of its first combination on the prices of then and of now, as fractions; null where it was not computed again. */
  readonly figure: { readonly before: number; readonly after: number } | null;
}

/** Batches with more tickers are not compared. */
const MOST_TICKERS = 300;
/** A figure takes two backtests. */
const MOST_FIGURES = 10;

type Created = BatchBacktestCreated['data'];

/**
 * The batches whose bars differ between the version they were run on and the one that an import has published, up to their last day. Versions that
 * are gone cannot be compared: their batches are left out.
 */
export async function resultsThatChange(
  eventStore: Pick<EventStore, 'readAll'>,
  marketData: Pick<MarketDataFiles, 'load' | 'versions'>,
  report: ImportReport,
  today: string,
): Promise<readonly ChangedResult[]> {
  const touched = new Set(
    (report.series ?? []).flatMap(({ ticker, added, changed, lost }) =>
      added + changed + lost > 0 ? [ticker] : [],
    ),
  );
  if (touched.size === 0) return [];
  const kept = new Set((await marketData.versions()).map(({ version }) => version));
  const found: ChangedResult[] = [];
  for (const batch of await batchesOf(eventStore)) {
    if (batch.dataVersion === report.version || !kept.has(batch.dataVersion)) continue;
    const request = requestOf(batch);
    const tickers = tickersOf(batch.template.algorithm, request.variables, batch.config);
    if (tickers.length > MOST_TICKERS || !tickers.some((ticker) => touched.has(ticker))) continue;
    const [then, now] = [
      await marketData.load(batch.dataVersion, tickers),
      await marketData.load(report.version, tickers),
    ];
    const lastDay = parseDay(batch.config.end_date) ?? Number.POSITIVE_INFINITY;
    const changed = tickers.filter((ticker) => !sameBars(then.get(ticker), now.get(ticker), lastDay));
    if (changed.length === 0) continue;
    const isShown = found.length < MOST_FIGURES;
    found.push({
      batchId: batch.batchId,
      name: batch.name,
      strategyId: batch.strategyId,
      tickers: changed,
      figure: isShown ? figureOf(request, then, now, today) : null,
    });
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
  if (results.length === 0) return [];
  const shown = results.slice(0, 20).map(({ name, batchId, tickers, figure }) => {
    const named = `${tickers.slice(0, 5).join(', ')}${tickers.length > 5 ? ` and ${tickers.length - 5} more` : ''}`;
    const figures = figure
      ? `; its first combination made ${percent(figure.before)} a year then, ${percent(figure.after)} now`
      : '';
    return `  ${name} (${batchId}) used ${named}${figures}`;
  });
  return [
    '',
    `${results.length} ${results.length === 1 ? 'batch' : 'batches'} used prices that are others now:`,
    ...shown,
    ...(results.length > shown.length ? [`  … ${results.length - shown.length} more`] : []),
  ];
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)} %`;
}

/** All that were created and not deleted, the newest first. */
async function batchesOf(eventStore: Pick<EventStore, 'readAll'>): Promise<readonly Created[]> {
  const batches = new Map<string, Created>();
  const events = eventStore.readAll(-1n, {
    filter: { eventTypes: ['BatchBacktestCreated', 'BatchBacktestDeleted'] },
  });
  for await (const { type, stream, data } of events)
    if (type === 'BatchBacktestDeleted') batches.delete(stream);
    else batches.set(stream, data as Created);
  return [...batches.values()].reverse();
}

function requestOf({ template, variables, config }: Created): BatchRequest {
  return {
    template_bot: template,
    variables: Object.fromEntries(variables.map(({ name, values }) => [name, values])),
    backtest_config: config,
  } as unknown as BatchRequest;
}

function figureOf(
  request: BatchRequest,
  then: ReadonlyMap<string, PriceSeries>,
  now: ReadonlyMap<string, PriceSeries>,
  today: string,
): ChangedResult['figure'] {
  const returnOn = (prices: ReadonlyMap<string, PriceSeries>): number | null => {
    const plan = planBatch(request, prices, { today });
    const single = { ...request.backtest_config, trading_bot: bindCombination(plan, 0) };
    return runBacktest(single as unknown as BacktestRequest, prices, { today }).metrics.annualized_return;
  };
  try {
    const figures = { before: returnOn(then), after: returnOn(now) };
    return figures.before === null || figures.after === null
      ? null
      : { before: figures.before, after: figures.after };
  } catch (error) {
    // The first combination of a batch may be one that cannot run.
    if (error instanceof RefusalError) return null;
    throw error;
  }
}
