import { hash } from 'node:crypto';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { createEventCheck } from '@quantloom/domain/kernel/event-check';
import type { EventCatalogue } from '@quantloom/domain/kernel/event-type';
import { PARKED_EVENTS } from '@quantloom/domain/kernel/parked-event';
import { checkpointName, type Projection } from '@quantloom/domain/kernel/projection';
import { isSameDocument } from '@quantloom/domain/kernel/same-document';
import type { Clock } from '@quantloom/domain/ports/clock';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { pagesById } from '@quantloom/domain/ports/pages-by-id';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { type TreeReference, type TreeStored, treeStreamOf } from '@quantloom/domain/strategy/stored-tree';
import { erasuresUnderWay, showsErased } from '../processes/erasures-under-way.ts';
import { buildBeside } from '../rebuild/rebuild-projection.ts';
import { EventChain, StreamChains } from './event-chain.ts';

export interface VerifyDeps {
  /** The log as it is written. */
  readonly eventStore: EventStore;
  /** The same with personal data readable: what projections are built from. Default: the log itself. */
  readonly readable?: EventStore;
  readonly readModels: ReadModels;
  readonly catalogue: EventCatalogue;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** A hash that `log head` printed at some time: it must still be the one of an event. */
  readonly kept?: string;
  /** Called after every part with a line for people. */
  readonly onProgress?: (message: string) => void;
}

export interface VerifyReport {
  /** The last event's position and the hash of everything up to it; null where there is none. */
  readonly head: { readonly position: string; readonly hash: string } | null;
  readonly events: number;
  readonly streams: number;
  /** The first 100 faults, in log order. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** What looks like a fault and is known to come from an earlier version, named; no reason for alarm. */
  readonly accepted: readonly string[];
  readonly projections: readonly ProjectionReport[];
  readonly parkedEvents: number;
}

export interface ProjectionReport {
  readonly name: string;
  /** `behind`: it has no checkpoint yet, so there is nothing to compare. */
  readonly result: 'equal' | 'different' | 'behind';
  readonly documents: number;
  /** Documents that went on changing while they were compared. */
  readonly changedMeanwhile: number;
  /** Documents that show what was erased since: they are built anew in the night after (`ERASURES_AT`). */
  readonly erasedSince: number;
  /** Ids of the first 20 documents that differ. */
  readonly differences: readonly string[];
}

const FAULTS_KEPT = 100;
const DIFFERENCES_KEPT = 20;
const READ_AT_ONCE = 500;

/**
 * Walks the whole log: every event readable and of its shape, ids used once, positions growing, revisions of
 * every stream without gaps, the chain of hashes unbroken.
 * Then builds every projection anew, as far as the serving one has come, and compares them document for
 * document. May run beside a working product.
 */
export async function verifyLog(deps: VerifyDeps): Promise<VerifyReport> {
  const walked = await walk(deps);
  deps.onProgress?.(`${walked.events} events in ${walked.streams} streams, ${walked.faultCount} faults`);
  const projections: ProjectionReport[] = [];
  const erased = new Set(await erasuresUnderWay(deps.readModels));
  for (const projection of deps.projections) {
    const report = await compareProjection(projection, deps, erased);
    projections.push(report);
    deps.onProgress?.(`${report.name}: ${report.documents} documents, ${report.result}`);
  }
  await deps.readModels.ensureCollection(PARKED_EVENTS);
  const parkedEvents = await deps.readModels.count(PARKED_EVENTS.name);
  return { ...walked, projections, parkedEvents };
}

/** Whether a report is without any fault. */
export function isSound(report: VerifyReport): boolean {
  return report.faultCount === 0 && report.projections.every(({ result }) => result !== 'different');
}

/** The known case, once in a log: until the end of 2026 the two commands of the first sign-in shared one command id. */
const FIRST_SIGN_IN = 'the first account has the event id of its claim, as versions before 2027 wrote it';

const isFirstSignIn = (earlierType: string, { type, stream, revision }: RecordedEvent): boolean =>
  earlierType === 'FirstAccountClaimed' &&
  type === 'UserRegistered' &&
  stream.startsWith('user-') &&
  revision === 0;

/** What is wrong with a tree that is stored by itself, or with the reference to one. */
function treeFaults({ type, data }: RecordedEvent, isThere: (stream: string) => boolean): string[] {
  if (type === 'TreeStored') {
    const { hash: name, text } = data as Partial<TreeStored['data']>;
    return hash('sha256', String(text)) === name ? [] : [`holds another tree than ${name}`];
  }
  const referred = (data as { readonly tree?: Partial<TreeReference> } | null)?.tree?.hash;
  if (!type.startsWith('Strategy') || referred === undefined || isThere(treeStreamOf(referred))) return [];
  return [`refers to the tree ${referred}, which is not in the log before it`];
}

async function walk({ eventStore, catalogue, kept }: VerifyDeps) {
  const chain = new EventChain();
  const streams = new StreamChains();
  let keptIsThere = kept === undefined;
  const check = createEventCheck(catalogue);
  const revisions = new Map<string, number>();
  /** Type of the first event with this id. */
  const ids = new Map<string, string>();
  const faults: string[] = [];
  const accepted: string[] = [];
  let faultCount = 0;
  let events = 0;
  let position = BEFORE_FIRST;
  for await (const event of eventStore.readAll(BEFORE_FIRST)) {
    events += 1;
    const found = [...check(event), ...treeFaults(event, (stream) => revisions.has(stream))];
    const expected = (revisions.get(event.stream) ?? -1) + 1;
    if (event.revision !== expected) found.push(`has revision ${event.revision}, expected ${expected}`);
    const link = chain.next(event);
    if (event.link !== undefined && event.link !== link) {
      found.push('does not continue the chain: this event or one before it was changed, removed or inserted');
      // Once for each break, not for everything behind it.
      chain.continueFrom(event.link);
    }
    found.push(...streams.faultsOf(event));
    keptIsThere ||= link === kept;
    if (event.position <= position) found.push(`has position ${event.position} after ${position}`);
    const earlier = ids.get(event.id);
    if (earlier !== undefined && isFirstSignIn(earlier, event))
      accepted.push(`${event.stream}: ${FIRST_SIGN_IN}`);
    else if (earlier !== undefined) found.push('has the id of an earlier event');
    revisions.set(event.stream, event.revision);
    ids.set(event.id, event.type);
    position = event.position;
    faultCount += found.length;
    for (const fault of found)
      if (faults.length < FAULTS_KEPT)
        faults.push(`${event.stream} revision ${event.revision} (${event.type} ${event.id}): ${fault}`);
  }
  if (!keptIsThere) {
    faultCount += 1;
    faults.push(
      `No event has the hash ${kept} that was kept: what stood before it was changed, removed or inserted`,
    );
  }
  const head = events === 0 ? null : { position: String(position), hash: chain.last };
  return { head, events, streams: revisions.size, faults, faultCount, accepted };
}

/** @param erased accounts whose erasure was under way at some time of this walk; others are added */
async function compareProjection(
  projection: Projection,
  deps: VerifyDeps,
  erased: Set<string>,
): Promise<ProjectionReport> {
  const { readModels, catalogue, clock } = deps;
  const eventStore = deps.readable ?? deps.eventStore;
  const { name } = projection;
  const serving = projection.collection;
  await readModels.ensureCollection(serving);
  const upTo = await readModels.checkpoint(checkpointName(projection));
  if (upTo === null)
    return { name, result: 'behind', documents: 0, changedMeanwhile: 0, erasedSince: 0, differences: [] };
  const built = await buildBeside(
    projection,
    { eventStore, readModels, catalogue, clock, log: NO_LOG },
    upTo,
  );
  const differences: string[] = [];
  let documents = 0;
  let changedMeanwhile = 0;
  let erasedSince = 0;
  try {
    const before = new Map<string, ReadDocument>();
    for await (const [left, right] of inStep(readModels, built.collection, serving.name)) {
      documents += right ? 1 : 0;
      if (isSameDocument(left, right)) continue;
      if (right && BigInt(right._position) > upTo) changedMeanwhile += 1;
      else before.set((left ?? right)?.id ?? '', (left ?? right) as ReadDocument);
    }
    // A document that differs may have changed between the two reads; one that is really different still is.
    const isMoving = (await readModels.checkpoint(checkpointName(projection))) !== upTo;
    if (before.size > 0) for (const id of await erasuresUnderWay(readModels)) erased.add(id);
    for (const id of before.keys()) {
      const now = await readModels.get(serving.name, id);
      const rebuilt = await readModels.get(built.collection, id);
      if (isSameDocument(now, rebuilt)) continue;
      if (isMoving && (now === null || BigInt(now._position) > upTo)) changedMeanwhile += 1;
      else if (showsErased(now, rebuilt, erased)) erasedSince += 1;
      else differences.push(id);
    }
  } finally {
    await built.drop();
  }
  return {
    name,
    result: differences.length > 0 ? 'different' : 'equal',
    documents,
    changedMeanwhile,
    erasedSince,
    differences: differences.slice(0, DIFFERENCES_KEPT),
  };
}

/** The documents of two collections side by side, by id; undefined where one has none. */
async function* inStep(
  readModels: ReadModels,
  left: string,
  right: string,
): AsyncGenerator<[ReadDocument | undefined, ReadDocument | undefined]> {
  const lefts = documentsOf(readModels, left);
  const rights = documentsOf(readModels, right);
  let one = await lefts.next();
  let other = await rights.next();
  while (!one.done || !other.done) {
    if (!one.done && (other.done || one.value.id < other.value.id)) {
      yield [one.value, undefined];
      one = await lefts.next();
    } else if (!other.done && (one.done || other.value.id < one.value.id)) {
      yield [undefined, other.value];
      other = await rights.next();
    } else if (!one.done && !other.done) {
      yield [one.value, other.value];
      one = await lefts.next();
      other = await rights.next();
    }
  }
}

/** All documents of a collection in the order of their ids. */
export async function* documentsOf(readModels: ReadModels, collection: string): AsyncGenerator<ReadDocument> {
  for await (const page of pagesById(readModels, collection, {}, READ_AT_ONCE)) yield* page;
}
