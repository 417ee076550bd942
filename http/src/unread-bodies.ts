import { Socket } from 'node:net';
import { networkOf } from '@quantloom/domain/limits/network';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What arrives with the headers, or soon after them, is read anyway. */
const LARGE_BYTES = 64 * 1024;
const WINDOW_MS = 60_000;
/** Callers remembered within a window; beyond it all begin anew. */
const MAX_CALLERS = 10_000;
/** Bodies of refused requests that are taken from the wire for one caller in a window. */
const TAKEN_PER_WINDOW = 10;
/** How long a caller may take to read the answer before his connection ends. */
const LINGER_MS = 1_000;

export interface UnreadBodyOptions {
  /** Default: 1 s. */
  readonly lingerMs?: number;
  readonly now?: () => number;
}

/**
 * Requests that are refused before their body was read. Node takes such a body from the wire all the same, to
 * use the connection again: a megabyte costs milliseconds of the thread that serves everybody, for nothing. A
 * caller has that some times a minute, since some clients read no answer before they have sent everything.
 * After that his body stays where it is: he gets his answer, and the connection ends.
 */
export function leaveRefusedBodies(
  app: FastifyInstance,
  { lingerMs = LINGER_MS, now = Date.now }: UnreadBodyOptions = {},
): void {
  const taken = new Map<string, number>();
  let since = now();
  const isTaken = (caller: string): boolean => {
    if (now() - since >= WINDOW_MS || taken.size >= MAX_CALLERS) {
      taken.clear();
      since = now();
    }
    const count = (taken.get(caller) ?? 0) + 1;
    taken.set(caller, count);
    return count <= TAKEN_PER_WINDOW;
  };
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (reply.statusCode >= 400 && isText && isUnread(request) && !isTaken(callerOf(request)))
      leave(reply, lingerMs);
    return payload;
  });
}

const callerOf = ({ principal, ip }: FastifyRequest): string => principal?.userId ?? networkOf(ip);

function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete || raw.readableFlowing) return false;
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > LARGE_BYTES;
}

/** Writes the answer and leaves the rest of the request unread: a response that has ended makes Node read it. */
function leave(reply: FastifyReply, lingerMs: number): void {
  const { raw } = reply;
  const { socket } = raw;
  // A call from within (a test, a proxy in this process) has no wire to leave anything on.
  if (!(socket instanceof Socket)) return;
  reply.header('connection', 'close');
  raw.end = ((payload?: string | Buffer) => {
    if (payload !== undefined) raw.write(payload);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    raw.once('close', () => clearTimeout(timer));
    return raw;
  }) as typeof raw.end;
}
