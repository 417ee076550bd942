import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import { filled, signatureOf } from '../model/blocks.ts';
import { type Column, emptyColumn } from '../series/column.ts';
import { seriesIndicator } from '../series/further-indicators.ts';
import { type BlockCall, type FilledBlock, Market } from '../series/market.ts';
import { targetWeights } from './decisions.ts';
import { requirementsOf, spanOf } from './requirements.ts';
import { simulate } from './simulation.ts';

/**
 * A block's own series: an asset's prices, as decisions read them; for any other block the value of the block
 * run alone on the whole calendar, without slippage, from the first day it can run until one of its tickers
 * ends. Independent of a backtest's dates.
 *
 * A block that always holds one other block whole is given that block's series itself, cut to its own span,
 * whatever its level: equal by definition stays equal to the last bit. What depends on the level is read off `atOne`.
 */
export function ownSeries(block: FilledBlock, market: Market): Column {
  if (block.kind === 'asset') return market.decisionSeries(block.ticker);
  return market.cached(`b ${signatureOf(block)}`, () => {
    const span = spanOf(requirementsOf(block, market), market.calendar.length);
    if (span.first > span.last) return emptyColumn(market.calendar.length);
    const only = onlyHolding(block);
    if (only !== undefined) return cut(ownSeries(only, market), span.first, span.last);
    const range = { from: span.first, to: span.last };
    const weights = targetWeights(block, market, range);
    const { value } = simulate(weights, market, range, { startingBalance: 1, slippage: 0 });
    const values = new Float64Array(market.calendar.length).fill(Number.NaN);
    values.set(value, span.first);
    return { first: span.first, last: span.last, values };
  });
}

/** The functions whose values change with the level of the series. */
export const DEPENDS_ON_LEVEL: ReadonlySet<IndicatorName> = new Set([
  'current-price',
  'moving-average-price',
  'exponential-moving-average-price',
  'standard-deviation-price',
  'bollinger-upper',
  'bollinger-lower',
  'macd',
  'macd-signal',
  'macd-histogram',
]);

/** A block's own series as it is defined, with the value 1 on its first day. */
function atOne(block: FilledBlock, market: Market): Column {
  if (block.kind === 'asset') return market.decisionSeries(block.ticker);
  const column = ownSeries(block, market);
  const base = column.values[column.first];
  if (base === undefined || base === 1) return column;
  return market.cached(`b1 ${signatureOf(block)}`, () => ({
    ...column,
    values: column.values.map((value) => value / base),
  }));
}

/**
 * A market that knows the series of blocks too: a block is run alone on it, which asks it for what the
 * block's own children come to.
 */
export class BlockMarket extends Market {
  blockIndicator(block: FilledBlock, { fn, params }: BlockCall): Column {
    if (block.kind === 'asset') return this.indicator({ series: block.ticker, second: null, fn, params });
    const series = DEPENDS_ON_LEVEL.has(fn) ? atOne(block, this) : ownSeries(block, this);
    return this.cached(`bi ${fn} ${params.join(' ')} ${signatureOf(block)}`, () =>
      seriesIndicator(series, fn, params),
    );
  }
}

/** The child that a block holds whole on every day, if its structure says so. */
function onlyHolding(block: FilledBlock): FilledBlock | undefined {
  if (block.kind === 'asset' || block.kind === 'if') return undefined;
  const children = filled(block.children);
  const [only] = children;
  if (children.length !== 1 || only === undefined) return undefined;
  if (block.kind === 'filter' && block.weighting?.kind === 'by-rank') return undefined;
  if (block.kind !== 'specified') return only;
  return block.weights[block.children.indexOf(only)] === 1 ? only : undefined;
}

function cut(column: Column, first: number, last: number): Column {
  if (column.first === first && column.last === last) return column;
  const values = new Float64Array(column.values.length).fill(Number.NaN);
  values.set(column.values.subarray(first, last + 1), first);
  return { first, last, values };
}
