import { LRUCache } from 'lru-cache';
import type { DayWindow } from '../memory/areas.ts';
import { type MemoryColumn, upTo } from '../memory/market-columns.ts';
import type { Workspace } from '../memory/workspace.ts';

/** Fewest masks kept: the pairs of one day's ranking are used one after the other, so any number would do. */
const FEWEST = 16;
/** Two ids below this make one exact number. */
const IDS = 2 ** 26;

/** Masks of one column ranking above another, kept per pair of columns. */
export class RankMasks {
  private readonly workspace: Workspace;
  private readonly padded: number;
  private readonly window: DayWindow;
  private readonly masks: LRUCache<number | string, number>;

  constructor(workspace: Workspace, padded: number, window: DayWindow, bytes: number) {
    this.workspace = workspace;
    this.padded = padded;
    this.window = window;
    const most = Math.max(FEWEST, Math.floor(bytes / padded));
    this.masks = new LRUCache({ ...upTo(most), dispose: (at) => workspace.freeColumn(at) });
  }

  /** Address of the mask of the days on which a ranks above b. */
  above(a: MemoryColumn, b: MemoryColumn): number {
    // Every combination asks for every pair: a number is made and found sooner than a text.
    const key = a.id < IDS && b.id < IDS ? a.id * IDS + b.id : `${a.id}>${b.id}`;
    const known = this.masks.get(key);
    if (known !== undefined) return known;
    const at = this.workspace.allocateColumn(this.padded);
    const { from, days } = this.window;
    this.workspace.kernels.ranksAbove(a.at + from * 8, b.at + from * 8, at + from, days);
    this.masks.set(key, at);
    return at;
  }

  dispose(): void {
    this.masks.clear();
  }
}
