import { createHash } from 'node:crypto';
import { type BatchHoldOut, batchHoldOut, withHoldOut } from '@quantloom/domain/batch/hold-out';
import { cutPartitions, type Partitioning } from '@quantloom/domain/batch/partitioning';
import {
  type BatchDefinitionDocument,
  type BatchDocument,
  batchDefinitionsProjection,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import {
  type BatchDraft,
  checkTickers,
  MAX_COMBINATIONS,
  readBatchRequest,
  tickersOf,
  tickersOfTerms,
  type UnknownTickers,
} from '@quantloom/domain/batch/request';
import {
  batchFingerprint,
  fingerprintOf,
  newByPartition,
  ReuseSearch,
  type RowMap,
} from '@quantloom/domain/batch/reuse';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import type { BatchRequestBody } from '@quantloom/domain/contracts/http/batches';
import { PLANS } from '@quantloom/domain/identity/plans';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfReuse, costOfRun } from '@quantloom/domain/limits/cost';
import { MAX_BATCH_TICKERS } from '@quantloom/domain/limits/limits';
import { exchangeDay, exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { DataSetManifest, MarketData } from '@quantloom/domain/ports/market-data';
import { type StrategySize, sizeOf } from '@quantloom/domain/strategy/size';
import { type HeldTree, readTree } from '@quantloom/domain/strategy/stored-tree';
import {
  isSameDocument,
  maySeeStrategy,
  type StrategyState,
  strategyStream,
} from '@quantloom/domain/strategy/strategy';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { heldBy, monthlyLimitExceeded } from '@quantloom/domain/usage/usage';
import { breath } from '@quantloom/http/breath';
import { type CostMeter, FREE_METER } from '@quantloom/http/costs';
import type { Principal } from '@quantloom/http/principal';
import type { ReadModelProgress } from '@quantloom/http/read-own-writes';
import type { WriteDeps } from '../deps.ts';
import { openBatches, secondsOfWaiting } from './queue-ahead.ts';

export interface BatchCommandDeps extends WriteDeps {
  readonly marketData: MarketData;
  readonly backtestRunner: BacktestRunner;
  /** Absent where nobody reads what was written, in tests of the write side alone. */
  readonly consistency?: ReadModelProgress;
}

/** A checked batch request with everything that the server found out about it. */
export interface PreparedBatch extends Partitioning {
  readonly draft: BatchDraft;
  readonly dataSet: DataSetManifest;
  /** From creation to end, waiting for others included. */
  readonly seconds: number;
  readonly fingerprint: string;
  readonly reuse: readonly RowMap[];
  readonly quotaByPartition: readonly number[];
  readonly newCombinations: number;
  readonly origin: StrategyOrigin;
  /** Null where the strategy holds nothing out. */
  readonly holdOut: BatchHoldOut | null;
  readonly month: string;
  readonly monthlyLimit: number;
  /** Combinations of this month before this batch. */
  readonly used: number;
  /** Values whose rows will fail, because there are no prices. */
  readonly unknownTickers: UnknownTickers;
}

export interface PreparationOptions {
  /** What the measuring is charged to. */
  readonly cost?: CostMeter;
  /** Of a batch that is to be created: what a first attempt has reserved for it does not count against it. */
  readonly batchId?: string;
  /** The size of the template's tree, where another thread has found nothing wrong with it. */
  readonly checkedSize?: StrategySize | null;
}

export interface StrategyOrigin {
  readonly strategyId: string | null;
  readonly strategyRevision: number | null;
  readonly lineageId: string;
}

/** Earlier batches that are looked through for rows. */
const REUSE_CANDIDATES = 20;
const DAY_MS = 86_400_000;
/** Tickers whose prices are looked for at the same time. */
const LOOKED_UP_AT_ONCE = 200;
const TOO_MANY_TICKERS = refuse(
  400,
  'too_many_tickers',
  `A batch names at most ${MAX_BATCH_TICKERS.toLocaleString('en-US')} different tickers that have prices`,
);
/** Combinations that an estimate computes at least. */
const LEAST_SAMPLED_ROWS = 4;

/**
 * Validates a batch request as a run would, counts, measures, and looks for rows that are there already.
 * Nothing that the client counted is trusted, and nothing is written.
 */
export async function prepareBatch(
  body: BatchRequestBody,
  principal: Principal,
  deps: BatchCommandDeps,
  { cost = FREE_METER, batchId, checkedSize = null }: PreparationOptions = {},
): Promise<PreparedBatch | Refusal> {
  const now = deps.clock.now();
  await breath();
  const asked = readBatchRequest(body, {
    today: exchangeDay(now),
    features: principal.features,
    isChecked: checkedSize !== null,
  });
  if (isRefusal(asked)) return asked;
  await breath();
  const strategy = await strategyOf(asked, principal, deps);
  const heldOutFrom = strategy?.state.holdOut?.date ?? null;
  const config = withHoldOut(asked.config, heldOutFrom);
  if (isRefusal(config)) return config;
  // Before the fingerprint, which rows of another date do not share.
  const draft = { ...asked, config };
  const dataSet = await currentDataSet(deps.marketData);
  if (isRefusal(dataSet)) return dataSet;
  const fingerprint = batchFingerprint({
    algorithm: draft.template.algorithm,
    variableNames: draft.template.variables,
    config: draft.config,
    dataVersion: dataSet.version,
    engineVersion: ENGINE_VERSION,
  });
  await breath();
  const isHuge = draft.combinations > MAX_COMBINATIONS;
  const size = checkedSize ?? sizeOf(draft.template.algorithm);
  const sought = { variables: draft.variables, fingerprint, blocks: size.blocks };
  const reuse = isHuge ? [] : await findReuse(sought, principal.userId, cost, deps);
  if (isRefusal(reuse)) return reuse;
  const newCombinations = reuse.reduce((rest, { targets }) => rest - targets.length, draft.combinations);
  const month = exchangeMonth(now);
  const { state } = await loadState(
    deps.eventStore,
    USAGE_STREAM,
    usageId(principal.userId, month),
    deps.stateCache,
  );
  const monthlyLimit = PLANS[principal.planId].monthlyBacktests;
  const used = state.used - (batchId === undefined ? 0 : (heldBy(state, batchId)?.combinations ?? 0));
  // Before prices are loaded and anything is measured: a request for billions of combinations costs nothing.
  if (used + newCombinations > monthlyLimit) return overLimit(draft, used, monthlyLimit, newCombinations);
  const unknownTickers = await findUnknownTickers(draft, dataSet, deps.marketData);
  if (isRefusal(unknownTickers)) return unknownTickers;
  const request = {
    template_bot: draft.template,
    variables: Object.fromEntries(draft.variables.map(({ name, values }) => [name, values])),
    backtest_config: draft.config,
  };
  const runs = draft.config.both_fills ? 2 : 1;
  const expectedMs = runs * costOfRun(size, daysOf(draft));
  const refused = await cost.expect(expectedMs * LEAST_SAMPLED_ROWS);
  if (refused) return refused;
  const estimate = await asRefusal(
    deps.backtestRunner.estimate(request, {
      dataVersion: dataSet.version,
      owner: principal.userId,
      expectedMs,
      deadlineMs: cost.limits.deadlineSeconds * 1000,
    }),
  );
  if (isRefusal(estimate)) return estimate;
  await cost.settle(estimate.spentMs);
  // Looking for the strategy's origin takes a fingerprint of the whole tree.
  await breath();
  // By the work, not by the clock: on a busy machine the clock would ask for many small partitions, which
  // make it busier.
  const partitioning = cutPartitions(draft.combinations, estimate.workSeconds);
  // What is there already costs no time, what others have asked for does.
  const computed = (estimate.seconds - estimate.fixedSeconds) * (newCombinations / draft.combinations);
  const others = await openBatches(deps.readModels, deps.clock.now().getTime());
  return {
    ...partitioning,
    draft,
    dataSet,
    seconds: estimate.fixedSeconds + computed + secondsOfWaiting(computed, others),
    fingerprint,
    reuse,
    quotaByPartition: newByPartition(draft.combinations, partitioning.partitionSize, reuse),
    newCombinations,
    origin: originOf(draft, principal, strategy),
    holdOut: batchHoldOut(heldOutFrom, config),
    month,
    monthlyLimit,
    used,
    unknownTickers,
  };
}

function daysOf({ config }: BatchDraft): number {
  return (Date.parse(config.end_date) - Date.parse(config.start_date)) / DAY_MS + 1;
}

/** The refusal of a batch that does not fit into the month, with the figures that the page shows all the same. */
function overLimit(draft: BatchDraft, used: number, monthlyLimit: number, newCombinations: number): Refusal {
  const refusal = monthlyLimitExceeded(used, monthlyLimit, newCombinations);
  return {
    ...refusal,
    data: {
      ...refusal.data,
      combinations: draft.combinations,
      requested_combinations: draft.requestedCombinations,
      new_combinations: newCombinations,
    },
  };
}

/** A refusal that came as an exception, as the value it is. */
export async function asRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    const carried = (error as { refusal?: unknown }).refusal;
    if (isRefusal(carried)) return carried;
    throw error;
  }
}

async function currentDataSet(marketData: MarketData): Promise<DataSetManifest | Refusal> {
  try {
    return await marketData.current();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return refuse(409, 'no_data_set', 'No market data are loaded yet');
  }
}

async function findUnknownTickers(
  draft: BatchDraft,
  dataSet: DataSetManifest,
  marketData: MarketData,
): Promise<UnknownTickers | Refusal> {
  const { inTree, byVariable } = tickersOf(draft);
  const inTerms = tickersOfTerms(draft.config).map(({ ticker }) => ticker);
  const asked = [...new Set([...inTree, ...[...byVariable.values()].flat(), ...inTerms])];
  const known = new Set<string>();
  for (let from = 0; from < asked.length; from += LOOKED_UP_AT_ONCE) {
    // What is found is let go again: a list may name everything there is.
    const found = await marketData.load(dataSet.version, asked.slice(from, from + LOOKED_UP_AT_ONCE));
    for (const ticker of found.keys()) known.add(ticker);
    if (known.size > MAX_BATCH_TICKERS) return TOO_MANY_TICKERS;
  }
  await breath();
  return checkTickers(draft, (ticker) => known.has(ticker));
}

/**
 * Rows of the caller's own finished batches that hold the same strategies, the newest first: as many of them
 * as it takes.
 */
async function findReuse(
  { variables, fingerprint, blocks }: Sought,
  userId: string,
  cost: CostMeter,
  { readModels }: Pick<BatchCommandDeps, 'readModels'>,
): Promise<readonly RowMap[] | Refusal> {
  const candidates = await readModels.find<BatchDocument>(batchesProjection.collection.name, {
    where: { userId, fingerprint, status: 'Finished' },
    sort: [['createdAt', 'desc']],
    limit: REUSE_CANDIDATES,
  });
  if (candidates.length === 0) return [];
  const search = new ReuseSearch(variables);
  const { name } = batchDefinitionsProjection.collection;
  for (const { id } of candidates) {
    // One at a time: each holds its whole template.
    const found = await readModels.get<BatchDefinitionDocument>(name, id);
    if (!found) continue;
    const theirs = found.variableNames.map((variable) => ({
      name: variable,
      values: found.variables[variable] ?? [],
    }));
    const looked = search.add({ batchId: id, variables: theirs });
    const refused = await cost.expect(costOfReuse(looked, blocks));
    if (refused) return refused;
    if (search.isComplete) break;
    await breath();
  }
  return search.maps;
}

interface Sought {
  readonly variables: readonly BatchVariable[];
  readonly fingerprint: string;
  /** Of the template. */
  readonly blocks: number;
}

/**
 * Whether a tree is the one that is saved. Pages hold a tree as they sent it to be saved, with the version of
 * before.
 */
function isSavedTree(saved: HeldTree, algorithm: unknown): boolean {
  if (!saved.tree && isSameDocument(saved.algorithm, algorithm)) return true;
  const read = readTree(algorithm, null, (text) => createHash('sha256').update(text).digest('hex'));
  if (isRefusal(read)) return false;
  return saved.tree
    ? read.held.tree?.hash === saved.tree.hash
    : isSameDocument(saved.algorithm, read.held.algorithm);
}

interface SavedStrategy {
  readonly state: Exclude<StrategyState, { readonly status: 'none' }>;
  readonly revision: number;
}

/** The strategy that the template was saved as, where the caller may see it. */
async function strategyOf(
  { template: { id } }: BatchDraft,
  { userId }: Principal,
  deps: BatchCommandDeps,
): Promise<SavedStrategy | null> {
  if (!id) return null;
  const { state, revision } = await loadState(deps.eventStore, strategyStream, id, deps.stateCache);
  if (state.status === 'none') return null;
  return maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, userId)
    ? { state, revision }
    : null;
}

/**
 * Which strategy the template is, and which family its trials are counted in. A template that was never saved
 * is a family of its own.
 */
function originOf(
  { template: { algorithm } }: BatchDraft,
  principal: Principal,
  strategy: SavedStrategy | null,
): StrategyOrigin {
  if (!strategy)
    return {
      strategyId: null,
      strategyRevision: null,
      lineageId: `tree-${principal.userId}-${fingerprintOf(algorithm).slice(0, 24)}`,
    };
  const { state, revision } = strategy;
  return {
    strategyId: state.strategyId,
    // A tree that differs from what is saved is an edit without a revision.
    strategyRevision: isSavedTree(state, algorithm) ? revision : null,
    lineageId: state.lineageId,
  };
}
