import type { CalculatedDates } from '@quantloom/domain/contracts/backtest';
import { indicatorKey } from '@quantloom/domain/strategy/indicator';
import { type Block, childrenOf, filled } from '../model/blocks.ts';
import { conditionsIn, sidesOf } from '../model/conditions.ts';
import { dateOf } from '../model/days.ts';
import type { Run } from '../reference/run.ts';
import type { Column } from '../series/column.ts';
import type { Market } from '../series/market.ts';

/** Calendar days from the first to the last simulated day. */
export function durationOf({ market, days }: Pick<Run, 'market' | 'days'>): number {
  return (market.calendar[days.to] as number) - (market.calendar[days.from] as number);
}

/** First and last day, what decided them, and the first defined day of everything the tree names. */
export function calculatedDates({
  market,
  days,
  requirements,
}: Pick<Run, 'market' | 'days' | 'requirements'>): CalculatedDates {
  const date = (index: number) => dateOf(market.calendar[index] as number);
  return {
    first_day: date(days.from),
    last_day: date(days.to),
    first_day_decided_by: days.firstDecidedBy,
    last_day_decided_by: days.lastDecidedBy,
    first_defined: Object.fromEntries(
      [...requirements.values()]
        .filter(({ kind }) => kind !== 'condition')
        .map(({ key, first }) => [key, date(first)]),
    ),
  };
}

/**
 * The indicators an answer shows: both sides of every condition and the sort function of every asset directly
 * below a filter.
 */
export function reportedIndicators(
  block: Block,
  market: Market,
  found: Map<string, Column> = new Map(),
): Map<string, Column> {
  if (block.kind === 'if') {
    for (const condition of conditionsIn(block.conditions))
      for (const { indicator } of sidesOf(condition)) found.set(indicator.key, market.indicator(indicator));
  }
  if (block.kind === 'filter') {
    for (const child of filled(block.children)) {
      if (child.kind === 'asset') {
        const { fn, params, keyParams } = block.sort;
        const key = indicatorKey(child.ticker, fn, ...keyParams);
        found.set(key, market.indicator({ series: child.ticker, second: null, fn, params }));
      }
    }
  }
  for (const child of childrenOf(block)) reportedIndicators(child, market, found);
  return found;
}
