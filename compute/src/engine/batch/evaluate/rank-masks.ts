import { LRUCache } from 'lru-cache';
import type { DayWindow } from '../memory/areas.ts';
import type { MemoryColumn } from '../memory/market-columns.ts';
import type { Workspace } from '../memory/workspace.ts';

/** Fewest masks kept: the pairs of one day's ranking are used one after the other, so any number would do. */
const FEWEST = 16;

/** Masks of one column ranking above another, kept per pair of columns. */
export class RankMasks {
  private readonly workspace: Workspace;
  private readonly padded: number;
  private readonly window: DayWindow;
  private readonly most: number;
  /** Made when the first mask is asked for: it takes room for as many as it may hold, and most batches ask for none. */
  private masks: LRUCache<string, number> | null = null;

  constructor(workspace: Workspace, padded: number, window: DayWindow, bytes: number) {
    this.workspace = workspace;
    this.padded = padded;
    this.window = window;
    this.most = Math.max(FEWEST, Math.floor(bytes / padded));
  }

  /** Address of the mask of the days on which a ranks above b. */
  above(a: MemoryColumn, b: MemoryColumn): number {
    this.masks ??= new LRUCache({ max: this.most, dispose: (at) => this.workspace.freeColumn(at) });
    const key = `${a.id}>${b.id}`;
    const known = this.masks.get(key);
    if (known !== undefined) return known;
    const at = this.workspace.allocateColumn(this.padded);
    const { from, days } = this.window;
    this.workspace.kernels.ranksAbove(a.at + from * 8, b.at + from * 8, at + from, days);
    this.masks.set(key, at);
    return at;
  }

  dispose(): void {
    this.masks?.clear();
  }
}
