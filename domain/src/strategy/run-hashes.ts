import { fingerprintOf, treeFingerprint } from '../batch/reuse.ts';
import type { BacktestRequest } from '../contracts/backtest.ts';
import { namedIndicatorPrices } from '../market-data/price-basis.ts';
import { readStructure } from './structure.ts';
import type { Algorithm } from './tree.ts';

/** What tells one tree from others; both are hex SHA-256. */
export interface TreeHashes {
  /** Of the tree, blind to its name and to what is only for the eye. */
  readonly tree: string;
  /** Of the tree as it is written: what a stored tree is named by. */
  readonly text: string;
}

/** What tells one run and its strategy from others: the tree as it was sent, and more. */
export interface RunHashes extends TreeHashes {
  /**
   * Of the run, whatever its answer shows besides: what trials were told apart by until dates and costs were
   * left out; hex SHA-256.
   */
  readonly run: string;
  /** Of what is tried: the same over other dates or at other costs has the same one; hex SHA-256. */
  readonly trial: string;
  /** Of the tree as it would be stored: with its defaults, its version and the order of its fields worked out anew. */
  readonly stored: TreeHashes;
}

/**
 * What makes another trial of the same tree: how its orders are filled, what its cash earns, and which prices
 * its indicators see.
 */
type TrialTerms = Pick<BacktestRequest, 'fill' | 'cash' | 'indicator_prices'>;

/**
 * Names a trial. Dates, costs, the balance and the benchmark are left out: whoever looks at the same strategy
 * over another period has not searched any further, as the same combinations over other dates are no new ones
 * (`trials.ts`).
 *
 * @param tree as of `treeFingerprint`
 */
export function trialFingerprint(tree: string, { fill, cash, indicator_prices }: TrialTerms): string {
  const terms = { fill: fill ?? 'close', cash: cash ?? null, ...namedIndicatorPrices(indicator_prices) };
  return fingerprintOf({ tree, ...terms });
}

/**
 * Works out the hashes of a run; some hundred milliseconds for the largest trees, so away from the thread
 * that serves requests.
 */
export function hashesOf(request: BacktestRequest, sha256: (text: string) => string): RunHashes {
  // What an answer shows besides makes no other trial.
  const { include: _include, benchmarks: _benchmarks, trading_bot: sent, ...terms } = request;
  const run = fingerprintOf({ ...terms, trading_bot: sent });
  const text = JSON.stringify(sent);
  const asSent = { tree: treeFingerprint(sent), text: sha256(text) };
  const trial = trialFingerprint(asSent.tree, request);
  const kept = asStored(sent);
  const storedText = JSON.stringify(kept);
  // Of what was loaded as it is stored, which most runs are, nothing is hashed twice.
  if (storedText === text) return { run, trial, ...asSent, stored: asSent };
  return { run, trial, ...asSent, stored: { tree: treeFingerprint(kept), text: sha256(storedText) } };
}

/** `treeFingerprint` of a tree as saving it would write it: whoever holds the tree unsaved has the same one. */
export function storedFingerprint(algorithm: Algorithm): string {
  return treeFingerprint(asStored(algorithm));
}

/** A tree that cannot be saved is what it is. */
function asStored(algorithm: Algorithm): Algorithm {
  return readStructure(algorithm).algorithm ?? algorithm;
}
