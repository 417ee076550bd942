import { setImmediate as breath } from 'node:timers/promises';
import type { MarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import type { StoredResult, StoredResults } from '@quantloom/adapters/market-data/uploads/changed-results';
import { type ChangedBarsOfImport, MOST_LISTED_RESULTS } from '@quantloom/domain/market-data/changed-results';
import { isSeriesName } from '@quantloom/domain/market-data/condition-series';
import { parseDay } from '@quantloom/domain/market-data/day';
import { type KeptVersions, keptVersions } from '@quantloom/domain/market-data/kept-versions';
import { sameBars } from '@quantloom/domain/market-data/series-comparison';
import { compactTicker } from '@quantloom/domain/market-data/ticker';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { batchesIn, type Candidate, type Computed, figureOf, lastRunsIn } from './computed-results.ts';

export interface Search {
  readonly log: EventStore;
  readonly marketData: Pick<MarketDataFiles, 'load' | 'versions'>;
  readonly changed: ChangedBarsOfImport;
  /** The administrator who asked. */
  readonly askedBy: string;
  readonly today: string;
  /** Takes what is found by now; the next one holds all of it again. */
  readonly tell: (found: Omit<StoredResults, 'tries'>) => Promise<void>;
}

/** Of each kind; a figure takes two backtests. */
const MOST_FIGURES = 10;
/** What a figure may cost: trees that use more are listed without. */
const MOST_TICKERS_OF_A_FIGURE = 60;
/** Results with more tickers are taken as changed if one of them is, without a look at their own version. */
const MOST_TICKERS = 300;
/** Candidates between two breaths, in which the end of the parent is noticed. */
const BETWEEN_BREATHS = 100;
const TICKERS_SHOWN = 5;

interface Found {
  readonly row: StoredResult;
  readonly candidate: Candidate;
}

/**
 * The batches and last runs of strategies that used bars which an import changes, the ones that the asker may
 * see first; then figures for the first of those. In a preview a result counts by its tickers and last day
 * alone, and there are no figures: the new version is not there yet.
 */
export async function findChangedResults(search: Search): Promise<void> {
  const { log, changed, tell } = search;
  const first = new Map(changed.firstDays.map(([ticker, day]) => [keyOf(ticker), parseDay(day) ?? 0]));
  const kept = await keptVersions(search.marketData);
  const batches = await listOf(await batchesIn(log), first, kept, search);
  const strategies = await listOf(await lastRunsIn(log), first, kept, search);
  const told = (state: StoredResults['state']) =>
    tell({ state, batches: stored(batches), strategies: stored(strategies) });
  if (changed.version === null) return told('ready');
  await told('figures');
  // What others came to with a strategy is theirs, however public it is; a public batch shows its rows to everybody.
  const isOwn = (row: StoredResult) => row.ownerId === search.askedBy;
  for (const [{ found }, maySee] of [
    [batches, (row: StoredResult) => isOwn(row) || row.isPublic],
    [strategies, isOwn],
  ] as const) {
    const worth = found.filter(({ row }) => maySee(row)).slice(0, MOST_FIGURES);
    for (const one of worth) {
      const figure = await figureFor(one.candidate, kept, search);
      const at = found.indexOf(one);
      if (figure) found[at] = { ...one, row: { ...one.row, figure } };
      await told('figures');
    }
  }
  await told('ready');
}

interface Listed {
  readonly total: number;
  readonly found: Found[];
}

function stored({ total, found }: Listed) {
  return { total, rows: found.map(({ row }) => row) };
}

/**
 * All are counted; as many are kept as can be shown, the asker's own ones first, then public ones, each from
 * the newest on.
 */
async function listOf(
  candidates: readonly Candidate[],
  first: ReadonlyMap<string, number>,
  kept: KeptVersions,
  search: Search,
): Promise<Listed> {
  const ranks: [Found[], Found[], Found[]] = [[], [], []];
  let total = 0;
  for (const [i, candidate] of candidates.entries()) {
    if (i % BETWEEN_BREATHS === 0) await breath();
    if (candidate.dataVersion === search.changed.version) continue;
    const computed = await candidate.read();
    if (!computed) continue;
    const tickers = await changedTickers(computed, candidate.dataVersion, first, kept, search);
    if (tickers.length === 0) continue;
    total += 1;
    const rank = ranks[rankOf(computed, search.askedBy)];
    if (rank.length < MOST_LISTED_RESULTS)
      rank.push({ row: rowOf(computed, tickers, first, search.askedBy), candidate });
  }
  return { total, found: ranks.flat().slice(0, MOST_LISTED_RESULTS) };
}

/** One for all spellings; a series for conditions is not the stock of that name. */
const keyOf = (ticker: string): string =>
  isSeriesName(ticker) ? ticker.trim().toUpperCase() : compactTicker(ticker);

function rankOf({ ownerId, isPublic }: Pick<Computed, 'ownerId' | 'isPublic'>, askedBy: string): 0 | 1 | 2 {
  if (ownerId === askedBy) return 0;
  return isPublic ? 1 : 2;
}

/** Tickers of a result with other bars up to its last day than it was computed on. */
async function changedTickers(
  { tickers, endDate }: Computed,
  dataVersion: string,
  first: ReadonlyMap<string, number>,
  kept: KeptVersions,
  { marketData, changed }: Search,
): Promise<readonly string[]> {
  const lastDay = parseDay(endDate) ?? Number.POSITIVE_INFINITY;
  const hit = tickers.filter((ticker) => (first.get(keyOf(ticker)) ?? Infinity) <= lastDay);
  // Computed on the version that was changed: what the import says is all there is to know.
  const { base, version } = changed;
  if (hit.length === 0 || version === null || dataVersion === base) return hit;
  if (!kept.has(dataVersion) || hit.length > MOST_TICKERS) return hit;
  const [then, now] = [await marketData.load(dataVersion, hit), await marketData.load(version, hit)];
  return hit.filter((ticker) => !sameBars(then.get(ticker), now.get(ticker), lastDay));
}

function rowOf(
  { id, name, ownerId, isPublic }: Computed,
  tickers: readonly string[],
  first: ReadonlyMap<string, number>,
  askedBy: string,
): StoredResult {
  const days = tickers.map((ticker) => first.get(keyOf(ticker)) ?? 0);
  const mayBeNamed = ownerId === askedBy || isPublic;
  return {
    id,
    name: mayBeNamed ? name : null,
    ownerId,
    isPublic,
    tickers: mayBeNamed ? tickers.slice(0, TICKERS_SHOWN) : [],
    ticker_count: tickers.length,
    changed_from: dayText(days),
    figure: null,
  };
}

function dayText(days: readonly number[]): string {
  return new Date(Math.min(...days) * 86_400_000).toISOString().slice(0, 10);
}

async function figureFor(
  { dataVersion, read }: Candidate,
  kept: KeptVersions,
  { marketData, changed: { version }, today }: Search,
): Promise<StoredResult['figure']> {
  const computed = await read();
  if (!computed || version === null || !kept.has(dataVersion)) return null;
  const { tickers } = computed;
  if (tickers.length > MOST_TICKERS_OF_A_FIGURE) return null;
  const [then, now] = [await marketData.load(dataVersion, tickers), await marketData.load(version, tickers)];
  return figureOf(computed, then, now, today);
}
