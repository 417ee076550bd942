import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import * as request from '@quantloom/domain/strategy/backtest-terms';

/** The dates and terms of a backtest, checked. Days count from 1970-01-01. */
export interface Terms extends request.BacktestTerms {
  /** Fraction: 10 bps is 0.001. */
  readonly slippage: number;
}

/** Throws a refusal of status 400. */
export function refuseRequest(code: string, detail: string, problems?: Refusal['problems']): never {
  throw new RefusalError(refuse(400, code, detail, problems === undefined ? {} : { problems }));
}

/**
 * Reads dates and terms from a request or a batch's configuration, which may be any JSON.
 * @param today `YYYY-MM-DD` at the exchange
 * @throws RefusalError (400) naming what is wrong
 */
export function readTerms(config: request.RawTerms, today: string): Terms {
  const terms = request.readTerms(config, today);
  if (isRefusal(terms)) throw new RefusalError(terms);
  return { ...terms, slippage: terms.slippageBps / 10_000 };
}

/** Reads a `YYYY-MM-DD` date as a day; refuses anything else by the name of its field. */
export function readDate(value: unknown, name: string): number {
  const read = request.readDate(value, name);
  if (isRefusal(read)) throw new RefusalError(read);
  return read.day;
}
