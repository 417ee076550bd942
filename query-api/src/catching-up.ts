import { checkpointName } from '@quantloom/domain/kernel/projection';
import { listingsProjection } from '@quantloom/domain/listing/projection';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ReadDeps } from './deps.ts';

type Deps = Pick<ReadDeps, 'readModels' | 'eventStore' | 'clock'>;

/** Events that the lists may be behind without a word: while somebody works they often are, by a few. */
export const USUAL_LAG = 100;
/** For how long, in ms, one answer holds for every list. */
const HOLDS_MS = 1_000;
/**
 * The longest, in ms, that a list waits for the answer: a log that cannot be reached must not take the lists
 * with it.
 */
const MAX_WAIT_MS = 300;

interface Known {
  readonly asked: number;
  readonly isBehind: Promise<boolean>;
}
const known = new WeakMap<ReadModels, Known>();

/**
 * True while much of the log is not in the lists yet, after an import for example: what they count is then
 * less than there is.
 */
export async function areListsCatchingUp(deps: Deps): Promise<boolean> {
  const now = deps.clock.now().getTime();
  const last = known.get(deps.readModels);
  if (last && Math.abs(now - last.asked) < HOLDS_MS) return await last.isBehind;
  const isBehind = withinWait(
    // Readiness and the log of the process tell of a log that is out of reach; the lists are what they were.
    areEntriesBehind(deps).catch(() => false),
  );
  known.set(deps.readModels, { asked: now, isBehind });
  return await isBehind;
}

async function withinWait(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function areEntriesBehind({ readModels, eventStore }: Deps): Promise<boolean> {
  const reached = (await readModels.checkpoint(checkpointName(listingsProjection))) ?? BEFORE_FIRST;
  if (reached >= (await eventStore.head())) return false;
  let behind = 0;
  const filter = { eventTypes: listingsProjection.handles };
  for await (const _ of eventStore.readAll(reached, { filter, maxCount: USUAL_LAG + 1 })) behind += 1;
  return behind > USUAL_LAG;
}
