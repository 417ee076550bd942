import type { Areas } from '../memory/areas.ts';

/** The shares of a filter's children where the chosen ones do not share equally, by day. */
export class FilterWeights {
  private readonly areas: Areas;
  private readonly columns: number[] = [];

  constructor(areas: Areas) {
    this.areas = areas;
  }

  /**
   * The best-ranked child has the first share, and so on; what is missing is cash.
   * @param ranks per child the address of its rank by day, 0 the best
   */
  byRank(ranks: readonly number[], take: number, shares: readonly number[]): readonly number[] {
    const { u8, f64 } = this.areas.workspace;
    const { from, days } = this.areas.window;
    return ranks.map((rank, child) => {
      const column = this.column(child);
      for (let t = from; t < from + days; t++) {
        const place = u8[rank + t] as number;
        f64[column / 8 + t] = place < take ? (shares[place] ?? 0) : 0;
      }
      return column;
    });
  }

  /**
   * Shares proportional to the inverse of deviations among the chosen; those whose deviation is 0, if any,
   * share all the weight equally.
   * @param deviations per child the address of its deviation by day
   */
  inverse(ranks: readonly number[], take: number, deviations: readonly number[]): readonly number[] {
    const { u8, f64 } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const columns = ranks.map((_, child) => this.column(child));
    for (let t = from; t < from + days; t++) {
      let sum = 0;
      let zeros = 0;
      for (let child = 0; child < ranks.length; child++) {
        if ((u8[(ranks[child] as number) + t] as number) >= take) continue;
        const deviation = f64[(deviations[child] as number) / 8 + t] as number;
        if (deviation === 0) zeros++;
        else sum += 1 / deviation;
      }
      for (let child = 0; child < ranks.length; child++) {
        const isChosen = (u8[(ranks[child] as number) + t] as number) < take;
        const deviation = f64[(deviations[child] as number) / 8 + t] as number;
        const share = zeros === 0 ? 1 / deviation / sum : deviation === 0 ? 1 / zeros : 0;
        f64[(columns[child] as number) / 8 + t] = isChosen ? share : 0;
      }
    }
    return columns;
  }

  private column(child: number): number {
    this.columns[child] ??= this.areas.column(this.areas.data.padded * 8);
    return this.columns[child];
  }
}
