import type { BatchEvent } from '@quantloom/domain/batch/events';
import { openSteps } from '@quantloom/domain/batch/process';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { eventCatalogue, upcast } from '@quantloom/domain/kernel/event-type';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import { pause } from '@quantloom/domain/kernel/pause';
import type { Position } from '@quantloom/domain/ports/event-store';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { BatchSteps } from './batch-steps.ts';
import { causeOf } from './cause.ts';
import { haveReached, openBatchIds } from './open-batches.ts';
import { untilDone } from './react.ts';

const LOOK_EVERY_MS = 100;
const CATALOGUE = eventCatalogue(BATCH_STREAM.events);

/**
 * Takes up everything that was open at `head`, instead of reacting to each event of the past: an imported
 * log, a restored one, a lost checkpoint. The read models name the batches (they are waited for), the log
 * says what each of them needs. Every step may be repeated, so that this may be broken off and begun again,
 * and may go on beside the reactions to what happens after `head`.
 */
export async function takeUpOpenBatches(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  head: Position,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, log } = deps;
  while (!(await haveReached(readModels, head))) {
    if (signal.aborted) return;
    await pause(LOOK_EVERY_MS, signal);
  }
  let count = 0;
  for await (const batchId of openBatchIds(readModels)) {
    if (signal.aborted) return;
    if (await takeUp(deps, steps, batchId, signal)) count += 1;
    await new Promise(setImmediate);
  }
  if (signal.aborted) return;
  const now = deps.clock.now().toISOString();
  await steps.schedule({ id: deps.ids(), correlationId: 'open-batches', at: now }, null);
  if (count > 0) log.info({ batches: count }, 'batches that were open have been taken up');
}

/** Carries out what is left to do for one batch; false where that is nothing. */
export async function takeUp(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  batchId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const events: (RecordedEvent & BatchEvent)[] = [];
  for await (const event of deps.eventStore.readStream(streamName(BATCH_STREAM, batchId)))
    events.push(upcast(CATALOGUE, event) as RecordedEvent & BatchEvent);
  const open = openSteps(events, await steps.state(batchId));
  for (const { event, step } of open) {
    if (signal.aborted) return true;
    await untilDone(deps, steps, { batchId, what: event.type, cause: causeOf(event) }, signal, () =>
      steps.run(step, batchId, causeOf(event)),
    );
  }
  return open.length > 0;
}
