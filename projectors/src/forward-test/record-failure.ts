import {
  type EvaluationFailed,
  evaluationOf,
  evaluationStream,
} from '@quantloom/domain/forward-test/failure';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import type { NightlyDeps } from './nightly-deps.ts';

/**
 * Writes into the log, for those who follow the strategy, that it was not decided: they would take the
 * silence for a night without trades.
 */
export async function recordFailure(
  { eventStore, clock }: Pick<NightlyDeps, 'eventStore' | 'clock'>,
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
