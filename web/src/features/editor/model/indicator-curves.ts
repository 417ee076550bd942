import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { Ticker } from '@quantloom/domain/contracts/http/market-data';
import { INDICATOR_NAMES, INDICATORS, parseIndicatorKey } from '@quantloom/domain/strategy/indicator';
import { assetBlock, newAlgorithm, newBlock, newCondition } from '@quantloom/domain/strategy/node-factory';
import type { BlockNode, ConditionNode, IndicatorName } from '@quantloom/domain/strategy/tree';
import { backtest } from './editor-api.ts';
import { parameterTexts, storedParameters } from './parameter-entries.ts';

interface Year {
  readonly start: string;
  readonly end: string;
}

/** The last year of the ticker's prices (of a ratio's first side); null where there is none. */
export function lastYearOf(
  tickers: readonly Pick<Ticker, 'ticker' | 'last_day'>[],
  series: string,
): Year | null {
  const end = tickers.find(({ ticker }) => ticker === series.split('/')[0])?.last_day;
  return end === undefined
    ? null
    : { start: `${Number(end.slice(0, 4)) - 1}${end.slice(4).replace('02-29', '02-28')}`, end };
}

/**
 * A strategy that asks every function of a series once, with its usual numbers: a backtest of it answers all
 * their values.
 */
export function strategyOfAll(
  series: string,
  second: string | null,
  canUseZScore = true,
): BacktestRequest['trading_bot'] {
  let count = 0;
  const newId = () => `node_curve${(count++).toString().padStart(2, '0')}`;
  const offered = INDICATOR_NAMES.filter(
    (fn) => (second !== null || !INDICATORS[fn].isPair) && (fn !== 'z-score' || canUseZScore),
  );
  const conditions = offered.map(
    (fn): ConditionNode => ({
      ...newCondition(newId),
      lhs_fn: fn,
      lhs_fn_params: storedParameters(fn, {
        ...parameterTexts(fn, {}),
        ...(second !== null && { with: second }),
      }),
      lhs_val: series,
      rhs_val: 0,
      rhs_fixed_val: true,
    }),
  );
  const [asset = ''] = series.split('/');
  const leaf = (): BlockNode[] => [assetBlock(newId, { ticker: asset, name: asset })];
  const branch: BlockNode = {
    ...newBlock('if-then-else', newId),
    node_type: 'if-then-else',
    condition_type: 'anyOf',
    conditions,
    then_children: leaf(),
    else_children: leaf(),
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
  return { ...newAlgorithm(newId), version: 'v2', children: [branch] };
}

export type Curves = Readonly<Partial<Record<IndicatorName, readonly number[]>>>;

/** A year of every function of a series. */
export async function curvesOf(
  series: string,
  second: string | null,
  year: Year | null,
  canUseZScore: boolean,
  signal: AbortSignal,
): Promise<Curves> {
  if (year === null) return {};
  const answer = await backtest(
    {
      start_date: year.start,
      end_date: year.end,
      slippage_bps: 0,
      benchmark_ticker: series.split('/')[0] ?? series,
      include: { history: true },
      trading_bot: strategyOfAll(series, second, canUseZScore),
    },
    null,
    signal,
  );
  const curves: Partial<Record<IndicatorName, readonly number[]>> = {};
  for (const [key, values] of Object.entries(answer.history?.indicators ?? {})) {
    const parsed = parseIndicatorKey(key);
    if (parsed) curves[parsed.fn] = values;
  }
  return curves;
}
