import { getTradingBot, runBacktest } from '@quantloom/domain/contracts/http/calls';
import {
  DEFAULT_BENCHMARK,
  DEFAULT_SLIPPAGE_BPS,
  DEFAULT_STARTING_BALANCE,
} from '@quantloom/domain/strategy/backtest-terms';
import type { RunTerms } from '@quantloom/domain/strategy-run/events';
import { api, queryClient } from './api.ts';
import type { DraftRow } from './resources.ts';
import { termsAgain } from './terms-again.ts';
import { today } from './today.ts';

const FIRST_DAY = '1990-01-01';

/** All days there are, on the product's default terms. */
function usualTerms(): RunTerms {
  return {
    start_date: FIRST_DAY,
    end_date: today(),
    starting_balance: DEFAULT_STARTING_BALANCE,
    slippage_bps: DEFAULT_SLIPPAGE_BPS,
    benchmark_ticker: DEFAULT_BENCHMARK,
  };
}

/**
 * Runs a saved strategy on the terms that it was run on last, so that its figures stay comparable; the server
 * records what it comes to. One that was never run runs over all days there are.
 */
export async function runLatest({ id, lastRun }: Pick<DraftRow, 'id' | 'lastRun'>): Promise<void> {
  const bot = await api().call(getTradingBot, { params: { id } });
  await api().call(runBacktest, {
    body: {
      ...(lastRun ? termsAgain(lastRun) : usualTerms()),
      strategy_id: id,
      trading_bot: bot.algorithm,
    },
  });
  await queryClient.invalidateQueries({ queryKey: ['drafts'] });
}
