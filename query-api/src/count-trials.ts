import { type CommandContext, handleCommand } from '@quantloom/domain/kernel/handle-command';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';
import { TRIALS_STREAM } from '@quantloom/domain/trials/stream';
import { trialId } from '@quantloom/domain/trials/trials';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyRequest } from 'fastify';
import type { ReadDeps } from './deps.ts';

export interface TrialDeps extends ReadDeps {
  readonly newId: IdSource;
}

interface Call {
  readonly request: FastifyRequest;
  readonly principal: Principal;
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

/**
 * Counts runs of a saved strategy as trials of its lineage, each fingerprint once for ever. An answer is not held back because counting failed.
 * @returns how many belong to the lineage now; 0 for a strategy that was never saved, or may not be seen
 */
export async function countTrials(
  call: Call,
  strategyId: string | undefined,
  fingerprints: readonly string[],
  deps: TrialDeps,
): Promise<number> {
  const { principal, request } = call;
  if (!strategyId) return 0;
  try {
    const { name } = strategySummariesProjection.collection;
    const strategy = await deps.readModels.get<StrategySummaryDocument>(name, strategyId);
    if (!strategy || !maySeeStrategy(strategy, principal.userId)) return 0;
    const { lineageId, id } = strategy;
    await Promise.all(
      fingerprints.map((fingerprint) => {
        const trial = {
          lineageId,
          strategyId: id,
          userId: principal.userId,
          fingerprint: fingerprint.slice(0, 32),
        };
        const command = { type: 'CountTrial', trial } as const;
        return handleCommand(deps.eventStore, TRIALS_STREAM, trialId(trial), command, contextOf(call, deps));
      }),
    );
    return fingerprints.length;
  } catch (error) {
    request.log.error({ err: error, strategyId }, 'a trial was not counted');
    return 0;
  }
}
