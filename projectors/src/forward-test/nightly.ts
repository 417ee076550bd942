import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import {
  type DecisionCommand,
  decisionId,
  decisionStream,
  evaluationId,
  sameWeights,
} from '@quantloom/domain/forward-test/decision';
import {
  type EvaluationFailed,
  evaluationOf,
  evaluationStream,
} from '@quantloom/domain/forward-test/failure';
import {
  type DecisionDocument,
  decisionsProjection,
  type ForwardRecordDocument,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { CollectionSpec, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { type StrategyDocument, strategiesProjection } from '@quantloom/domain/strategy/projection';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import type { ProcessLog } from '../processes/batch-process-deps.ts';
import { pagesOf } from '../processes/open-batches.ts';
import { startPasses } from '../runtime/passes.ts';
import {
  algorithmOf,
  daysOf,
  decidedBy,
  type FollowedStrategy,
  restatedBetween,
  runFromOf,
  runUntil,
  weightsAt,
} from './evaluate.ts';

/** How often new market data and new follows are looked for. */
const LOOK_EVERY_MS = 15_000;
/** Decisions that are compared with the prices of a new version: about two years. */
const MOST_COMPARED = 500;

/** How often a run that took too long is tried with one version: that depends on what else the machine has to do. */
const MOST_TRIES = 3;

/** The version that all decisions of a strategy were last compared with; `id` is the strategy's. */
const COMPARED: CollectionSpec<ComparedDocument> = { name: 'comparedDecisions_v1', indexes: [] };
interface ComparedDocument extends ReadDocument {
  readonly version: string;
}

/** How often a strategy was tried with a version, a revision and a start, and whether that was the last time. */
interface Tried {
  readonly attempt: string;
  readonly times: number;
  readonly isLast: boolean;
}

/** The market data that a strategy is looked at with, and its runs until their last day, by the day that they begin on. */
interface Look {
  readonly version: string;
  readonly lastDay: string;
  readonly answers: Map<string, BacktestAnswer>;
}

export interface NightlyDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly marketData: Pick<MarketData, 'current' | 'load'>;
  readonly backtestRunner: Pick<BacktestRunner, 'run'>;
  readonly clock: Clock;
  readonly log: ProcessLog;
  readonly lookEveryMs?: number;
}

export interface NightlyEvaluation {
  /** Decides everything that the current market data allow, now. May be called by several processes at a time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Decides every followed strategy for each new day of the market data, the days in order, and compares earlier decisions with prices that were
 * changed. Nothing is kept that a lost process would take with it: what is decided stands in the log, and whoever decides it again finds it there.
 */
export async function startNightlyEvaluation(deps: NightlyDeps): Promise<NightlyEvaluation> {
  const { readModels } = deps;
  for (const { collection } of [forwardRecordsProjection, decisionsProjection, strategiesProjection])
    await readModels.ensureCollection(collection);
  await readModels.ensureCollection(COMPARED);
  /** By strategy: what brought it no further, so that it is not tried again and again. */
  const tried = new Map<string, Tried>();
  return startPasses((signal) => passOnce(deps, tried, signal), {
    everyMs: deps.lookEveryMs ?? LOOK_EVERY_MS,
    log: deps.log,
    failure: 'followed strategies were not evaluated; it is tried again',
  });
}

async function passOnce(deps: NightlyDeps, tried: Map<string, Tried>, signal: AbortSignal): Promise<void> {
  const current = await deps.marketData.current().catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return null;
  });
  if (!current) return;
  const { name } = forwardRecordsProjection.collection;
  for await (const page of pagesOf<ForwardRecordDocument>(deps.readModels, name, { followers: { gt: 0 } }))
    for (const record of page) {
      if (signal.aborted) return;
      try {
        await evaluate(deps, record, current, tried, signal);
      } catch (error) {
        if (signal.aborted) return;
        // One strategy that cannot be decided holds up none of the others.
        deps.log.error({ err: error, strategyId: record.id }, 'a followed strategy was not evaluated');
      }
    }
}

async function evaluate(
  deps: NightlyDeps,
  record: ForwardRecordDocument,
  { version, lastDay }: { readonly version: string; readonly lastDay: string },
  tried: Map<string, Tried>,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, eventStore } = deps;
  const compared = await readModels.get<ComparedDocument>(COMPARED.name, record.id);
  const isCompared = record.decidedDay === '' || compared?.version === version;
  const isDecided = record.decidedDay >= lastDay;
  if (isDecided && isCompared) return;
  const strategy = await readModels.get<StrategyDocument>(strategiesProjection.collection.name, record.id);
  if (!strategy || strategy.isDeleted) return;
  const attempt = `${version} ${strategy._revision} ${record.startDay}`;
  const before = tried.get(record.id);
  const times = before?.attempt === attempt ? before.times + 1 : 1;
  if (before?.attempt === attempt && before.isLast) return;
  const algorithm = await algorithmOf(eventStore, heldTreeOf(strategy));
  const followed = { strategyId: record.id, revision: strategy._revision, algorithm };
  const look: Look = { version, lastDay, answers: new Map() };
  try {
    if (!isDecided) await decideNewDays(deps, record, followed, look, signal);
    if (!isCompared) await compareDecisions(deps, followed, look, signal);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { code, detail } = error.refusal;
    deps.log.warn({ strategyId: record.id, version }, `a followed strategy cannot be run: ${detail}`);
    const isLast = code !== 'took_too_long' || times >= MOST_TRIES;
    if (isLast) {
      const { strategyId, revision } = followed;
      await recordFailure(deps, { strategyId, revision, day: lastDay, dataVersion: version, code });
    }
    // Not compared either: another process, or this one after a restart, tries again.
    tried.set(record.id, { attempt, times, isLast });
    return;
  }
  await readModels.put(COMPARED.name, {
    id: record.id,
    version,
    _revision: 0,
    _position: '0',
  } as ComparedDocument);
  tried.set(record.id, { attempt, times, isLast: true });
}

/** The run until the last day from `runFrom` on. The first one that asks for it decides whether it has prices that flip. */
async function newestFrom(
  { backtestRunner }: NightlyDeps,
  followed: FollowedStrategy,
  { version: dataVersion, lastDay: end, answers }: Look,
  { runFrom, withFlips }: { readonly runFrom: string; readonly withFlips: boolean },
  signal: AbortSignal,
): Promise<BacktestAnswer> {
  const known = answers.get(runFrom);
  if (known) return known;
  const answer = await runUntil(backtestRunner, followed, { runFrom, end, dataVersion, withFlips }, signal);
  answers.set(runFrom, answer);
  return answer;
}

/** Every day that is not decided yet, by a run that ends on it: what comes later cannot have any part in it. */
async function decideNewDays(
  deps: NightlyDeps,
  record: ForwardRecordDocument,
  followed: FollowedStrategy,
  look: Look,
  signal: AbortSignal,
): Promise<void> {
  const { backtestRunner, marketData } = deps;
  const { version: dataVersion, lastDay } = look;
  const runFrom = runFromOf(record.startDay);
  const newest = await newestFrom(deps, followed, look, { runFrom, withFlips: true }, signal);
  const missing = daysOf(newest).filter((day) => day >= record.startDay && day > record.decidedDay);
  for (const day of missing) {
    if (signal.aborted) return;
    const isLast = day === missing.at(-1);
    const answer = isLast
      ? newest
      : await runUntil(backtestRunner, followed, { runFrom, end: day, dataVersion, withFlips: true }, signal);
    const decided = await decidedBy(marketData, followed, answer, runFrom);
    await send(deps, { type: 'MakeDecision', decided, isLate: day < lastDay }, evaluationId(decided));
  }
}

/**
 * Earlier decisions beside those that the prices of today would come to. The read model says which of them may differ; only of those
 * is the stream read, which alone decides: a year of decisions would otherwise be a year of streams each night.
 */
async function compareDecisions(
  deps: NightlyDeps,
  followed: FollowedStrategy,
  look: Look,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, marketData, eventStore } = deps;
  const { version: dataVersion } = look;
  const { strategyId, revision } = followed;
  const decisions = await readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
    where: { strategyId },
    sort: [['day', 'desc']],
    limit: MOST_COMPARED,
  });
  // What another revision decided is not what this one would have.
  const own = decisions.filter(({ decision }) => decision.revision === revision);
  const daysFrom = new Map<string, ReadonlyMap<string, number>>();
  for (const { day, decision, correction } of own) {
    if (signal.aborted) return;
    const { runFrom } = decision;
    const answer = await newestFrom(deps, followed, look, { runFrom, withFlips: false }, signal);
    const indexOf = daysFrom.get(runFrom) ?? new Map(daysOf(answer).map((one, t) => [one, t]));
    daysFrom.set(runFrom, indexOf);
    const t = indexOf.get(day);
    if (t === undefined) continue;
    if (sameWeights((correction ?? decision).weights, weightsAt(answer, t))) continue;
    const { state } = await loadState(eventStore, decisionStream, decisionId({ strategyId, revision, day }));
    if (!state || sameWeights(state.weights, weightsAt(answer, t))) continue;
    const decided = await decidedBy(marketData, followed, answer, runFrom, t);
    const tickers = Object.keys(answer.history?.tickers ?? {});
    const restated = await restatedBetween(marketData, [state.dataVersion, dataVersion], tickers, day);
    const commandId = evaluationId(decided, state.dataVersion);
    await send(deps, { type: 'CorrectDecision', decided, restated }, commandId);
  }
}

/** In the log, for those who follow it: they would take the silence for a night without trades. */
async function recordFailure(
  { eventStore, clock }: NightlyDeps,
  failed: EvaluationFailed['data'],
): Promise<void> {
  const commandId = derivedId(Date.parse(failed.day), 'evaluation failed', JSON.stringify(failed));
  const result = await handleCommand(
    eventStore,
    evaluationStream,
    evaluationOf(failed),
    { type: 'RecordFailure', failed },
    {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'nightly' },
      now: clock.now().toISOString(),
    },
  );
  if (isRefusal(result)) throw new RefusalError(result);
}

async function send(
  { eventStore, clock }: NightlyDeps,
  command: DecisionCommand,
  commandId: string,
): Promise<void> {
  const result = await handleCommand(eventStore, decisionStream, decisionId(command.decided), command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', name: 'nightly' },
    now: clock.now().toISOString(),
  });
  if (isRefusal(result)) throw new RefusalError(result);
}
