import { SLOT_BYTES, SLOT_SHARE, SLOT_SHARES } from '../../kernels/shared.ts';
import type { BlockPlan } from '../compile/plan.ts';
import type { CalendarData } from './data.ts';
import { NodeCache } from './node-cache.ts';
import { Portfolio, zeros } from './portfolio.ts';
import type { ReturnTable } from './return-table.ts';
import type { Workspace } from './workspace.ts';

/** The days that columns are computed for, as multiples of 16. */
export interface DayWindow {
  readonly from: number;
  readonly days: number;
}

/** A portfolio that is kept, with the columns that belong to it alone, per slot; 0 where none was needed yet. */
export interface Entry {
  readonly portfolio: Portfolio;
  readonly codes: number[];
  readonly shares: number[];
}

export interface AreaParts {
  readonly workspace: Workspace;
  readonly data: CalendarData;
  readonly table: ReturnTable;
  readonly window: DayWindow;
  /** Bytes that the cache of one block may take. */
  readonly cacheBytes: number;
  /** Most slots of any block, and most children. */
  readonly mostSlots: number;
  readonly mostChildren: number;
}

/**
 * What the evaluation of blocks writes to: columns of its own, scratch columns, and portfolios kept per block
 * and binding.
 */
export class Areas {
  readonly workspace: Workspace;
  readonly data: CalendarData;
  readonly table: ReturnTable;
  readonly window: DayWindow;
  readonly cacheBytes: number;
  /** Columns whose content is good until the next step: masks, doubles, descriptions of slots, lists of addresses. */
  readonly scratch: {
    readonly mask: number;
    readonly chosen: number;
    readonly a: number;
    readonly b: number;
    readonly slots: number;
    readonly list: number;
  };
  private readonly whole: Portfolio[] = [];
  private readonly caches: NodeCache<Entry>[] = [];
  private readonly owned: number[] = [];

  constructor(parts: AreaParts) {
    this.workspace = parts.workspace;
    this.data = parts.data;
    this.table = parts.table;
    this.window = parts.window;
    this.cacheBytes = parts.cacheBytes;
    const { padded } = parts.data;
    this.scratch = {
      mask: this.column(padded),
      chosen: this.column(padded),
      a: this.column(padded * 8),
      b: this.column(padded * 8),
      slots: this.column(parts.mostSlots * SLOT_BYTES),
      list: this.column(parts.mostChildren * 8),
    };
  }

  /** A column that lives as long as the batch. */
  column(bytes: number): number {
    const at = this.workspace.allocateColumn(bytes);
    this.owned.push(at);
    return at;
  }

  /** A portfolio that is one ticker throughout. */
  holding(code: number): Portfolio {
    const known = this.whole[code];
    if (known !== undefined) return known;
    const portfolio = new Portfolio(1);
    portfolio.count = 1;
    const { kernels } = this.workspace;
    const { padded } = this.data;
    const at = this.column(padded * this.table.width);
    if (this.table.width === 1) kernels.fill8(at, code, padded);
    else kernels.fill16(at, code, padded);
    portfolio.set(0, at, code, 1, 0);
    this.whole[code] = portfolio;
    return portfolio;
  }

  /** Kept portfolios of a block. */
  cacheOf(block: BlockPlan): NodeCache<Entry> {
    const known = this.caches[block.number];
    if (known !== undefined) return known;
    const bytes = block.slots * this.data.padded * (block.kind === 'inverse' ? 8 : this.table.width);
    const cache = new NodeCache<Entry>(block.key, bytes, this.cacheBytes);
    this.caches[block.number] = cache;
    return cache;
  }

  /** An entry for an index of a block's key, in the place of the one that was there. */
  entry(cache: NodeCache<Entry>, index: number, slots: number): Entry {
    const old = cache.reusable(index);
    if (old !== undefined) return old;
    return { portfolio: new Portfolio(slots), codes: zeros(slots), shares: zeros(slots) };
  }

  ownCodes(entry: Entry, slot: number): number {
    if (entry.codes[slot] === 0) entry.codes[slot] = this.column(this.data.padded * this.table.width);
    return entry.codes[slot] as number;
  }

  ownShare(entry: Entry, slot: number): number {
    if (entry.shares[slot] === 0) entry.shares[slot] = this.column(this.data.padded * 8);
    return entry.shares[slot] as number;
  }

  /** Copies a slot's codes: those of another block's entry change when that block is evaluated again. */
  copyCodes(entry: Entry, slot: number, from: Portfolio, s: number): number {
    const target = this.ownCodes(entry, slot);
    const source = from.codes[s] as number;
    this.workspace.u8.copyWithin(target, source, source + this.data.padded * this.table.width);
    return target;
  }

  /** A column of shares: the given one, or a scratch column filled with the constant. */
  shareAddress(column: number, share: number, scratch: number): number {
    if (column !== 0) return column;
    const { from, days } = this.window;
    this.workspace.kernels.fill64(scratch + from * 8, share, days);
    return scratch;
  }

  /** Writes a portfolio for the kernels of several holdings; returns the number of slots. */
  writeSlots(portfolio: Portfolio, at: number): number {
    const { i32, f64 } = this.workspace;
    for (let s = 0; s < portfolio.count; s++) {
      const slot = at + s * SLOT_BYTES;
      i32[slot / 4] = portfolio.codes[s] as number;
      i32[(slot + SLOT_SHARES) / 4] = portfolio.shareColumns[s] as number;
      f64[(slot + SLOT_SHARE) / 8] = portfolio.shares[s] as number;
    }
    return portfolio.count;
  }

  dispose(): void {
    for (const at of this.owned.splice(0)) this.workspace.freeColumn(at);
  }
}
