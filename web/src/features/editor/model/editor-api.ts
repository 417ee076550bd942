import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { runBacktest } from '@quantloom/domain/contracts/http/backtests';
import {
  cloneTradingBot,
  createTradingBot,
  getTradingBot,
  type TradingBot,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/strategies';
import { isTemplate, variableNames } from '@quantloom/domain/strategy/variables';
import { api, queryClient } from '../../../lib/api.ts';
import type { SaveInput } from '../machines/editor.machine.ts';
import type { EditorDocument } from './editor-store.ts';

/** What the editor works on of a stored strategy. */
export function documentOf(bot: TradingBot): EditorDocument {
  return { name: bot.name, isPublic: bot.is_public, algorithm: bot.algorithm };
}

export async function loadBot(id: string, signal?: AbortSignal): Promise<TradingBot> {
  return await api().call(getTradingBot, { params: { id }, ...(signal && { signal }) });
}

/** Creates or changes; a change names the revision that was edited, so that nobody's change is lost silently. */
export async function saveBot({ id, revision, document }: SaveInput): Promise<TradingBot> {
  const { name, isPublic, algorithm } = document;
  const body = {
    name,
    is_public: isPublic,
    algorithm,
    type: isTemplate(algorithm) ? 'template' : 'bot',
    variables: variableNames(algorithm),
  };
  const bot =
    id === 'new'
      ? await api().call(createTradingBot, {
          body: { ...body, status: 'draft' },
          idempotencyKey: crypto.randomUUID(),
        })
      : await api().call(updateTradingBot, {
          params: { id },
          body,
          ...(revision !== null && { ifMatch: revision }),
        });
  void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  void queryClient.invalidateQueries({ queryKey: ['templates'] });
  void queryClient.invalidateQueries({ queryKey: ['trading-bots', bot.id] });
  return bot;
}

export async function cloneBot(id: string): Promise<TradingBot> {
  const clone = await api().call(cloneTradingBot, { params: { id }, idempotencyKey: crypto.randomUUID() });
  void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  return clone;
}

/** Runs on the server. `strategyId` counts the run among the trials of a saved strategy's lineage. */
export async function backtest(
  request: BacktestRequest,
  strategyId: string | null,
  signal: AbortSignal,
): Promise<BacktestAnswer> {
  return await api().call(runBacktest, {
    body: { ...request, ...(strategyId !== null && { strategy_id: strategyId }) },
    signal,
  });
}
