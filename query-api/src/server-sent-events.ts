import { pause } from '@quantloom/domain/kernel/pause';
import type { FastifyReply } from 'fastify';

export interface EventSourceOptions<T> {
  /** Name of the events. */
  readonly event: string;
  /**
   * Milliseconds to the next look, after so many milliseconds of following; an event is sent where something
   * changed.
   */
  readonly every: (followed: number) => number;
  readonly next: () => Promise<T>;
  /** The server is about to close: the stream ends, and the client connects to another process. */
  readonly closing: AbortSignal;
  /** Asked now and then: a stream to somebody who would be refused by now ends. */
  readonly isStillLetIn: () => Promise<boolean>;
  /** Milliseconds between two such questions; default 20 s. */
  readonly askEveryMs?: number;
  /** After this one the stream ends. */
  readonly isLast: (value: T) => boolean;
}

/** A comment line so often keeps proxies from closing a quiet stream. */
const KEEP_ALIVE_MS = 15_000;
/** Tokens of an ended session are refused within a minute, and so are streams that began with them. */
const ASK_EVERY_MS = 20_000;
/**
 * Bytes that wait in memory for a client that does not read; then it is cut off, and comes back if it is
 * still there.
 */
const MOST_UNREAD = 64 * 1024;

/**
 * Answers with server-sent events until the last one or until the client leaves. Every event carries the
 * whole present state, so a client that reconnects has missed nothing.
 */
export async function streamEvents<T>(
  reply: FastifyReply,
  options: EventSourceOptions<T>,
): Promise<FastifyReply> {
  reply.hijack();
  const { raw } = reply;
  const closed = new AbortController();
  raw.on('close', () => closed.abort());
  // Who has left before says so no more.
  if (raw.destroyed) closed.abort();
  const end = () => closed.abort();
  options.closing.addEventListener('abort', end);
  const headers: Record<string, string> = {};
  // Headers that hooks have set (correlation id, CORS) go out as well.
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) headers[name] = String(value);
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  });
  let sent = '';
  const began = performance.now();
  let quietSince = began;
  let askedAt = began;
  const { askEveryMs = ASK_EVERY_MS } = options;
  try {
    while (!closed.signal.aborted) {
      if (performance.now() - askedAt > askEveryMs) {
        if (!(await options.isStillLetIn())) break;
        askedAt = performance.now();
      }
      const value = await options.next();
      const data = JSON.stringify(value);
      if (data !== sent) {
        raw.write(`event: ${options.event}\ndata: ${data}\n\n`);
        sent = data;
        quietSince = performance.now();
      } else if (performance.now() - quietSince > KEEP_ALIVE_MS) {
        raw.write(': still here\n\n');
        quietSince = performance.now();
      }
      if (options.isLast(value)) break;
      if (raw.writableLength > MOST_UNREAD) {
        raw.destroy();
        break;
      }
      await pause(options.every(performance.now() - began), closed.signal);
    }
  } catch (error) {
    reply.log.error({ err: error }, 'event stream failed');
  } finally {
    options.closing.removeEventListener('abort', end);
    // The client sees the end and goes back to polling.
    if (!raw.writableEnded) raw.end();
  }
  return reply;
}
