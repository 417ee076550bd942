import { getTradingBot, runBacktest } from '@quantloom/domain/contracts/http/calls';
import { DEFAULT_SLIPPAGE_BPS, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import { api, queryClient } from './api.ts';
import { today } from './today.ts';

const FIRST_DAY = '1990-01-01';

/** Runs a saved strategy over all days there are, on the product's default terms; the server records what it comes to. */
export async function runLatest(strategyId: string): Promise<void> {
  const bot = await api().call(getTradingBot, { params: { id: strategyId } });
  await api().call(runBacktest, {
    body: {
      start_date: FIRST_DAY,
      end_date: today(),
      starting_balance: DEFAULT_STARTING_BALANCE,
      slippage_bps: DEFAULT_SLIPPAGE_BPS,
      strategy_id: strategyId,
      trading_bot: bot.algorithm,
    },
  });
  await queryClient.invalidateQueries({ queryKey: ['drafts'] });
}
