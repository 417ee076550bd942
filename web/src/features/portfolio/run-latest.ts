import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { callPath } from '../../lib/api.ts';
import { rememberBacktest } from '../../lib/personal.ts';
import { today } from '../../lib/today.ts';
import { FIRST_DAY } from '../../ui/DatePicker.tsx';

/** Runs a saved strategy over all days there are, on the product's default terms, and remembers the result for the lists. */
export async function runLatest(userId: string, strategyId: string): Promise<void> {
  const bot = (await callPath('GET', '/api/v1/trading-bots/{id}', { params: { id: strategyId } })) as {
    algorithm?: unknown;
  };
  const answer = (await callPath('POST', '/api/v1/backtests', {
    body: {
      start_date: FIRST_DAY,
      end_date: today(),
      starting_balance: 10_000,
      slippage_bps: 10,
      include: { history: true },
      strategy_id: strategyId,
      trading_bot: bot.algorithm,
    },
  })) as BacktestAnswer;
  rememberBacktest(userId, strategyId, answer);
}
