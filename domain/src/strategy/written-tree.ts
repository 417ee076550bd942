import type { BacktestRequest } from '../contracts/backtest.ts';
import { forEachTickerPlace } from './ticker-places.ts';
import { isRecord, isVariable, sidesOf } from './values.ts';

/** A checked tree as JSON in UTF-8: who passes it on need not parse it. */
export interface WrittenTree {
  readonly json: Uint8Array;
  /** Its tickers, each once, in reading order. */
  readonly tickers: readonly string[];
}

/** A backtest whose strategy may still be JSON. */
export type RunRequest = Omit<BacktestRequest, 'trading_bot'> & {
  readonly trading_bot: BacktestRequest['trading_bot'] | WrittenTree;
};

/** Writes a tree that was checked, without variables. */
export function writeTree(algorithm: unknown): WrittenTree {
  const tickers = new Set<string>();
  forEachTickerPlace(algorithm, (value) => {
    for (const side of sidesOf(value)) if (side !== '' && !isVariable(side)) tickers.add(side);
  });
  return { json: new TextEncoder().encode(JSON.stringify(algorithm)), tickers: [...tickers] };
}

/** No JSON holds bytes, so nothing that comes from outside passes for a written tree. */
export function isWrittenTree(tree: unknown): tree is WrittenTree {
  return isRecord(tree) && tree.json instanceof Uint8Array;
}

/** The request with its tree as a value. */
export function parsedRequest(request: RunRequest): BacktestRequest {
  const { trading_bot: tree } = request;
  if (!isWrittenTree(tree)) return { ...request, trading_bot: tree };
  return { ...request, trading_bot: JSON.parse(new TextDecoder().decode(tree.json)) };
}
