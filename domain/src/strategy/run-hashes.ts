import { fingerprintOf, treeFingerprint } from '../batch/reuse.ts';
import type { BacktestRequest } from '../contracts/backtest.ts';

/** What tells one run and its strategy from others; all are hex SHA-256. */
export interface RunHashes {
  /** Of the run, whatever its answer shows besides: the same trial has the same one. */
  readonly run: string;
  /** Of the tree, blind to its name and to what is only for the eye. */
  readonly tree: string;
  /** Of the tree as it is written: what a stored tree is named by. */
  readonly text: string;
}

/** Works out the hashes of a run; some hundred milliseconds for the largest trees, so away from the thread that serves requests. */
export function hashesOf(request: BacktestRequest, sha256: (text: string) => string): RunHashes {
  // What an answer shows besides makes no other trial.
  const { include: _include, benchmarks: _benchmarks, ...run } = request;
  return {
    run: fingerprintOf(run),
    tree: treeFingerprint(request.trading_bot),
    text: sha256(JSON.stringify(request.trading_bot)),
  };
}
