import { AsyncLocalStorage } from 'node:async_hooks';
import { costOfReading } from '@quantloom/domain/limits/cost';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its handler has read so far; null where nobody pays for it. */
    reading: Reading | null;
  }
}

/** What one request has read from the stores. */
export interface Reading {
  /** Milliseconds for which the thread that serves everybody was held. */
  milliseconds: number;
  events: number;
}

const current = new AsyncLocalStorage<Reading>();

/** The processor's time of a thread is known to within this, in ms. */
const TICK_MS = 4;

/** Does a piece of work for the request that is under way. Waiting for a processor that others have is not its work. */
function timed<T>(reading: Reading, work: () => T): T {
  const began = performance.now();
  const usedBefore = process.threadCpuUsage();
  try {
    return work();
  } finally {
    const { user, system } = process.threadCpuUsage(usedBefore);
    reading.milliseconds += Math.min(performance.now() - began, (user + system) / 1_000 + TICK_MS);
  }
}

/**
 * Notes for the request under way what a thread beside the one that serves has taken to look through what
 * somebody has. It costs as much: that thread is one for everybody, too.
 */
export function noteSearch(milliseconds: number): void {
  const reading = current.getStore();
  if (reading) reading.milliseconds += milliseconds;
}

/** Notes what handlers read of stores that are metered. What it costs is `costOfRequest`. */
export function meterReading(app: FastifyInstance): void {
  app.decorateRequest('reading', null);
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.cost) return done();
    request.reading = { milliseconds: 0, events: 0 };
    current.run(request.reading, done);
  });
}

/** What the reading of a request costs on top of what every call of its kind does. */
export function costOfRequest({ reading }: { readonly reading: Reading | null }): number {
  return reading ? costOfReading(reading.milliseconds, reading.events) : 0;
}

/**
 * Read models that tell the request under way what it has taken: whoever has much, or asks for what takes
 * long to find, pays by what it takes, whatever the route was foretold to cost. Stores that answer from
 * elsewhere hold nobody up here, and cost nothing by this.
 */
export function meteredReadModels(inner: ReadModels): ReadModels {
  const metered = <Name extends 'get' | 'getMany' | 'find' | 'count' | 'sum'>(name: Name) =>
    ((...given: unknown[]) => {
      const read = () => (inner[name] as (...given: unknown[]) => unknown).apply(inner, given);
      const reading = current.getStore();
      return reading ? timed(reading, read) : read();
    }) as ReadModels[Name];
  return {
    ensureCollection: (spec) => inner.ensureCollection(spec),
    get: metered('get'),
    getMany: metered('getMany'),
    find: metered('find'),
    count: metered('count'),
    sum: metered('sum'),
    commit: (projection, change) => inner.commit(projection, change),
    checkpoint: (projection) => inner.checkpoint(projection),
    resumePoint: (projection) => inner.resumePoint(projection),
    put: (collection, document) => inner.put(collection, document),
    delete: (collection, id) => inner.delete(collection, id),
    swap: (collection, swap) => inner.swap(collection, swap),
    drop: (collection, projection) => inner.drop(collection, projection),
    replace: (change) => inner.replace(change),
    close: () => inner.close(),
  };
}

/** A log that counts for the request under way how many events it has read. */
export function meteredEventStore(inner: EventStore): EventStore {
  return {
    append: (stream, events, expected) => inner.append(stream, events, expected),
    readStream: (stream, options) => {
      const reading = current.getStore();
      return reading
        ? counted(inner.readStream(stream, options), reading)
        : inner.readStream(stream, options);
    },
    readAll: (after, options) => inner.readAll(after, options),
    subscribe: (after, options) => inner.subscribe(after, options),
    head: () => inner.head(),
    last: () => inner.last(),
    reaches: (position, event) => inner.reaches(position, event),
    close: () => inner.close(),
  };
}

async function* counted<T>(events: AsyncIterable<T>, reading: Reading): AsyncGenerator<T> {
  for await (const event of events) {
    reading.events += 1;
    yield event;
  }
}
