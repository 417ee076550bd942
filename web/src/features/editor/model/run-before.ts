import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { isSameBacktest } from '@quantloom/domain/strategy/same-backtest';
import type { FinishedRun } from '../machines/run.machine.ts';

/** The terms of a run that make its figures another question: other days, costs or benchmark. */
function isSameQuestion(one: BacktestRequest, other: BacktestRequest): boolean {
  const terms = ({ trading_bot: _bot, include: _include, ...rest }: BacktestRequest) =>
    JSON.stringify(Object.entries(rest).sort(([a], [b]) => a.localeCompare(b)));
  return terms(one) === terms(other);
}

/** Whether two requests are answered alike: the same days and terms, and a strategy that differs for the eye only. */
export function isSameRun(one: BacktestRequest, other: BacktestRequest): boolean {
  return isSameQuestion(one, other) && isSameBacktest(one.trading_bot, other.trading_bot);
}

/** As `isSameRun`, whatever the days: a date that is picked waits to be run. */
export function isSameOnOtherDays(one: BacktestRequest, other: BacktestRequest): boolean {
  const { start_date, end_date } = other;
  return isSameRun({ ...one, start_date, end_date }, other);
}

/**
 * The run before, where comparing with it tells what an edit did: the same days and terms, another strategy.
 * Null for the first run, for a repeated one, and where the terms differ.
 */
export function comparableRun(
  before: FinishedRun | null,
  answered: BacktestRequest | null,
): BacktestAnswer | null {
  if (!before || !answered || !isSameQuestion(before.request, answered)) return null;
  return isSameBacktest(before.request.trading_bot, answered.trading_bot) ? null : before.answer;
}

/** The values of an earlier answer on the days of another; NaN on days that it does not have. */
export function valuesOnDays(before: BacktestAnswer, timestamps: readonly number[]): readonly number[] {
  const { timestamps: days = [], value = [] } = before.history ?? {};
  const byDay = new Map(days.map((day, index) => [day, value[index] ?? Number.NaN]));
  return timestamps.map((day) => byDay.get(day) ?? Number.NaN);
}
