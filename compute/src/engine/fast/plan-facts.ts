import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { BatchPlan } from '../batch-plan.ts';
import type { Plan } from './plan.ts';

/** Every ticker with prices that an asset block may be bound to, in order of first appearance. */
export function assetTickers(
  tree: Plan,
  { variables }: BatchPlan,
  prices: ReadonlyMap<string, PriceSeries>,
): string[] {
  const tickers = new Set<string>();
  const digits = new Int32Array(variables.length);
  for (const block of tree.blocks) {
    if (block.kind !== 'asset') continue;
    const { variable } = block.ticker;
    const count = variables[variable]?.values.length ?? 1;
    for (let i = 0; i < count; i++) {
      if (variable >= 0) digits[variable] = i;
      tickers.add(block.ticker.text(digits));
    }
    if (variable >= 0) digits[variable] = 0;
  }
  return [...tickers].filter((ticker) => (prices.get(ticker)?.days.length ?? 0) > 0);
}

/** Whether an indicator of some block's own series is needed. */
export function hasOwnSeries({ blocks }: Plan): boolean {
  return blocks.some(
    (block) =>
      (block.kind === 'filter' && block.ranks.some(({ series }) => series.kind !== 'series')) ||
      (block.kind === 'inverse' && block.deviations.some(({ series }) => series.kind !== 'series')),
  );
}

/** Most slots of any block. */
export function mostSlots({ blocks }: Plan): number {
  return blocks.reduce((most, { slots }) => Math.max(most, slots), 1);
}
