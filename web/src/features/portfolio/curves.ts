import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { getAsLived, getTradingBot, runBacktest } from '@quantloom/domain/contracts/http/calls';
import type { Curve } from '@quantloom/domain/portfolio/combine';
import { DEFAULT_SLIPPAGE_BPS, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import { useEffect, useState } from 'react';
import { api, messageOf, queryClient, statusOf } from '../../lib/api.ts';
import { formatUnixDay } from '../../lib/format.ts';
import { today } from '../../lib/today.ts';

export type CurveKind = 'lived' | 'backtests';

/** What came of asking for the curve of a strategy. */
type Loaded =
  | {
      readonly curve: Curve;
      readonly isSimulated: boolean;
      /** Ticker → percent on the last day; null where it is told elsewhere. */
      readonly holdings: Readonly<Record<string, number>> | null;
    }
  | { readonly fault: string };

export interface Curves {
  readonly found: ReadonlyMap<string, Loaded>;
  readonly isDone: boolean;
}

const FIRST_DAY = '1990-01-01';
const SIDE_BY_SIDE = 2;
const KEPT_MS = 10 * 60_000;
const MOST_RETRIES = 6;
const MOST_DRAWINGS = 20;

async function livedCurve(id: string): Promise<Loaded> {
  const record = await api().call(getAsLived, { params: { id } });
  return {
    curve: { days: record.days, values: record.lived },
    isSimulated: record.is_simulated,
    holdings: null,
  };
}

/** A backtest of the newest revision over all days there are. */
async function backtestCurve(id: string): Promise<Loaded> {
  const bot = await api().call(getTradingBot, { params: { id } });
  if (bot.type === 'template') return { fault: 'It has variables without values: it cannot be run alone.' };
  const { history, provenance } = (await api().call(runBacktest, {
    body: {
      start_date: FIRST_DAY,
      end_date: today(),
      starting_balance: DEFAULT_STARTING_BALANCE,
      slippage_bps: DEFAULT_SLIPPAGE_BPS,
      include: { history: true },
      trading_bot: bot.algorithm,
    },
  })) as BacktestAnswer;
  if (!history) return { fault: 'The backtest came without its days.' };
  const days = history.timestamps.map(formatUnixDay);
  const holdings = Object.entries(history.tickers).map(
    ([ticker, held]) => [ticker, held.at(-1) ?? 0] as const,
  );
  return {
    curve: { days, values: history.value },
    isSimulated: provenance?.is_simulated ?? false,
    holdings: Object.fromEntries(holdings),
  };
}

const isWorthAnotherTry = (error: unknown): boolean => {
  const status = statusOf(error);
  return status === null ? error instanceof TypeError : status === 429 || status >= 500;
};

async function load(kind: CurveKind, id: string): Promise<Loaded> {
  try {
    return await queryClient.fetchQuery({
      queryKey: ['portfolio-curves', kind, id],
      queryFn: () => (kind === 'lived' ? livedCurve(id) : backtestCurve(id)),
      staleTime: KEPT_MS,
      // Many strategies in a row meet the limits that hold for everybody: then it waits for its turn.
      retry: (failures, error) => failures < MOST_RETRIES && isWorthAnotherTry(error),
      retryDelay: (failures) => 1000 * 2 ** failures,
    });
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

/** The curves of these strategies, two at a time, so that two hundred of them hold up nobody else. */
export function useCurves(kind: CurveKind, ids: readonly string[]): Curves {
  const key = `${kind} ${ids.join()}`;
  const [state, setState] = useState<{ readonly key: string; readonly found: ReadonlyMap<string, Loaded> }>({
    key: '',
    found: new Map(),
  });
  useEffect(() => {
    let isOver = false;
    const [, list = ''] = key.split(' ');
    const rest = list === '' ? [] : list.split(',');
    const total = rest.length;
    // The page of two hundred strategies is drawn twenty times on the way, not two hundred times.
    const step = Math.ceil(total / MOST_DRAWINGS);
    const found = new Map<string, Loaded>();
    const work = async () => {
      for (let id = rest.shift(); id !== undefined && !isOver; id = rest.shift()) {
        const loaded = await load(kind, id);
        found.set(id, loaded);
        const isShown = found.size % step === 0 || found.size === total;
        if (!isOver && isShown) setState({ key, found: new Map(found) });
      }
    };
    for (let i = 0; i < SIDE_BY_SIDE; i += 1) void work();
    return () => {
      isOver = true;
    };
  }, [key, kind]);
  const found = state.key === key ? state.found : new Map<string, Loaded>();
  return { found, isDone: found.size === ids.length };
}
