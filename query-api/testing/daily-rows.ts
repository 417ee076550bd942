import { combinationValues } from '@quantloom/domain/batch/variable-values';
import type { BacktestHistory, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner, DailyRow } from '@quantloom/domain/ports/backtest-runner';
import { bindVariables } from '@quantloom/domain/strategy/variables';
import { returnsOf } from '../src/analysis/skill-runs.ts';

/** Rows day by day of an engine that answers single backtests, one at a time, in their order. */
export function dailyRowsOf(run: BacktestRunner['run']): BacktestRunner['dailyRows'] {
  return async ({ template_bot, variables, backtest_config }, combinations, onRows, options) => {
    const { algorithm, variables: names = [] } = template_bot;
    const ordered = names.map((name) => ({ name, values: variables[name] ?? [] }));
    for (const combination of combinations) {
      const values = new Map(Object.entries(combinationValues(ordered, combination)));
      const trading_bot = bindVariables(algorithm, values);
      const request: BacktestRequest = { ...backtest_config, include: { history: true }, trading_bot };
      try {
        const { history } = await run(request, options);
        // Without a history: an engine that fails.
        if (!history) onRows({ ...NOTHING, failures: [{ combination, reason: null }] });
        else onRows({ ...NOTHING, rows: [rowOf(combination, history)] });
      } catch (error) {
        if (!(error instanceof RefusalError) || error.refusal.code === 'took_too_long') throw error;
        onRows({ ...NOTHING, failures: [{ combination, reason: error.refusal.detail }] });
      }
    }
  };
}

const NOTHING = { rows: [], failures: [] };

function rowOf(combination: number, { timestamps, value, tickers }: BacktestHistory): DailyRow {
  const mean = (percents: readonly number[]) =>
    percents.reduce((sum, percent) => sum + percent, 0) / 100 / timestamps.length;
  const weights = Object.fromEntries(Object.entries(tickers).map(([ticker, held]) => [ticker, mean(held)]));
  return { combination, ...returnsOf(timestamps, value), weights };
}
