import type { FilterPlan } from '../compile/plan.ts';
import type { Areas, Entry } from '../memory/areas.ts';
import type { MemoryColumn } from '../memory/market-columns.ts';
import type { Portfolio } from '../memory/portfolio.ts';
import type { Indicators } from './block-indicators.ts';
import { RankMasks } from './rank-masks.ts';
import { choose } from './ranking.ts';

const DAYS_OF_A_VECTOR = 16;

/** Picks the best or worst children of filters. */
export class Filters {
  private readonly areas: Areas;
  private readonly indicators: Indicators;
  private readonly rankMasks: RankMasks;
  private readonly counts: number[] = [];

  constructor(areas: Areas, indicators: Indicators) {
    this.areas = areas;
    this.indicators = indicators;
    this.rankMasks = new RankMasks(areas.workspace, areas.data.padded, areas.window, areas.cacheBytes);
  }

  /** Per child the address of its rank by day, exact for the `take` best ones; good until another filter is ranked. */
  rank(block: FilterPlan, take: number, digits: Int32Array): readonly number[] {
    this.countBetter(block, take, digits);
    return this.counts.slice(0, block.children.length);
  }

  /**
   * Fills an entry with the `take` chosen ones of a filter.
   * @param weights per child the address of its share by day, of a filter that is ranked already; null: the
   *   chosen share equally
   */
  fill(
    entry: Entry,
    block: FilterPlan,
    portfolios: readonly Portfolio[],
    take: number,
    weights: readonly number[] | null,
    digits: Int32Array,
  ): void {
    if (weights === null) this.countBetter(block, take, digits);
    const width = Math.max(...portfolios.map((portfolio) => portfolio.count));
    const areSingle = width === 1 && portfolios.every(({ count }) => count === 1);
    if (take === 1 && areSingle && weights === null && hasOneShare(portfolios, 0)) {
      this.fillFirst(entry, portfolios);
      return;
    }
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const isConstant = Array.from(
      { length: width },
      (_, s) => weights === null && hasOneShare(portfolios, s),
    );
    for (let slot = 0; slot < take * width; slot++)
      this.clearSlot(entry, slot, isConstant[slot % width] === true);
    // The chosen ones stand in the order of the children, so that a slot changes only when the choice does.
    const chosen = this.areas.scratch.chosen + from;
    kernels.fill8(chosen, 0, days);
    portfolios.forEach((child, i) => {
      const ranks = (this.counts[i] as number) + from;
      for (let k = 0; k < Math.min(take, i + 1); k++) {
        kernels.chosenAs(ranks, take, chosen, k, this.areas.scratch.mask + from, days);
        for (let s = 0; s < child.count; s++) {
          const factor = isConstant[s] === true ? 0 : weights === null ? 1 / take : 1;
          this.fillSlot(entry, k * width + s, child, s, factor, weights?.[i] ?? 0);
        }
      }
      kernels.countChosen(ranks, take, chosen, days);
    });
    for (let slot = 0; slot < take * width; slot++) {
      const sample = portfolios.find((child) => slot % width < child.count) as Portfolio;
      const share = (sample.shares[slot % width] as number) / take;
      const column = isConstant[slot % width] === true ? 0 : (entry.shares[slot] as number);
      entry.portfolio.set(slot, entry.codes[slot] as number, -1, share, column);
    }
    entry.portfolio.count = take * width;
  }

  /**
   * The same where one child has it all, and each child holds one ticker at a time: of any two one is better,
   * so that one at most has the rank 0.
   */
  private fillFirst(entry: Entry, portfolios: readonly Portfolio[]): void {
    const { workspace, scratch, window, table } = this.areas;
    const { kernels, i32 } = workspace;
    portfolios.forEach(({ codes }, i) => {
      i32[scratch.list / 4 + 2 * i] = this.counts[i] as number;
      i32[scratch.list / 4 + 2 * i + 1] = codes[0] as number;
    });
    const out = this.areas.ownCodes(entry, 0);
    const first = table.width === 1 ? kernels.first8 : kernels.first16;
    first(scratch.list, portfolios.length, out, window.from, window.days);
    entry.portfolio.set(0, out, -1, portfolios[0]?.shares[0] as number, 0);
    entry.portfolio.count = 1;
  }

  /** Leaves in `counts` how many children are better than each child: its rank, at least of the `take` best ones. */
  private countBetter(block: FilterPlan, take: number, digits: Int32Array): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const columns = block.ranks.map((rank) => this.indicators.of(rank, digits));
    while (this.counts.length < columns.length) this.counts.push(this.areas.column(this.areas.data.padded));
    const counts = this.counts;
    for (let i = 0; i < columns.length; i++) kernels.fill8((counts[i] as number) + from, 0, days);
    for (let j = 1; j < columns.length; j++) {
      for (let i = 0; i < j; i++) {
        const [a, b] = block.isTop ? [columns[j], columns[i]] : [columns[i], columns[j]];
        const laterIsBetter = this.rankMasks.above(a as MemoryColumn, b as MemoryColumn) + from;
        kernels.countBetter(laterIsBetter, (counts[i] as number) + from, (counts[j] as number) + from, days);
      }
    }
    // Ties within the tolerance need not be transitive; then one of the ranks is missing and the days are
    // ranked one by one.
    if (columns.length < 3) return;
    if (!this.hasRanks(take, columns))
      choose(this.areas.workspace, columns, counts, this.areas.window, block.isTop);
  }

  /**
   * Whether there is a child of each of the best ranks on every day on which all are ranked; false where
   * these are fewer than a vector.
   */
  private hasRanks(take: number, columns: readonly MemoryColumn[]): boolean {
    const { kernels, i32 } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const { list } = this.areas.scratch;
    const first = Math.max(from, ...columns.map((column) => column.first));
    const last = Math.min(from + days - 1, ...columns.map((column) => column.last));
    if (last < first) return true;
    if (last - first < DAYS_OF_A_VECTOR) return false;
    columns.forEach((_, i) => {
      i32[list / 4 + i] = this.counts[i] as number;
    });
    return kernels.hasRanks(list, columns.length, take, first, last + 1) !== 0;
  }

  private clearSlot(entry: Entry, slot: number, isConstant: boolean): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const { width } = this.areas.table;
    const fill = width === 1 ? kernels.fill8 : kernels.fill16;
    fill(this.areas.ownCodes(entry, slot) + from * width, 0, days);
    if (!isConstant) kernels.fill64(this.areas.ownShare(entry, slot) + from * 8, 0, days);
  }

  /**
   * Puts a child's slot into one of the filter's on the days of the mask; with its share where `factor` is
   * not 0, times `weights` where there are some.
   */
  private fillSlot(
    entry: Entry,
    slot: number,
    child: Portfolio,
    s: number,
    factor: number,
    weights: number,
  ): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const { width } = this.areas.table;
    const chosen = this.areas.scratch.mask + from;
    const masked = width === 1 ? kernels.maskedInto8 : kernels.maskedInto16;
    const at = from * width;
    masked(chosen, (child.codes[s] as number) + at, (entry.codes[slot] as number) + at, days);
    if (factor === 0) return;
    const { a, b } = this.areas.scratch;
    const share = this.areas.shareAddress(child.shareColumns[s] as number, child.shares[s] as number, a);
    if (weights === 0) kernels.multiplyBy(share, factor, b, from, from + days);
    else kernels.multiply(share, weights, b, from, from + days);
    kernels.maskedInto64(chosen, b + from * 8, (entry.shares[slot] as number) + from * 8, days);
  }

  dispose(): void {
    this.rankMasks.dispose();
  }
}

/** Whether slot `s` has the same constant share in all portfolios that have it. */
function hasOneShare(portfolios: readonly Portfolio[], s: number): boolean {
  const having = portfolios.filter((portfolio) => s < portfolio.count);
  return having.every(
    (portfolio) => portfolio.shareColumns[s] === 0 && portfolio.shares[s] === having[0]?.shares[s],
  );
}
