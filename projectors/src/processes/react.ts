import type { BatchEvent } from '@quantloom/domain/batch/events';
import { type BatchStep, nextSteps } from '@quantloom/domain/batch/process';
import { batchExists } from '@quantloom/domain/batch/state';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { awayIn, NO_OUTAGES } from '@quantloom/domain/ports/outages';
import { NO_TRACING, type TracedWork } from '@quantloom/domain/ports/tracing';
import { pause } from '../runtime/pause.ts';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import { type BatchSteps, type Cause, causeOf } from './batch-steps.ts';
import type { Compiling } from './compiling.ts';

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
  compiling: Compiling,
): Promise<void> {
  const { batchId } = event.data as { batchId: string };
  const { tracing = NO_TRACING } = deps;
  await tracing.run(tracedReaction(event, batchId), () =>
    untilDone(deps, steps, { batchId, what: event.type, cause: causeOf(event) }, signal, async () => {
      const known = { type: event.type, data: event.data } as BatchEvent;
      for (const step of nextSteps(known, await steps.state(batchId)))
        await carryOut(deps, steps, { step, batchId, event }, signal, compiling);
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

/** Carries out one step; summing up only begins: it goes on beside what comes next. */
export async function carryOut(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  {
    step,
    batchId,
    event,
  }: { readonly step: BatchStep; readonly batchId: string; readonly event: RecordedEvent },
  signal: AbortSignal,
  compiling: Compiling,
): Promise<void> {
  const cause = causeOf(event);
  if (step.kind !== 'compile') return steps.run(step, batchId, cause);
  const state = await steps.state(batchId);
  if (!batchExists(state)) return;
  const { combinations } = state.created;
  const { tracing = NO_TRACING } = deps;
  compiling.begin(batchId, combinations, () =>
    tracing.run(
      {
        name: 'sum up results',
        kind: 'internal',
        correlationId: cause.correlationId,
        cause: cause.id,
        attributes: { 'quantloom.batch': batchId, 'quantloom.rows': combinations },
      },
      () =>
        untilDone(deps, steps, { batchId, what: event.type, cause }, signal, () =>
          steps.run(step, batchId, cause),
        ),
    ),
  );
}

/** Tries `work` until it succeeds; where it keeps failing, the batch fails. Rejects only when the signal has aborted. */
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
