import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { type BacktestColumns, listsOf } from '@quantloom/domain/contracts/backtest-columns';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { wantsReasons } from '@quantloom/domain/limits/cost';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { EngineDefectError } from '../model/engine-defect.ts';
import { refuseMissingCloses } from '../model/other-closes.ts';
import { readTerms } from '../model/terms.ts';
import { rebalancingOf } from '../reference/rebalancing.ts';
import {
  checkedBlock,
  marketFor,
  type PartialRun,
  type Run,
  refuseUnknownSettings,
  runBlock,
} from '../reference/run.ts';
import { answerOf } from './answer.ts';
import { debugDataOfFailure } from './debug-data.ts';
import { ExplanationTrace } from './explanation.ts';

export interface EngineOptions {
  /** `YYYY-MM-DD`; a later date in a request is refused. */
  readonly today: string;
  /** Whether the exchange's holidays are known behind the end of the prices (`Rebalancing`). */
  readonly knowsHolidays?: boolean | undefined;
  /** Told what was simulated, for whoever keeps something of it. */
  readonly onRun?: (run: Run) => void;
}

/**
 * Runs one backtest, free of I/O.
 * @param prices the series of every ticker that `tickersOf` names; one that is missing is an unknown ticker
 * @throws RefusalError of status 400 for a strategy or request that cannot run, naming the block
 * @throws EngineDefectError for a fault of the engine itself, with its debug data
 */
export function runBacktest(
  request: BacktestRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  options: EngineOptions,
): BacktestAnswer {
  return listsOf(runBacktestInColumns(request, prices, options));
}

/** As `runBacktest`, for whoever writes the answer or reads it further. */
export function runBacktestInColumns(
  request: BacktestRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  options: EngineOptions,
): BacktestColumns {
  const reached: PartialRun = {};
  try {
    const terms = readTerms(request, options.today);
    const block = checkedBlock(request.trading_bot, prices);
    refuseUnknownSettings(terms, prices);
    refuseMissingCloses(request.trading_bot, prices, terms.indicatorPrices);
    const rebalancing = rebalancingOf(request.trading_bot, options.knowsHolidays);
    const include = request.include ?? {};
    const trace = wantsReasons(include) ? new ExplanationTrace(request.trading_bot) : undefined;
    const wantsTurnover = include.history === true || include.report === true;
    const market = marketFor(block, terms, prices);
    const run = runBlock(block, market, terms, { rebalancing, trace, reached, wantsTurnover });
    options.onRun?.(run);
    return answerOf(run, include, trace);
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    throw EngineDefectError.from(error, debugDataOfFailure(request.trading_bot, prices, reached));
  }
}
