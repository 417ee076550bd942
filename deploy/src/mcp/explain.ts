import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { formatTimestamp } from '@quantloom/domain/market-data/day';
import { CallError } from './api.ts';

/** Members of a record of columns at one day. */
function at<Value>(columns: Readonly<Record<string, readonly Value[]>>, index: number) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[index]]));
}

/**
 * What an answer with history and explanation says of one day: weights in percent, conditions with both
 * sides, and the choices of filters. Throws a `CallError` that names the days there are where it has no such day.
 */
export function explanationOf(answer: unknown, day: string) {
  const { history, explanation, metrics, provenance } = answer as BacktestAnswer;
  const days = (history?.timestamps ?? []).map(formatTimestamp);
  const index = days.indexOf(day);
  if (!history || !explanation || index < 0)
    throw new CallError(
      { error: `${day} is no trading day of this backtest, which runs from ${days[0]} to ${days.at(-1)}` },
      422,
    );
  const selections = Object.entries(explanation.selections).map(([id, { from, ids }]) => {
    const change = from.findLastIndex((first) => first <= index);
    return [id, change < 0 ? [] : ids[change]];
  });
  return {
    day,
    holdings_percent: Object.fromEntries(
      Object.entries(at(history.tickers, index)).filter(([, share]) => share !== 0),
    ),
    conditions: Object.fromEntries(
      Object.entries(explanation.conditions).map(([id, sides]) => [
        id,
        { left: sides.lhs[index], right: sides.rhs[index], holds: sides.holds[index] },
      ]),
    ),
    then_branch_taken: at(explanation.branches, index),
    chosen: Object.fromEntries(selections),
    turnover: history.turnover[index],
    metrics,
    provenance,
  };
}
