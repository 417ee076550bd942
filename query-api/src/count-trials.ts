import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import {
  type StrategyDocument,
  type StrategySummaryDocument,
  strategiesProjection,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import type { RunHashes } from '@quantloom/domain/strategy/run-hashes';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';
import { TRIALS_STREAM } from '@quantloom/domain/trials/stream';
import { trialId } from '@quantloom/domain/trials/trials';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyRequest } from 'fastify';
import type { ReadDeps } from './deps.ts';
import { takeChange } from './room.ts';
import { isSavedTree, NO_ROOM } from './run-recording.ts';

export interface TrialDeps extends ReadDeps {
  readonly newId: IdSource;
  /** Counts what is written; without it only what is stored altogether is limited. */
  readonly rateLimits?: RateLimits;
}

interface Call {
  readonly request: FastifyRequest;
  readonly principal: Principal;
}

/** What is counted once for ever. */
interface CountedTrial {
  readonly fingerprint: string;
  /**
   * What it was told apart by until dates and costs were left out: what the log has counted under it is not
   * counted again.
   */
  readonly before: string;
}

/** Runs that were made. */
interface Trials {
  readonly trials: readonly CountedTrial[];
  /** Of the tree that was run, where it is one; null for changes of it. */
  readonly hashes: RunHashes | null;
}

/** Who gives a command on the read side, and when. */
export function contextOf({ request, principal }: Call, deps: TrialDeps): CommandContext {
  return {
    commandId: deps.newId(),
    correlationId: request.id,
    actor: principal.actor,
    now: deps.clock.now().toISOString(),
  };
}

/** As the streams of trials are named. */
const short = (fingerprint: string) => fingerprint.slice(0, 32);

/**
 * Counts runs of a saved strategy as trials of its lineage, each fingerprint once for ever. An answer is not
 * held back because counting failed, or because there is no room for it. Of a public strategy, others run
 * what it is: what they make of it is no trial of its owner's.
 *
 * @returns how many belong to the lineage now; 0 for a strategy that was never saved, or may not be seen
 */
export async function countTrials(
  call: Call,
  strategyId: string | undefined,
  { trials, hashes }: Trials,
  deps: TrialDeps,
): Promise<number> {
  const { principal, request } = call;
  if (!strategyId) return 0;
  try {
    const { name } = strategySummariesProjection.collection;
    const strategy = await deps.readModels.get<StrategySummaryDocument>(name, strategyId);
    if (!strategy || !maySeeStrategy(strategy, principal.userId)) return 0;
    if (strategy.ownerId !== principal.userId && !(await isItsTree(deps, strategy.id, hashes))) return 0;
    const { lineageId, id } = strategy;
    await Promise.all(
      trials.map(async ({ fingerprint, before }) => {
        const trial = {
          lineageId,
          strategyId: id,
          userId: principal.userId,
          fingerprint: short(fingerprint),
        };
        const old = trialId({ ...trial, fingerprint: short(before) });
        if ((await loadState(deps.eventStore, TRIALS_STREAM, old)).state) return;
        const command = { type: 'CountTrial', trial } as const;
        const { length } = JSON.stringify(trial);
        const prepare = async () => ((await takeChange(deps, principal, length)) ? null : NO_ROOM);
        const context = { ...contextOf(call, deps), prepare };
        await handleCommand(deps.eventStore, TRIALS_STREAM, trialId(trial), command, context);
      }),
    );
    return trials.length;
  } catch (error) {
    request.log.error({ err: error, strategyId }, 'a trial was not counted');
    return 0;
  }
}

async function isItsTree(deps: TrialDeps, strategyId: string, hashes: RunHashes | null): Promise<boolean> {
  const { name } = strategiesProjection.collection;
  const saved = hashes && (await deps.readModels.get<StrategyDocument>(name, strategyId));
  return saved ? isSavedTree(hashes, saved) : false;
}
