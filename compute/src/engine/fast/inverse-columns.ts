import { LRUCache } from 'lru-cache';
import type { MemoryColumn } from './data.ts';
import type { ReturnTable } from './return-table.ts';
import type { Workspace } from './workspace.ts';

/** What inverse volatility needs of a ticker: `u = 1 / deviation`, and `a`, the u of the day before grown by the day's return. */
export interface InverseColumn {
  readonly u: number;
  readonly a: number;
  /** Days whose deviation is 0; the kernels of these columns must not be used then. */
  readonly flat: number;
}

/** The columns of each (ticker, window) in use. */
export class InverseColumns {
  private readonly workspace: Workspace;
  private readonly table: ReturnTable;
  private readonly padded: number;
  private readonly columns: LRUCache<number, InverseColumn>;

  /** @param least columns that must be there at the same time */
  constructor(workspace: Workspace, table: ReturnTable, padded: number, least: number, bytes: number) {
    this.workspace = workspace;
    this.table = table;
    this.padded = padded;
    this.columns = new LRUCache({
      max: Math.max(least, Math.floor(bytes / (padded * 16))),
      dispose: ({ u, a }) => {
        workspace.freeColumn(u);
        workspace.freeColumn(a);
      },
    });
  }

  of(deviation: MemoryColumn, code: number): InverseColumn {
    const known = this.columns.get(deviation.id);
    if (known !== undefined) return known;
    const { workspace, table, padded } = this;
    const u = workspace.allocateColumn(padded * 8);
    const a = workspace.allocateColumn(padded * 8);
    const returns = table.at + code * table.stride;
    const { first, last } = deviation;
    const flat = workspace.kernels.inverseParts(deviation.at, returns, u, a, first, last + 1);
    const column = { u, a, flat };
    this.columns.set(deviation.id, column);
    return column;
  }

  dispose(): void {
    this.columns.clear();
  }
}
