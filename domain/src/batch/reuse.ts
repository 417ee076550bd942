import type { BacktestConfig } from '../contracts/backtest.ts';
import { sha256 } from '../kernel/sha256.ts';
import { namedIndicatorPrices } from '../market-data/price-basis.ts';
import {
  DEFAULT_BENCHMARK,
  DEFAULT_SLIPPAGE_BPS,
  DEFAULT_STARTING_BALANCE,
} from '../strategy/backtest-terms.ts';
import { combinationSpace } from '../strategy/combinations.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { isRecord } from '../strategy/values.ts';
import type { BatchVariable } from './variable-values.ts';

/** Fields of a block that cannot change a number. */
const COSMETIC = new Set([
  'is_collapsed',
  'is_conditions_collapsed',
  'is_then_collapsed',
  'is_else_collapsed',
  'description',
]);

/** JSON with sorted keys and without what cannot change a number, so that equal strategies are equal texts. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  // Written out: of a strategy of 25,000 blocks entries of entries took twice as long, of the thread that
  // serves everybody.
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    if (COSMETIC.has(key)) continue;
    const inner = canonical(value[key]);
    if (key !== '__proto__') sorted[key] = inner;
    else Object.defineProperty(sorted, key, { value: inner, enumerable: true });
  }
  return sorted;
}

/** Hex SHA-256 of a JSON value, blind to the order of keys and to what is only for the eye. */
export function fingerprintOf(value: unknown): string {
  return Array.from(sha256(JSON.stringify(canonical(value))), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Hex SHA-256 of a tree, blind to the root's name, which is the strategy's title, and to what is only for the eye. */
export function treeFingerprint(algorithm: Algorithm): string {
  const { name: _title, ...tree } = algorithm;
  return fingerprintOf(tree);
}

/**
 * Equal for two batches whose rows may be shared: the same template, the same names of variables in the same
 * order, configuration, data version and engine version. The values may differ: that is what is reused. The
 * ids of blocks count, because failure reasons name them.
 */
export function batchFingerprint(batch: {
  readonly algorithm: Algorithm;
  readonly variableNames: readonly string[];
  readonly config: BacktestConfig;
  readonly dataVersion: string;
  readonly engineVersion: string;
}): string {
  const { algorithm, variableNames, config, dataVersion, engineVersion } = batch;
  const {
    start_date,
    end_date,
    starting_balance = DEFAULT_STARTING_BALANCE,
    slippage_bps = DEFAULT_SLIPPAGE_BPS,
    benchmark_ticker = DEFAULT_BENCHMARK,
    out_of_sample_date = null,
    fill,
    cash,
    indicator_prices,
    both_fills,
  } = config;
  const settings = {
    start_date,
    end_date,
    starting_balance,
    slippage_bps,
    benchmark_ticker,
    out_of_sample_date,
    // The defaults stay out, so that batches from before there was a choice are found.
    ...(fill && fill !== 'close' && { fill }),
    ...(cash && { cash }),
    ...namedIndicatorPrices(indicator_prices),
    ...(both_fills && { both_fills }),
  };
  // The root's name is the template's title.
  const { name: _title, ...tree } = algorithm;
  return fingerprintOf({ tree, variableNames, settings, dataVersion, engineVersion });
}

/**
 * Rows of one earlier batch for a new one: combination `targets[i]` of the new batch is `sources[i]` of the
 * earlier one.
 */
export interface RowMap {
  readonly batchId: string;
  readonly targets: Int32Array;
  readonly sources: Int32Array;
}

/** An earlier batch of the same fingerprint. */
export interface ReuseCandidate {
  readonly batchId: string;
  readonly variables: readonly BatchVariable[];
}

/**
 * Finds which combinations of a new batch earlier batches of the same fingerprint hold already, one of them
 * after the other. Every combination is taken from the first batch that has it. Time and memory grow with the
 * number of combinations that are covered.
 */
export class ReuseSearch {
  readonly maps: RowMap[] = [];
  private readonly variables: readonly BatchVariable[];
  private readonly covered: Uint8Array;
  private left: number;

  /** @param variables of the new batch */
  constructor(variables: readonly BatchVariable[]) {
    this.variables = variables;
    this.left = combinationSpace(variables.map(({ values }) => values.length)).count;
    this.covered = new Uint8Array(this.left);
  }

  /** Whether every combination is covered: no further candidate has anything to give. */
  get isComplete(): boolean {
    return this.left === 0;
  }

  /** @returns the number of combinations that were looked at: those that both batches have */
  add({ batchId, variables: theirs }: ReuseCandidate): number {
    const { variables, covered } = this;
    // Per variable: the shared values as (index here, index there).
    const shared = variables.map(({ values }, v) => {
      const there = new Map((theirs[v]?.values ?? []).map((value, i) => [value, i]));
      return values.flatMap((value, here) => {
        const index = there.get(value);
        return index === undefined ? [] : [{ here, there: index }];
      });
    });
    const overlap = combinationSpace(shared.map((pairs) => pairs.length));
    if (overlap.count === 0) return 0;
    const most = Math.min(overlap.count, this.left);
    const targets = new Int32Array(most);
    const sources = new Int32Array(most);
    let count = 0;
    const walk = odometer(shared, strides(variables), strides(theirs));
    for (let k = 0; k < overlap.count && count < most; k += 1, walk.next()) {
      if (covered[walk.target]) continue;
      covered[walk.target] = 1;
      targets[count] = walk.target;
      sources[count] = walk.source;
      count += 1;
    }
    this.left -= count;
    if (count > 0)
      this.maps.push({ batchId, targets: targets.slice(0, count), sources: sources.slice(0, count) });
    return overlap.count;
  }
}

/**
 * All that earlier batches have of a new one, see `ReuseSearch`.
 *
 * @param earlier candidates, the preferred ones first
 */
export function mapReuse(
  variables: readonly BatchVariable[],
  earlier: readonly ReuseCandidate[],
): readonly RowMap[] {
  const search = new ReuseSearch(variables);
  for (const candidate of earlier) {
    if (search.isComplete) break;
    search.add(candidate);
  }
  return search.maps;
}

/** What one step of each variable adds to the combination number. */
function strides(variables: readonly BatchVariable[]): number[] {
  const out = new Array<number>(variables.length).fill(1);
  for (let v = variables.length - 2; v >= 0; v -= 1)
    out[v] = (out[v + 1] as number) * (variables[v + 1]?.values.length ?? 1);
  return out;
}

/**
 * Walks over all shared combinations, the last variable fastest, without a division or an allocation per
 * step: there may be millions.
 */
function odometer(
  shared: readonly (readonly { readonly here: number; readonly there: number }[])[],
  ownStrides: readonly number[],
  theirStrides: readonly number[],
) {
  const digits = new Array<number>(shared.length).fill(0);
  const state = {
    target: 0,
    source: 0,
    next: () => {
      for (let v = shared.length - 1; v >= 0; v -= 1) {
        const pairs = shared[v] ?? [];
        const before = pairs[digits[v] as number] ?? { here: 0, there: 0 };
        const digit = (digits[v] as number) + 1 === pairs.length ? 0 : (digits[v] as number) + 1;
        digits[v] = digit;
        const after = pairs[digit] ?? { here: 0, there: 0 };
        state.target += (after.here - before.here) * (ownStrides[v] as number);
        state.source += (after.there - before.there) * (theirStrides[v] as number);
        if (digit !== 0) return;
      }
    },
  };
  for (const [v, pairs] of shared.entries()) {
    state.target += (pairs[0]?.here ?? 0) * (ownStrides[v] as number);
    state.source += (pairs[0]?.there ?? 0) * (theirStrides[v] as number);
  }
  return state;
}

/** New combinations per partition: what the quota counts. */
export function newByPartition(
  combinations: number,
  partitionSize: number,
  maps: readonly RowMap[],
): number[] {
  const count = Math.ceil(combinations / partitionSize);
  const fresh = Array.from({ length: count }, (_, i) =>
    Math.min(partitionSize, combinations - i * partitionSize),
  );
  for (const { targets } of maps)
    for (const target of targets) {
      const partition = Math.floor(target / partitionSize);
      fresh[partition] = (fresh[partition] ?? 0) - 1;
    }
  return fresh;
}
