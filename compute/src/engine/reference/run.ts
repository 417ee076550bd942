import { readNameOnBasis } from '@quantloom/domain/market-data/price-basis';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import { type Block, parseAlgorithm, tickersIn } from '../model/blocks.ts';
import { type Calendar, calendarOf } from '../model/calendar.ts';
import { refuseRequest, type Terms } from '../model/terms.ts';
import type { Market } from '../series/market.ts';
import { type DecisionTrace, type TargetWeights, targetWeights } from './decisions.ts';
import { BlockMarket } from './own-series.ts';
import { DAILY, lastTradingDays, type Rebalancing, tradingDays } from './rebalancing.ts';
import { type Requirements, requirementsOf, seriesRequirementsOf } from './requirements.ts';
import { requestedDays, type SimulatedDays, simulatedDays } from './simulated-days.ts';
import { simulate } from './simulation.ts';
import { trade } from './trading.ts';

/** A simulated strategy, before it is put into words. */
export interface Run {
  readonly block: Block;
  readonly market: Market;
  readonly terms: Terms;
  readonly requirements: Requirements;
  readonly days: SimulatedDays;
  /** What each day's decision wants. */
  readonly targets: TargetWeights;
  /** Weights after the day's trade. */
  readonly weights: TargetWeights;
  /** The day whose decision was in force, by day; null where every day has its own. */
  readonly decidedOn: Int32Array | null;
  /** The day whose targets were traded last, by day, -1 before the first trade; null where every day trades its own. */
  readonly tradedOn: Int32Array | null;
  /** What cash earns by calendar day; null: nothing. */
  readonly cashReturns: Float64Array | null;
  /** Portfolio value by simulated day. */
  readonly value: Float64Array;
  /** Share of the portfolio that was traded by day; null where nobody asked and trading is free. */
  readonly turnover: Float64Array | null;
}

/** What a run has worked out before a defect ended it; the members are set one after the other. */
export type PartialRun = { -readonly [Member in keyof Run]?: Run[Member] };

/** Validates a tree whose variables are all bound and reads it. */
export function checkedBlock(algorithm: Algorithm, prices: ReadonlyMap<string, PriceSeries>): Block {
  refuseFaults(algorithm, prices, true);
  return parseAlgorithm(algorithm);
}

/**
 * Refuses a tree with a fault. Whoever checks it before there are prices finds the same one: tickers come
 * after everything else.
 * @throws RefusalError (400) naming the block
 */
export function refuseFaults(
  algorithm: Algorithm,
  prices: ReadonlyMap<string, PriceSeries>,
  requireBound: boolean,
): void {
  // A series of another basis is nobody's to hold.
  const isKnownTicker = (ticker: string) =>
    (prices.get(ticker)?.days.length ?? 0) > 0 && readNameOnBasis(ticker) === null;
  const found = validateAlgorithm(algorithm, { requireBound, isKnownTicker });
  if (found.length === 0) return;
  const withoutPrices = validateAlgorithm(algorithm, { requireBound });
  const problems = withoutPrices.length > 0 ? withoutPrices : found;
  const [first] = problems;
  if (first !== undefined) refuseRequest(first.code, first.message, problems);
}

/**
 * Refuses tickers without prices that a request's settings name.
 * @throws RefusalError (400) naming the ticker
 */
export function refuseUnknownSettings(
  { cash, benchmarks }: Terms,
  prices: ReadonlyMap<string, PriceSeries>,
): void {
  const named = [
    ...(cash !== null && 'ticker' in cash ? [['cash', cash.ticker] as const] : []),
    ...benchmarks.map((ticker) => ['benchmarks', ticker] as const),
  ];
  for (const [name, ticker] of named) {
    if ((prices.get(ticker)?.days.length ?? 0) > 0) continue;
    const message = `${name} names the unknown ticker ${ticker}`;
    refuseRequest('unknown_ticker', message, [{ code: 'unknown_ticker', message, path: `/${name}` }]);
  }
}

/**
 * The market a tree runs on: the benchmark's calendar, or that of the tree's own tickers where the benchmark
 * has no data.
 */
export function marketFor(
  block: Block,
  terms: Terms,
  prices: ReadonlyMap<string, PriceSeries>,
  cacheBytes?: number,
): Market {
  const { indicatorPrices } = terms;
  return new BlockMarket(calendarFor(block, terms, prices), prices, { cacheBytes, indicatorPrices });
}

function calendarFor(block: Block, terms: Terms, prices: ReadonlyMap<string, PriceSeries>): Calendar {
  return calendarOf(prices.get(terms.benchmark), tickersIn(block), prices);
}

/** Simulates a checked tree on a market. */
export function runBlock(
  block: Block,
  market: Market,
  terms: Terms,
  {
    rebalancing = DAILY,
    trace,
    reached = {},
    wantsTurnover = false,
  }: {
    readonly rebalancing?: Rebalancing;
    readonly trace?: DecisionTrace | undefined;
    /** Receives what is worked out, for when a defect ends the run. */
    readonly reached?: PartialRun;
    readonly wantsTurnover?: boolean;
  } = {},
): Run {
  Object.assign(reached, { block, market, terms });
  const { fill, cash } = terms;
  const further = cash !== null && 'ticker' in cash ? [cash.ticker] : [];
  requestedDays([...seriesRequirementsOf(block, market, further).values()], market, terms);
  const requirements = requirementsOf(block, market, further);
  reached.requirements = requirements;
  const days = simulatedDays(requirements, market, terms);
  reached.days = days;
  const targets = targetWeights(block, market, days, trace);
  reached.weights = targets;
  const shared = { block, market, terms, requirements, days, targets };
  if (rebalancing.rule === 'daily' && fill === 'close' && cash === null) {
    const { value, turnover } = simulate(targets, market, days, terms, wantsTurnover);
    return {
      ...shared,
      weights: targets,
      decidedOn: null,
      tradedOn: null,
      cashReturns: null,
      value,
      turnover,
    };
  }
  const earned = cashReturns(cash, market);
  const { value, turnover, weights, tradedOn } = trade(targets, market, days, {
    ...terms,
    rebalancing,
    fillsNextDay: fill === 'next-close',
    cashReturns: earned,
  });
  const decidedOn = lastTradingDays(tradingDays(rebalancing, market.calendar, days));
  return { ...shared, weights, decidedOn, tradedOn, cashReturns: earned, value, turnover };
}

/** What cash earns by calendar day. */
function cashReturns(cash: Terms['cash'], market: Market): Float64Array | null {
  if (cash === null) return null;
  if ('ticker' in cash) return market.returns(cash.ticker).values;
  return new Float64Array(market.calendar.length).fill((1 + cash.rate / 100) ** (1 / 252) - 1);
}
