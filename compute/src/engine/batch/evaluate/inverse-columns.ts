import { LRUCache } from 'lru-cache';
import { type MemoryColumn, upTo } from '../memory/market-columns.ts';
import type { Workspace } from '../memory/workspace.ts';

/** Columns of a deviation. They stay where they are while they are held, also when they are forgotten meanwhile. */
export interface InverseEntry {
  /** 1 / deviation. */
  readonly u: number;
  /** Days whose deviation is 0: u is infinite there. */
  readonly flat: number;
  /** u of the day before grown by the day's return; 0 where nobody asked for it. */
  a: number;
  /** How many combinations that wait to be simulated need it. */
  holders: number;
  isForgotten: boolean;
}

/**
 * What inverse volatility needs of each deviation in use, kept for the next block or combination that needs
 * the same.
 */
export class InverseColumns {
  private readonly workspace: Workspace;
  private readonly padded: number;
  private readonly columns: LRUCache<number, InverseEntry>;
  /** Whether there were too many columns to keep them all. */
  hasForgotten = false;

  /** @param least columns that must be there at the same time */
  constructor(workspace: Workspace, padded: number, least: number, bytes: number) {
    this.workspace = workspace;
    this.padded = padded;
    this.columns = new LRUCache({
      ...upTo(Math.max(least, Math.floor(bytes / (padded * 16)))),
      dispose: (entry) => {
        entry.isForgotten = true;
        this.hasForgotten = true;
        if (entry.holders === 0) this.free(entry);
      },
    });
  }

  /** The inverse of a deviation, defined on the same days. */
  of(deviation: MemoryColumn): InverseEntry {
    const known = this.columns.get(deviation.id);
    if (known !== undefined) return known;
    const u = this.workspace.allocateColumn(this.padded * 8);
    const { at, first, last } = deviation;
    const flat = this.workspace.kernels.invert(at, u, first, last + 1);
    // Shares are computed two days at a time: what the memory held before must not look like a deviation of 0
    // beside the first or last day.
    const { f64 } = this.workspace;
    if (first > 0) f64[u / 8 + first - 1] = 0;
    f64[u / 8 + last + 1] = 0;
    const entry = { u, a: 0, flat, holders: 0, isForgotten: false };
    this.columns.set(deviation.id, entry);
    return entry;
  }

  /**
   * The same of a ticker with its growth, from the second day on that has one. Add a holder where it is
   * needed for longer than the next few calls.
   */
  grown(deviation: MemoryColumn, returns: number): InverseEntry {
    const entry = this.of(deviation);
    if (entry.a === 0) {
      entry.a = this.workspace.allocateColumn(this.padded * 8);
      const { first, last } = deviation;
      this.workspace.kernels.grown(entry.u, returns, entry.a, first + 1, last + 1);
    }
    return entry;
  }

  release(entry: InverseEntry): void {
    entry.holders--;
    if (entry.holders === 0 && entry.isForgotten) this.free(entry);
  }

  private free({ u, a }: InverseEntry): void {
    this.workspace.freeColumn(u);
    if (a !== 0) this.workspace.freeColumn(a);
  }

  dispose(): void {
    this.columns.clear();
  }
}
