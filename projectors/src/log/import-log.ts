import {
  type AppendResult,
  BEFORE_FIRST,
  type EventReference,
  type EventStore,
  isWrongExpectedRevision,
} from '@quantloom/domain/ports/event-store';
import { LogFileError, type LogLine } from './log-lines.ts';

/**
 * Consecutive events of a stream that go in together: at most so many, with so many characters; servers take
 * a MiB in one append.
 */
const RUN = 500;
const RUN_CHARACTERS = 256 * 1024;
/** Appends under way at once. */
const WINDOW = 256;
const SAY_EVERY = 50_000;

export interface ImportedLog {
  readonly events: number;
  /** Events that stand behind ones of other streams which they precede in the source: the store failed in between. */
  readonly outOfPlace: number;
}

/**
 * Appends exported events in their order, with the revisions they had. What is there already (same id, same
 * place) stays as it is, so an import that broke off may be repeated. Rejects where the target holds
 * something else at a revision.
 *
 * The order within a stream is kept always, that of the whole log as long as the store does not fail; where
 * it did, the result tells.
 *
 * @param store commits in the order of the calls, so that they need not wait for each other
 * @param onProgress told every 50,000 events
 * @param end last event of the target (`last`): a target that holds an earlier export may end in the middle of
 *   events that go in together, and the store takes only those together of which it has none or all
 */
export async function importLog(
  store: Pick<EventStore, 'append'>,
  events: AsyncIterable<LogLine>,
  { onProgress, end = null }: { onProgress?: (events: number) => void; end?: EventReference | null } = {},
): Promise<ImportedLog> {
  let count = 0;
  let outOfPlace = 0;
  let last = BEFORE_FIRST;
  const pending: { readonly size: number; readonly appended: Promise<AppendResult> }[] = [];
  let run: LogLine[] = [];
  let characters = 0;

  const take = async (): Promise<void> => {
    const first = pending.shift();
    if (!first) return;
    const { position } = await first.appended;
    if (position < last) outOfPlace += first.size;
    else last = position;
    const before = count;
    count += first.size;
    if (Math.floor(count / SAY_EVERY) > Math.floor(before / SAY_EVERY)) onProgress?.(count);
  };
  const flush = async (): Promise<void> => {
    if (run.length === 0) return;
    const appended = appendRun(store, run);
    // It is looked at when its turn comes.
    appended.catch(() => {});
    pending.push({ size: run.length, appended });
    run = [];
    characters = 0;
    if (pending.length >= WINDOW) await take();
  };
  for await (const event of events) {
    const size = JSON.stringify(event.data)?.length ?? 0;
    const previous = run.at(-1);
    const isNext =
      previous?.stream === event.stream &&
      previous.revision + 1 === event.revision &&
      !(previous.stream === end?.stream && previous.revision === end.revision) &&
      run.length < RUN &&
      characters + size <= RUN_CHARACTERS;
    if (!isNext) await flush();
    run.push(event);
    characters += size;
  }
  await flush();
  while (pending.length > 0) await take();
  return { events: count, outOfPlace };
}

async function appendRun(store: Pick<EventStore, 'append'>, run: readonly LogLine[]): Promise<AppendResult> {
  const { stream, revision } = run[0] as LogLine;
  try {
    return await store.append(
      stream,
      run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      revision === 0 ? 'noStream' : revision - 1,
    );
  } catch (error) {
    if (!isWrongExpectedRevision(error)) throw error;
    throw new LogFileError(
      `The target log holds other events in ${stream}: it ends at revision ${error.actual}, ` +
        `revision ${revision} of the file does not fit`,
    );
  }
}
