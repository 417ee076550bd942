import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { runBacktest } from '@quantloom/compute/engine/backtest';
import { bindCombination, planBatch } from '@quantloom/compute/engine/batch-plan';
import { tickersOf } from '@quantloom/compute/engine/tickers';
import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { stateAt } from '@quantloom/domain/kernel/history';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { parseDay } from '@quantloom/domain/market-data/day';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { sameBars } from '@quantloom/domain/market-data/series-comparison';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { RecordedRun } from '@quantloom/domain/strategy-run/events';
import { textOf } from '@quantloom/http/documents/trees';

/** A batch, or the last run of a strategy, that used bars which an import has changed. */
export interface ChangedResult {
  readonly kind: 'batch' | 'strategy';
  readonly id: string;
  readonly name: string;
  /** Those of its tickers that have other bars now. */
  readonly tickers: readonly string[];
  /** Annual return (of a batch: of its first combination) on the prices of then and of now, as fractions; null where it was not computed again. */
  readonly figure: { readonly before: number; readonly after: number } | null;
}

type Prices = ReadonlyMap<string, PriceSeries>;

/** Something that was computed on a version of the market data. */
interface Computed extends Pick<ChangedResult, 'kind' | 'id' | 'name'> {
  readonly tickers: readonly string[];
  readonly endDate: string;
  readonly annualReturnOn: (prices: Prices, today: string) => number | null;
}

/** Something that may have been computed on bars that are others now; what it is takes reading. */
interface Candidate {
  readonly dataVersion: string;
  readonly read: () => Promise<Computed | null>;
}

/** Results with more tickers are not compared. */
const MOST_TICKERS = 300;
/** A figure takes two backtests. */
const MOST_FIGURES = 10;

/**
 * The batches and last runs of strategies whose bars differ between the version they were computed on and the one that an import has published,
 * up to their last day; batches first, each kind from the newest on. Versions that are gone cannot be compared: their results are left out.
 */
export async function resultsThatChange(
  log: EventStore,
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
      found.push({ kind, id, name, tickers: changed, figure });
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
  return `${(fraction * 100).toFixed(2)} %`;
}

/** All that were created and not deleted, the newest first. */
async function batchesIn(log: EventStore): Promise<readonly Candidate[]> {
  const batches = new Map<string, BatchBacktestCreated['data']>();
  const events = log.readAll(-1n, {
    filter: { eventTypes: ['BatchBacktestCreated', 'BatchBacktestDeleted'] },
  });
  for await (const { type, stream, data } of events)
    if (type === 'BatchBacktestDeleted') batches.delete(stream);
    else batches.set(stream, data as BatchBacktestCreated['data']);
  return [...batches.values()].reverse().map((batch) => ({
    dataVersion: batch.dataVersion,
    read: () => Promise.resolve(computedBatch(batch)),
  }));
}

function computedBatch({
  batchId,
  name,
  template,
  variables,
  config,
}: BatchBacktestCreated['data']): Computed {
  const request = {
    template_bot: template,
    variables: Object.fromEntries(variables.map((variable) => [variable.name, variable.values])),
    backtest_config: config,
  } as unknown as BatchRequest;
  return {
    kind: 'batch',
    id: batchId,
    name,
    tickers: tickersOf(template.algorithm, request.variables, config),
    endDate: config.end_date,
    annualReturnOn: (prices, today) => {
      const plan = planBatch(request, prices, { today });
      const single = { ...request.backtest_config, trading_bot: bindCombination(plan, 0) };
      return annualReturn(single as unknown as BacktestRequest, prices, today);
    },
  };
}

/** The last recorded run of every strategy that was not deleted, the newest first. */
async function lastRunsIn(log: EventStore): Promise<readonly Candidate[]> {
  const runs = new Map<string, RecordedRun>();
  const deleted = new Set<string>();
  const events = log.readAll(-1n, {
    filter: { eventTypes: ['StrategyRunRecorded', 'StrategyDeleted', 'StrategyDeletionUndone'] },
  });
  for await (const { type, data } of events) {
    const { strategyId } = data as Pick<RecordedRun, 'strategyId'>;
    if (type === 'StrategyDeleted') deleted.add(strategyId);
    else if (type === 'StrategyDeletionUndone') deleted.delete(strategyId);
    else {
      runs.delete(strategyId);
      runs.set(strategyId, data as RecordedRun);
    }
  }
  const live = [...runs.values()].filter(({ strategyId }) => !deleted.has(strategyId));
  return live.reverse().map((run) => ({
    dataVersion: run.dataVersion,
    read: () => computedRun(log, run),
  }));
}

async function computedRun(
  log: EventStore,
  { strategyId, revision, terms }: RecordedRun,
): Promise<Computed | null> {
  const then = await stateAt(log, strategyStream, strategyId, revision);
  if (!then || then.state.status === 'none') return null;
  const algorithm: Algorithm = JSON.parse(await textOf(log, heldTreeOf(then.state)));
  return {
    kind: 'strategy',
    id: strategyId,
    name: then.state.name,
    tickers: tickersOf(algorithm, {}, terms),
    endDate: terms.end_date,
    annualReturnOn: (prices, today) => annualReturn({ ...terms, trading_bot: algorithm }, prices, today),
  };
}

function annualReturn(request: BacktestRequest, prices: Prices, today: string): number | null {
  return runBacktest(request, prices, { today }).metrics.annualized_return;
}

function figureOf(computed: Computed, then: Prices, now: Prices, today: string): ChangedResult['figure'] {
  try {
    const [before, after] = [computed.annualReturnOn(then, today), computed.annualReturnOn(now, today)];
    return before === null || after === null ? null : { before, after };
  } catch (error) {
    // The first combination of a batch may be one that cannot run.
    if (error instanceof RefusalError) return null;
    throw error;
  }
}
