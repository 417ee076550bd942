import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { BatchPlan } from './batch-plan.ts';
import type { BlockPlan, ConditionItemPlan, ConditionPlan, Plan } from './plan.ts';

/** Every ticker with prices that an asset block may be bound to, in order of first appearance. */
export function assetTickers(
  tree: Plan,
  { variables }: BatchPlan,
  prices: ReadonlyMap<string, PriceSeries>,
): string[] {
  return tickersOf(tree.blocks, variables).filter((ticker) => (prices.get(ticker)?.days.length ?? 0) > 0);
}

/** Every ticker that the assets among some blocks may be bound to. */
function tickersOf(blocks: readonly BlockPlan[], variables: BatchPlan['variables']): string[] {
  const tickers = new Set<string>();
  const digits = new Int32Array(variables.length);
  for (const block of blocks) {
    if (block.kind !== 'asset') continue;
    const { variable } = block.ticker;
    const count = variables[variable]?.values.length ?? 1;
    for (let i = 0; i < count; i++) {
      if (variable >= 0) digits[variable] = i;
      tickers.add(block.ticker.text(digits));
    }
    if (variable >= 0) digits[variable] = 0;
  }
  return [...tickers];
}

/** Every ticker that a block may hold. */
export function tickersWithin(block: BlockPlan, variables: BatchPlan['variables']): Set<string> {
  return new Set(tickersOf([...blocksWithin(block)], variables));
}

function* blocksWithin(block: BlockPlan): Generator<BlockPlan> {
  yield block;
  if (block.kind === 'if') {
    yield* blocksWithin(block.then);
    yield* blocksWithin(block.otherwise);
  } else if ('children' in block) for (const child of block.children) yield* blocksWithin(child);
}

/** The conditions of a list, those in its groups included. */
export function* conditionsIn(items: readonly ConditionItemPlan[]): Generator<ConditionPlan> {
  for (const item of items) {
    if (item.kind === 'group') yield* conditionsIn(item.items);
    else yield item;
  }
}

/** Whether some condition must have held on days before. */
export function looksBack({ blocks }: Plan): boolean {
  return blocks.some(
    (block) =>
      block.kind === 'if' && [...conditionsIn(block.conditions)].some(({ forDays }) => forDays !== null),
  );
}

/** Whether an indicator of some block's own series is needed. */
export function hasOwnSeries({ blocks }: Plan): boolean {
  return blocks.some(
    (block) =>
      (block.kind === 'filter' &&
        [...block.ranks, ...(block.weighting?.kind === 'inverse' ? block.weighting.deviations : [])].some(
          ({ series }) => series.kind !== 'series',
        )) ||
      (block.kind === 'inverse' && block.deviations.some(({ series }) => series.kind !== 'series')),
  );
}

/** Most slots of any block. */
export function mostSlots({ blocks }: Plan): number {
  return blocks.reduce((most, { slots }) => Math.max(most, slots), 1);
}

/** Most children of any block. */
export function mostChildren({ blocks }: Plan): number {
  return blocks.reduce((most, block) => Math.max(most, 'children' in block ? block.children.length : 0), 1);
}
