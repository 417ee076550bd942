import { Readable } from 'node:stream';

/** What is taken from the wire before any process behind is asked. Nearly every body is smaller. */
const HELD_BYTES = 64 * 1024;
/** Slower than this, a body is not sent by anybody who waits for its answer. */
const SLOWEST_BYTES_PER_SECOND = 4 * 1024;
/** How long the pace is measured; a phone that changes its network is silent for some seconds. */
const PACE_WINDOW_MS = 15_000;

export interface BodyLimits {
  readonly bytesPerSecond?: number;
  readonly windowMs?: number;
}

/** Answered by the server's error handler, by its status. */
class SlowBodyError extends Error {
  readonly statusCode = 408;
  constructor() {
    super(
      'The request body came too slowly, so that it was given up. Please try again on a better connection.',
    );
  }
}

/**
 * The body as a stream for a process behind, once it is there: whoever sends slowly holds none of the
 * connections to that process meanwhile. Of a large body only the beginning is awaited, and the rest has to
 * keep a pace.
 *
 * @throws SlowBodyError where the body is too slow, before its beginning is there
 */
export async function bodyToPass(body: Readable, limits: BodyLimits = {}): Promise<Readable> {
  const chunks = atPace(body, limits);
  const held: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  while (size <= HELD_BYTES) {
    const next = await chunks.next();
    if (next.done) {
      isWhole = true;
      break;
    }
    held.push(next.value);
    size += next.value.length;
  }
  return Readable.from(isWhole ? held : joined(held, chunks), { objectMode: false });
}

async function* joined(held: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* held;
  yield* rest;
}

/** Only the time that the sender is waited for counts: a process behind may take its own. */
async function* atPace(
  body: Readable,
  { bytesPerSecond = SLOWEST_BYTES_PER_SECOND, windowMs = PACE_WINDOW_MS }: BodyLimits,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waited = 0;
  let bytes = 0;
  for (;;) {
    const began = performance.now();
    const next = await inTime(chunks.next(), windowMs - waited);
    if (next.done) return;
    waited += performance.now() - began;
    bytes += next.value.length;
    if (waited >= windowMs) throw new SlowBodyError();
    // So much was earned that the clock begins anew.
    if (bytes >= (bytesPerSecond * windowMs) / 1_000) {
      waited = 0;
      bytes = 0;
    }
    yield next.value;
  }
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SlowBodyError()), Math.max(1, ms));
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
