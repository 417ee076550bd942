import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { EventCatalogue } from '@quantloom/domain/kernel/event-type';
import {
  PARKED_EVENTS,
  type ParkedEventDocument,
  parkedEventId,
} from '@quantloom/domain/kernel/parked-event';
import { checkpointName, type Projection } from '@quantloom/domain/kernel/projection';
import type { Clock } from '@quantloom/domain/ports/clock';
import {
  BEFORE_FIRST,
  type EventReference,
  type EventStore,
  type Position,
} from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { CollectionSpec, ReadModels } from '@quantloom/domain/ports/read-models';
import { applyBatch } from '../runtime/apply-batch.ts';
import { filterOf } from '../runtime/projection-runner.ts';
import { BuildTurn } from './build-turn.ts';

export interface RebuildDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly catalogue: EventCatalogue;
  readonly clock: Clock;
  readonly log: Log;
  /** Events per commit (default 1000). */
  readonly batchSize?: number;
}

/** Where a rebuild works until the switch. */
export function besideOf(projection: Projection): {
  name: string;
  checkpoint: string;
  collection: CollectionSpec;
} {
  const name = `${projection.name}~rebuild`;
  return {
    name,
    checkpoint: `${checkpointName(projection)}~rebuild`,
    collection: { ...projection.collection, name: `${projection.collection.name}_rebuild` },
  };
}

/**
 * Builds the projection from position 0 into a collection beside the one that serves, catches up with the
 * log, and takes its place in one step. A rebuild that died leaves only the collection beside, which the next
 * one begins by dropping. Waits while another process builds it.
 *
 * @param whilePaused runs the last steps while this process's runner of the projection stands still; a runner
 *   in another process notices by its checkpoint and continues from the new one
 */
export async function rebuildProjection(
  projection: Projection,
  deps: RebuildDeps,
  whilePaused: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<{ events: number; documents: number }> {
  const turn = await BuildTurn.take(deps.readModels, projection.name);
  try {
    return await buildAndReplace(projection, deps, turn, whilePaused);
  } finally {
    await turn.end();
  }
}

async function buildAndReplace(
  projection: Projection,
  deps: RebuildDeps,
  turn: BuildTurn,
  whilePaused: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<{ events: number; documents: number }> {
  const { readModels, log } = deps;
  const beside = besideOf(projection);
  await readModels.ensureCollection(projection.collection);
  await readModels.ensureCollection(PARKED_EVENTS);
  await readModels.drop(beside.collection.name, beside.checkpoint);
  await deleteParked(readModels, beside.name, new Set());
  await readModels.ensureCollection(beside.collection);
  const build = newBuild();
  log.info({ projection: projection.name }, 'rebuild begins');
  await buildOn(projection, deps, build);
  await whilePaused(async () => {
    // What was appended while the last events were applied; nobody waits long for this.
    await buildOn(projection, deps, build);
    await turn.confirm();
    const parked = await adoptParked(readModels, projection.name, beside.name);
    await readModels.replace({
      from: beside.collection.name,
      to: projection.collection.name,
      fromProjection: beside.checkpoint,
      toProjection: checkpointName(projection),
    });
    await deleteParked(readModels, projection.name, parked);
    await deleteParked(readModels, beside.name, new Set());
  });
  const documents = await readModels.count(projection.collection.name);
  log.info({ projection: projection.name, events: build.events, documents }, 'rebuild has taken over');
  return { events: build.events, documents };
}

/**
 * Builds a projection up to a position into the collection beside and leaves it there, to be compared with
 * the serving one. Nobody else builds it until it is dropped.
 */
export async function buildBeside(
  projection: Projection,
  deps: RebuildDeps,
  upTo: Position,
): Promise<{ collection: string; drop: () => Promise<void> }> {
  const { readModels } = deps;
  const beside = besideOf(projection);
  const turn = await BuildTurn.take(readModels, projection.name);
  const clear = async () => {
    await readModels.drop(beside.collection.name, beside.checkpoint);
    await deleteParked(readModels, beside.name, new Set());
  };
  const drop = async () => {
    try {
      await clear();
    } finally {
      await turn.end();
    }
  };
  try {
    await readModels.ensureCollection(PARKED_EVENTS);
    await clear();
    await readModels.ensureCollection(beside.collection);
    await buildOn(projection, deps, newBuild(), upTo);
  } catch (error) {
    await turn.end();
    throw error;
  }
  return { collection: beside.collection.name, drop };
}

/** How far a rebuild has come. */
interface Build {
  position: Position | null;
  standsOn: EventReference | null;
  events: number;
  readonly parkedStreams: Map<string, string>;
}

const newBuild = (): Build => ({ position: null, standsOn: null, events: 0, parkedStreams: new Map() });

async function buildOn(
  projection: Projection,
  { eventStore, readModels, catalogue, clock, batchSize = 1000 }: RebuildDeps,
  build: Build,
  upTo?: Position,
): Promise<void> {
  const beside = besideOf(projection);
  const commit = async (events: readonly RecordedEvent[], next: Position): Promise<void> => {
    const { writes } = await applyBatch(projection, events, readModels, {
      catalogue,
      now: clock.now().toISOString(),
      parkedStreams: build.parkedStreams,
      parkAs: beside.name,
      collection: beside.collection.name,
    });
    await readModels.commit(beside.checkpoint, {
      expected: build.position,
      next,
      standsOn: build.standsOn,
      writes,
    });
    build.position = next;
    build.events += events.length;
  };
  const head = upTo ?? (await eventStore.head());
  let batch: RecordedEvent[] = [];
  for await (const event of eventStore.readAll(build.position ?? BEFORE_FIRST, {
    filter: filterOf(projection),
  })) {
    if (event.position > head) break;
    build.standsOn = { stream: event.stream, revision: event.revision, id: event.id };
    if (projection.handles.includes(event.type) || projection.handles.includes('*')) batch.push(event);
    if (batch.length < batchSize) continue;
    await commit(batch, event.position);
    batch = [];
  }
  if (build.position === null || head > build.position) await commit(batch, head);
}

/** Files what the rebuild had to park under the projection's own name; returns the ids. */
async function adoptParked(readModels: ReadModels, projection: string, beside: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const document of await parkedOf(readModels, beside)) {
    const id = parkedEventId(projection, document.eventId);
    ids.add(id);
    await readModels.put(PARKED_EVENTS.name, { ...document, id, projection } as ParkedEventDocument);
  }
  return ids;
}

async function deleteParked(
  readModels: ReadModels,
  projection: string,
  except: ReadonlySet<string>,
): Promise<void> {
  for (const { id } of await parkedOf(readModels, projection))
    if (!except.has(id)) await readModels.delete(PARKED_EVENTS.name, id);
}

async function parkedOf(readModels: ReadModels, projection: string): Promise<ParkedEventDocument[]> {
  return await readModels.find<ParkedEventDocument>(PARKED_EVENTS.name, { where: { projection } });
}
