import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { LRUCache } from 'lru-cache';
import { type Calendar, calendarOf } from '../../model/calendar.ts';
import { type Column, returnsOf } from '../../series/column.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Workspace } from './workspace.ts';

/** A column in the workspace's memory and the days on which it is defined; `first > last`: never. */
export interface MemoryColumn {
  readonly id: number;
  readonly at: number;
  readonly first: number;
  readonly last: number;
}

/** A column whose values lie in the workspace's memory. */
interface PlacedColumn extends Column {
  readonly at: number;
}

/** Prices of a ticker or ratio on a calendar. */
export interface Series extends Column {
  /** Unique in its market. */
  readonly number: number;
}

/** Something in the workspace's memory that several batches may use. */
interface Shared {
  users: number;
  /** Bytes that come back when it is disposed of. */
  readonly bytes: number;
  dispose(): void;
}

/** Things without a user that are kept all the same, since the next batch is often like the last. */
const KEPT = 2;
/** Indicators in use at the same time must fit: the children of the largest block. */
const LEAST_INDICATORS = 512;
/** Columns whose daily returns are kept: those of the tickers and blocks that a batch ranks or weighs. */
const KEPT_RETURNS = 32;
const PERIOD = 4096;

/** Days rounded up to what kernels may touch, so that columns in a row do not fight over the same sets of the cache. */
export function paddedDays(days: number): number {
  const padded = ((days + 15) & ~15) + 16;
  return (padded * 8) % PERIOD < 512 ? padded + 64 : padded;
}

/**
 * A bound on the entries of a cache. By `max` room for all of them is made at once, which a small batch would
 * pay for thousands of entries that it never has.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/**
 * What batches on the same calendar share: aligned prices, indicators and tables of returns. Bounded: the
 * least recently used columns go first.
 */
export class MarketColumns {
  readonly calendar: Calendar;
  readonly padded: number;
  readonly indicators: LRUCache<string, MemoryColumn>;
  private readonly series: LRUCache<string, Series>;
  private readonly returns: LRUCache<Column, PlacedColumn>;
  private readonly tables = new Map<string, Shared>();
  private readonly workspace: Workspace;
  private readonly bytes: number;
  private nextNumber = 0;

  constructor(workspace: Workspace, calendar: Calendar, bytes: number) {
    this.workspace = workspace;
    this.calendar = calendar;
    this.bytes = bytes;
    this.padded = paddedDays(calendar.length);
    const columns = Math.max(LEAST_INDICATORS, Math.floor(bytes / 2 / (this.padded * 8)));
    this.series = new LRUCache(upTo(columns));
    const dispose = ({ at }: { readonly at: number }) => workspace.freeColumn(at);
    this.indicators = new LRUCache<string, MemoryColumn>({ ...upTo(columns), dispose });
    this.returns = new LRUCache<Column, PlacedColumn>({ ...upTo(KEPT_RETURNS), dispose });
  }

  get nextId(): number {
    return this.nextNumber++;
  }

  seriesOf(key: string, compute: () => Column): Series {
    const known = this.series.get(key);
    if (known !== undefined) return known;
    const series = { ...compute(), number: this.nextId };
    this.series.set(key, series);
    return series;
  }

  /** Daily returns of prices, which indicators over several windows share; good until many others were asked for. */
  returnsOf(prices: Column): Column {
    const known = this.returns.get(prices);
    if (known !== undefined) return known;
    const { at, values } = this.allocateColumn();
    const returns = { ...returnsOf(prices, () => values.fill(Number.NaN)), at };
    this.returns.set(prices, returns);
    return returns;
  }

  /** Place in the workspace for a column, with whatever was there before. The caller frees it. */
  allocateColumn(): { readonly at: number; readonly values: Float64Array } {
    const at = this.workspace.allocateColumn(this.padded * 8);
    return { at, values: this.workspace.f64.subarray(at / 8, at / 8 + this.calendar.length) };
  }

  /** A shared table, built by the first that asks for it. Give it back by `releaseTable`. */
  acquireTable<T extends { readonly bytes: number; dispose(): void }>(key: string, build: () => T): T {
    const known = this.tables.get(key);
    if (known !== undefined) {
      known.users++;
      this.tables.delete(key);
      this.tables.set(key, known);
      return (known as Shared & { table: T }).table;
    }
    const table = build();
    const shared = { table, users: 1, bytes: table.bytes, dispose: () => table.dispose() };
    this.tables.set(key, shared);
    return table;
  }

  releaseTable(key: string): void {
    const shared = this.tables.get(key);
    if (shared !== undefined) shared.users--;
    dropUnused(this.tables, KEPT, this.bytes);
  }

  dispose(): void {
    this.indicators.clear();
    this.returns.clear();
    this.series.clear();
    dropUnused(this.tables, 0, 0);
  }
}

/** Disposes of the oldest things without a user, so that at most `kept` of them and about `bytes` bytes remain. */
function dropUnused(things: Map<string, Shared>, kept: number, bytes: number): void {
  const unused = [...things].filter(([, { users }]) => users <= 0);
  let left = unused.length;
  let size = unused.reduce((sum, [, thing]) => sum + thing.bytes, 0);
  for (const [key, thing] of unused) {
    if (left <= kept && size <= bytes) return;
    things.delete(key);
    thing.dispose();
    left--;
    size -= thing.bytes;
  }
}

interface SharedMarket extends Shared {
  readonly market: MarketColumns;
}

const markets = new WeakMap<Workspace, Map<string, SharedMarket>>();

/** The columns of the benchmark's calendar in a workspace, and how to give them back. */
export function acquireMarket(
  workspace: Workspace,
  benchmark: PriceSeries,
  bytes: number,
): { market: MarketColumns; release: () => void } {
  const all = markets.get(workspace) ?? new Map<string, SharedMarket>();
  markets.set(workspace, all);
  const key = fingerprintOf(benchmark);
  let shared = all.get(key);
  if (shared === undefined) {
    // A copy: the days may lie in memory that its owner takes back.
    const calendar = Int32Array.from(calendarOf(benchmark, [], new Map()));
    const market = new MarketColumns(workspace, calendar, bytes);
    // Its columns are bounded by themselves.
    shared = { market, users: 0, bytes: 0, dispose: () => market.dispose() };
  }
  all.delete(key);
  all.set(key, shared);
  shared.users++;
  const { market } = shared;
  const release = () => {
    const current = all.get(key);
    if (current !== undefined) current.users--;
    dropUnused(all, KEPT, 0);
  };
  return { market, release };
}
