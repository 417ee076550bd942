import { LRUCache } from 'lru-cache';
import type { MemoryColumn } from './data.ts';
import type { Workspace } from './workspace.ts';

interface Entry {
  /** 1 / deviation. */
  readonly u: number;
  /** Days whose deviation is 0: u is infinite there. */
  readonly flat: number;
  /** u of the day before grown by the day's return; 0 where nobody asked for it. */
  a: number;
}

/** What inverse volatility needs of each deviation in use, kept for the next block or combination that needs the same. */
export class InverseColumns {
  private readonly workspace: Workspace;
  private readonly padded: number;
  private readonly columns: LRUCache<number, Entry>;

  /** @param least columns that must be there at the same time */
  constructor(workspace: Workspace, padded: number, least: number, bytes: number) {
    this.workspace = workspace;
    this.padded = padded;
    this.columns = new LRUCache({
      max: Math.max(least, Math.floor(bytes / (padded * 16))),
      dispose: ({ u, a }) => {
        workspace.freeColumn(u);
        if (a !== 0) workspace.freeColumn(a);
      },
    });
  }

  /** The inverse of a deviation, defined on the same days. */
  of(deviation: MemoryColumn): Entry {
    const known = this.columns.get(deviation.id);
    if (known !== undefined) return known;
    const u = this.workspace.allocateColumn(this.padded * 8);
    const { at, first, last } = deviation;
    const flat = this.workspace.kernels.invert(at, u, first, last + 1);
    const entry = { u, a: 0, flat };
    this.columns.set(deviation.id, entry);
    return entry;
  }

  /** The same of a ticker with its growth, from the second day on that has one. */
  grown(deviation: MemoryColumn, returns: number): Entry {
    const entry = this.of(deviation);
    if (entry.a === 0) {
      entry.a = this.workspace.allocateColumn(this.padded * 8);
      const { first, last } = deviation;
      this.workspace.kernels.grown(entry.u, returns, entry.a, first + 1, last + 1);
    }
    return entry;
  }

  dispose(): void {
    this.columns.clear();
  }
}
