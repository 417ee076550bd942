import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { EvaluationMessage } from '@quantloom/domain/contracts/messages/jobs';
import {
  type DecisionCommand,
  decisionId,
  decisionStream,
  evaluationId,
  isInTime,
  sameHoldings,
} from '@quantloom/domain/forward-test/decision';
import type { EvaluationFailed } from '@quantloom/domain/forward-test/failure';
import { ENGINE_ERROR } from '@quantloom/domain/forward-test/failure-words';
import {
  type DecisionDocument,
  decisionsProjection,
  type ForwardRecordDocument,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { day as dayNumber, formatDay } from '@quantloom/domain/market-data/day';
import { isSession } from '@quantloom/domain/market-data/trading-calendar';
import { awayIn } from '@quantloom/domain/ports/outages';
import {
  type StrategyDocument,
  type StrategySummaryDocument,
  strategiesProjection,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
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
import { COMPARED, type ComparedDocument, SETTLED, type SettledDocument } from './evaluations.ts';
import type { NightlyDeps } from './nightly-deps.ts';
import { recordFailure } from './record-failure.ts';

/** Decisions that are compared with the prices of a new version: about two years. */
const MOST_COMPARED = 500;
/**
 * How often a run that took too long, or that the engine could not do, is tried with one version: that may
 * depend on what else the machine has to do.
 */
const MOST_TRIES = 3;
/** Tickers that are named where prices are missing. */
const MOST_NAMED = 10;

/**
 * The market data that a strategy is looked at with, and its runs until their last day, by the day that they
 * begin on.
 */
interface Look {
  readonly version: string;
  readonly lastDay: string;
  readonly answers: Map<string, BacktestAnswer>;
}

/**
 * Decides one followed strategy for each new day of the market data, the days in order, and compares earlier
 * decisions with prices that were changed. Nothing is kept that a lost process would take with it: what is
 * decided stands in the log, and whoever is asked again finds it there. Rejects where it should be asked for
 * again: the signal has aborted, or a server is away.
 */
export async function evaluateStrategy(
  deps: NightlyDeps,
  { strategyId, dataVersion, round }: EvaluationMessage,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, eventStore, log } = deps;
  const current = await deps.marketData.current();
  // Other prices have come since, or are not here yet: it is asked for with those, or again.
  if (current.version !== dataVersion) return;
  const { lastDay } = current;
  const { name } = forwardRecordsProjection.collection;
  const record = await readModels.get<ForwardRecordDocument>(name, strategyId);
  const strategy = await readModels.get<StrategyDocument>(strategiesProjection.collection.name, strategyId);
  if (!record || record.followers <= 0 || !strategy || strategy.isDeleted) return;
  // What is asked for is told apart by this document's revision.
  const summary = await readModels.get<StrategySummaryDocument>(
    strategySummariesProjection.collection.name,
    strategyId,
  );
  const compared = await readModels.get<ComparedDocument>(COMPARED.name, strategyId);
  const isCompared = record.decidedDay === '' || compared?.version === dataVersion;
  const isDecided = record.decidedDay >= lastDay;
  if (isDecided && isCompared) return;
  const revision = strategy._revision;
  const began = performance.now();
  const settle = async (found: Pick<SettledDocument, 'isFailed' | 'missing'>) => {
    const settled: SettledDocument = {
      id: strategyId,
      attempt: attemptOf(dataVersion, summary?._revision ?? revision, record),
      ...found,
      milliseconds: Math.round(performance.now() - began),
      _revision: 0,
      _position: '0',
    };
    await readModels.put(SETTLED.name, settled);
  };
  const giveUp = async (code: EvaluationFailed['data']['code']) => {
    await recordFailure(deps, { strategyId, revision, day: lastDay, dataVersion, code });
    // Not compared either: whoever is started anew tries again.
    await settle({ isFailed: true, missing: null });
  };
  try {
    const algorithm = await algorithmOf(eventStore, heldTreeOf(strategy));
    const followed = { strategyId, revision, algorithm };
    const look: Look = { version: dataVersion, lastDay, answers: new Map() };
    const missing = isDecided ? null : await decideNewDays(deps, record, followed, look, signal);
    if (!isCompared) await compareDecisions(deps, followed, look, signal);
    await settle({ isFailed: false, missing });
  } catch (error) {
    if (signal.aborted || awayIn(error)) throw error;
    if (error instanceof RefusalError) {
      const { code, detail } = error.refusal;
      log.warn({ strategyId, version: dataVersion }, `a followed strategy cannot be run: ${detail}`);
      if (code !== 'took_too_long' || round >= MOST_TRIES) await giveUp(code);
      return;
    }
    // One strategy that cannot be decided holds up none of the others.
    log.error({ err: error, strategyId }, 'a followed strategy was not evaluated');
    if (round >= MOST_TRIES) await giveUp(ENGINE_ERROR);
    return;
  }
  await readModels.put(COMPARED.name, {
    id: strategyId,
    version: dataVersion,
    _revision: 0,
    _position: '0',
  } as ComparedDocument);
}

/** What an evaluation is made of: with the same three it comes to the same. */
export const attemptOf = (
  version: string,
  revision: number,
  { startDay }: Pick<ForwardRecordDocument, 'startDay'>,
): string => `${version} ${revision} ${startDay}`;

/**
 * The run until the last day from `runFrom` on. The first one that asks for it decides whether it is told
 * why, with the prices that flip.
 */
async function newestFrom(
  { backtestRunner }: NightlyDeps,
  followed: FollowedStrategy,
  { version: dataVersion, lastDay: end, answers }: Look,
  { runFrom, withReasons }: { readonly runFrom: string; readonly withReasons: boolean },
  signal: AbortSignal,
): Promise<BacktestAnswer> {
  const known = answers.get(runFrom);
  if (known) return known;
  const answer = await runUntil(
    backtestRunner,
    followed,
    { runFrom, end, dataVersion, withReasons, withFlips: withReasons },
    signal,
  );
  answers.set(runFrom, answer);
  return answer;
}

/**
 * Every day that is not decided yet, by a run that ends on it: what comes later cannot have any part in it.
 * Resolves with what is missing where the run ends before the last session that others have prices of.
 */
async function decideNewDays(
  deps: NightlyDeps,
  record: ForwardRecordDocument,
  followed: FollowedStrategy,
  look: Look,
  signal: AbortSignal,
): Promise<SettledDocument['missing']> {
  const { backtestRunner, marketData, clock } = deps;
  const { version: dataVersion, lastDay } = look;
  const runFrom = runFromOf(record.startDay);
  const newest = await newestFrom(deps, followed, look, { runFrom, withReasons: true }, signal);
  const missing = daysOf(newest).filter((day) => day >= record.startDay && day > record.decidedDay);
  for (const day of missing) {
    signal.throwIfAborted();
    const isLast = day === missing.at(-1);
    const answer = isLast
      ? newest
      : await runUntil(
          backtestRunner,
          followed,
          { runFrom, end: day, dataVersion, withReasons: true, withFlips: true },
          signal,
        );
    const decided = await decidedBy(marketData, followed, answer, runFrom);
    const isLate = day < lastDay || !isInTime(day, clock.now());
    await send(deps, { type: 'MakeDecision', decided, isLate }, evaluationId(decided));
  }
  return missingIn(newest, lastDay);
}

/** What has no close on the last session up to `lastDay`; null where the run has that day. */
function missingIn(answer: BacktestAnswer, lastDay: string): SettledDocument['missing'] {
  const end = dayNumber(daysOf(answer).at(-1) ?? lastDay);
  // Closes of a weekend, which some series have, are nobody's missing day.
  for (let day = dayNumber(lastDay); day > end; day--)
    if (isSession(day)) {
      const tickers = answer.calculated_dates.last_day_decided_by.slice(0, MOST_NAMED);
      return { day: formatDay(day), tickers, isTold: false };
    }
  return null;
}

/**
 * Earlier decisions beside those that the prices of today would come to. The read model says which of them
 * may differ; only of those is the stream read, which alone decides: a year of decisions would otherwise be a
 * year of streams each night.
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
    signal.throwIfAborted();
    const { runFrom } = decision;
    const answer = await newestFrom(deps, followed, look, { runFrom, withReasons: false }, signal);
    const indexOf = daysFrom.get(runFrom) ?? new Map(daysOf(answer).map((one, t) => [one, t]));
    daysFrom.set(runFrom, indexOf);
    const t = indexOf.get(day);
    if (t === undefined) continue;
    if (sameHoldings((correction ?? decision).weights, weightsAt(answer, t))) continue;
    const { state } = await loadState(eventStore, decisionStream, decisionId({ strategyId, revision, day }));
    if (!state || sameHoldings(state.weights, weightsAt(answer, t))) continue;
    const decided = await decidedBy(marketData, followed, answer, runFrom, t);
    const tickers = Object.keys(answer.history?.tickers ?? {});
    const restated = await restatedBetween(marketData, [state.dataVersion, dataVersion], tickers, day);
    const commandId = evaluationId(decided, state.dataVersion);
    await send(deps, { type: 'CorrectDecision', decided, restated }, commandId);
  }
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
