import type { BatchEvent } from '@quantloom/domain/batch/events';
import { nextSteps } from '@quantloom/domain/batch/process';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { pause } from '@quantloom/domain/kernel/pause';
import { awayIn, NO_OUTAGES } from '@quantloom/domain/ports/outages';
import { NO_TRACING, type TracedWork } from '@quantloom/domain/ports/tracing';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { BatchSteps } from './batch-steps.ts';
import { type Cause, causeOf } from './cause.ts';

/** With growing pauses half a minute in all: a restarting server is no reason to fail a batch. */
const TRIES = 9;
/** Between two tries at a server that is away. */
const AWAY_MS = 500;

/** The steps that follow from one event. A step that keeps failing makes its batch fail, so that the others go on. */
export async function react(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  event: RecordedEvent,
  signal: AbortSignal,
): Promise<void> {
  const { batchId } = event.data as { batchId: string };
  const { tracing = NO_TRACING } = deps;
  await tracing.run(tracedReaction(event, batchId), () =>
    untilDone(deps, steps, { batchId, what: event.type, cause: causeOf(event) }, signal, async () => {
      const known = { type: event.type, data: event.data } as BatchEvent;
      for (const step of nextSteps(known, await steps.state(batchId)))
        await steps.run(step, batchId, causeOf(event));
    }),
  );
}

const tracedReaction = ({ id, type, metadata }: RecordedEvent, batchId: string): TracedWork => ({
  name: `react to ${type}`,
  kind: 'consumer',
  correlationId: metadata.correlationId,
  id,
  cause: metadata.causationId,
  attributes: { 'quantloom.batch': batchId },
});

/**
 * Tries `work` until it succeeds; where it keeps failing, the batch fails. Rejects only when the signal has
 * aborted.
 */
export async function untilDone(
  { log, outages = NO_OUTAGES }: Pick<BatchProcessDeps, 'log' | 'outages'>,
  steps: BatchSteps,
  { batchId, what, cause }: { readonly batchId: string; readonly what: string; readonly cause: Cause },
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; ) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      if (awayIn(error)) {
        // However long it lasts: an outage is no fault of the batch.
        await pause(AWAY_MS, signal);
        await outages.untilBack(signal);
        if (signal.aborted) throw error;
        continue;
      }
      log.error({ err: error, batchId, event: what, attempt }, 'a step of a batch failed');
      if (attempt < TRIES) {
        await pause(Math.min(50 * 2 ** attempt, 8_000), signal);
        attempt += 1;
        continue;
      }
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      const fault = { message: `${what}: ${message}`, stack: stack.split('\n').slice(1) };
      await steps.fail(batchId, null, fault, cause);
      return;
    }
  }
}
