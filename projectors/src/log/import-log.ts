import {
  type AppendResult,
  type EventStore,
  isWrongExpectedRevision,
} from '@quantloom/domain/ports/event-store';
import { LogFileError, type LogLine } from './log-lines.ts';

/** Consecutive events of a stream that go in together: at most so many. */
const RUN = 500;

/**
 * Appends exported events in their order, with the revisions they had. What is there already (same id, same place) stays as it is, so an
 * import that broke off may be repeated. Rejects where the target holds something else at a revision.
 *
 * @param window appends under way at once; above 1 only for a store that commits them in the order of the calls
 */
export async function importLog(
  eventStore: EventStore,
  events: AsyncIterable<LogLine>,
  { window = 1, onProgress }: { window?: number; onProgress?: (events: number) => void } = {},
): Promise<number> {
  let count = 0;
  let pending: Promise<AppendResult>[] = [];
  let run: LogLine[] = [];
  const flush = async (): Promise<void> => {
    const first = run[0];
    if (!first) return;
    const expected = first.revision === 0 ? 'noStream' : first.revision - 1;
    const appended = eventStore.append(
      first.stream,
      run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      expected,
    );
    const { stream, revision } = first;
    pending.push(
      appended.catch((error: unknown) => {
        if (!isWrongExpectedRevision(error)) throw error;
        throw new LogFileError(
          `The target log holds other events in ${stream}: it ends at revision ${error.actual}, revision ${revision} of the file does not fit`,
        );
      }),
    );
    count += run.length;
    run = [];
    if (pending.length < window) return;
    await Promise.all(pending);
    pending = [];
    onProgress?.(count);
  };
  for await (const event of events) {
    const last = run.at(-1);
    const isNext =
      last && last.stream === event.stream && last.revision + 1 === event.revision && run.length < RUN;
    if (!isNext) await flush();
    run.push(event);
  }
  await flush();
  await Promise.all(pending);
  onProgress?.(count);
  return count;
}
