import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { COLUMNS_TYPE, decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import {
  cloneTradingBot,
  createTradingBot,
  getTradingBot,
  runBacktest,
  setTradingBotHoldOut,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/calls';
import { RUN_HEADER } from '@quantloom/domain/contracts/http/headers';
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { isSameDocument } from '@quantloom/domain/kernel/same-document';
import { isTemplate, variableNames } from '@quantloom/domain/strategy/variables';
import { api, queryClient, statusOf } from '../../../lib/api.ts';
import { pause } from '../../../lib/pause.ts';
import { currentRevisionOf, type SaveInput } from '../machines/editor.machine.ts';
import type { EditorDocument } from './editor-store.ts';

/** What the editor works on of a stored strategy. */
export function documentOf(bot: TradingBot): EditorDocument {
  return { name: bot.name, isPublic: bot.is_public, algorithm: bot.algorithm };
}

/**
 * The last revision that this browser wrote, for other tabs and after a reload: reads may lag behind writes
 * for a moment.
 */
const WRITTEN_KEY = 'editorWritten';
const WRITTEN_FOR_MS = 60_000;
const WAIT_MS = 5_000;
const PAUSE_MS = 150;

function rememberWritten({ id, revision }: Pick<TradingBot, 'id' | 'revision'>): void {
  try {
    localStorage.setItem(WRITTEN_KEY, JSON.stringify({ id, revision, at: Date.now() }));
  } catch {
    // Then a read right after this write may be a moment old.
  }
}

function writtenRevision(id: string): number | null {
  try {
    const text = localStorage.getItem(WRITTEN_KEY) ?? 'null';
    const value = JSON.parse(text) as { id: string; revision: number; at: number } | null;
    return value?.id === id && Date.now() - value.at < WRITTEN_FOR_MS ? value.revision : null;
  } catch {
    return null;
  }
}

/**
 * Reads a strategy; one that this browser has just written is waited for until the read side has it, for a
 * few seconds.
 */
export const loadBot = (id: string, signal?: AbortSignal): Promise<TradingBot> =>
  readBot(id, writtenRevision(id), signal);

/** Reads a strategy from a revision on, for a few seconds; afterwards as it is. */
async function readBot(id: string, wanted: number | null, signal?: AbortSignal): Promise<TradingBot> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const isLast = wanted === null || Date.now() >= deadline;
    try {
      const bot = await api().call(getTradingBot, { params: { id }, ...(signal && { signal }) });
      if (isLast || bot.revision >= wanted) return bot;
    } catch (error) {
      if (isLast || statusOf(error) !== 404) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/**
 * The revision that a refused save may be made on after all: what is edited here was not changed since, only
 * its tags, say. Null where it was, which somebody has to look at.
 */
async function untouchedRevision(error: unknown, base: TradingBot): Promise<number | null> {
  const wanted = statusOf(error) === 409 ? currentRevisionOf(error) : null;
  if (wanted === null) return null;
  const now = await readBot(base.id, wanted);
  return now.revision >= wanted && isSameDocument(documentOf(now), documentOf(base)) ? now.revision : null;
}

/** Creates or changes; a change names the revision that was edited, so that nobody's change is lost silently. */
export async function saveBot(input: SaveInput): Promise<TradingBot> {
  try {
    return await storeBot(input);
  } catch (error) {
    const revision = input.base && (await untouchedRevision(error, input.base));
    if (revision === null) throw error;
    return await storeBot({ ...input, revision });
  }
}

async function storeBot({ id, revision, document }: SaveInput): Promise<TradingBot> {
  const { name, isPublic, algorithm, origin } = document;
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
          body: { ...body, status: 'draft', ...(origin && { imported_from: origin }) },
          idempotencyKey: crypto.randomUUID(),
        })
      : await api().call(updateTradingBot, {
          params: { id },
          body,
          ...(revision !== null && { ifMatch: revision }),
        });
  rememberWritten(bot);
  void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  void queryClient.invalidateQueries({ queryKey: ['templates'] });
  void queryClient.invalidateQueries({ queryKey: ['trading-bots', bot.id] });
  return bot;
}

/** Holds days out of all batches; names the revision that was seen, as a save does. */
export async function setHoldOut(id: string, date: string | null, revision: number | null) {
  const set = await api().call(setTradingBotHoldOut, {
    params: { id },
    body: { date },
    ...(revision !== null && { ifMatch: revision }),
  });
  rememberWritten(set);
  void queryClient.invalidateQueries({ queryKey: ['trading-bots', id] });
  return set;
}

export async function cloneBot(id: string): Promise<TradingBot> {
  const clone = await api().call(cloneTradingBot, { params: { id }, idempotencyKey: crypto.randomUUID() });
  rememberWritten(clone);
  void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  return clone;
}

/**
 * Runs on the server. `strategyId` counts the run among the trials of a saved strategy's lineage. The answer
 * comes in columns, which a server of another version may not have: it answers JSON.
 */
export async function backtest(
  request: BacktestRequest,
  strategyId: string | null,
  signal: AbortSignal,
): Promise<BacktestAnswer> {
  const { benchmarks, ...terms } = request;
  const response = await api().open(runBacktest, {
    body: {
      ...terms,
      ...(benchmarks && { benchmarks: [...benchmarks] }),
      ...(strategyId !== null && { strategy_id: strategyId }),
    },
    headers: { accept: `${COLUMNS_TYPE}, application/json;q=0.9` },
    signal,
  });
  // It was recorded: the lists show it.
  if (response.headers.has(RUN_HEADER)) void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  if (response.headers.get('content-type') !== COLUMNS_TYPE) return (await response.json()) as BacktestAnswer;
  return decodeColumns(new Uint8Array(await response.arrayBuffer()));
}
