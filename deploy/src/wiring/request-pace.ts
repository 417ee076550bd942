import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '@quantloom/domain/limits/network';

/**
 * Requests of one network that are worked on without a break, and further ones a second: of an office with
 * some hundred people, all at once.
 */
export const REQUESTS_AT_ONCE = 3_000;
export const REQUESTS_PER_SECOND = 150;
/**
 * How long a request beyond that waits for its refusal, so that asking again and again is slow for who asks,
 * not for the thread that serves all.
 */
const HELD_MS = 2_000;
/** Networks that are remembered; beyond it those go that could ask the most by now. */
const MOST_NETWORKS = 20_000;
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

export interface RequestPaceOptions {
  /**
   * The caller is then who the nearest proxy says (`X-Forwarded-For`); what comes without that word comes
   * from our own side.
   */
  readonly isBehindProxy: boolean;
  readonly atOnce?: number;
  readonly perSecond?: number;
  readonly heldMs?: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface Bucket {
  left: number;
  at: number;
}

/**
 * Bounds what one network can have answered at all, pages and refusals included: each costs a part of a
 * millisecond of the one thread, whoever asks and whatever for. Loopback is not counted: nobody else is on
 * this machine, or a proxy that nobody has told of is.
 *
 * @returns whether a request is to be handled; where it is not, it is refused a while later and its connection ends
 */
export function paceRequests({
  isBehindProxy,
  atOnce = REQUESTS_AT_ONCE,
  perSecond = REQUESTS_PER_SECOND,
  heldMs = HELD_MS,
  now = () => performance.now(),
}: RequestPaceOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const buckets = new Map<string, Bucket>();
  const sweep = (time: number) => {
    for (const [network, { left, at }] of buckets)
      if (left + ((time - at) / 1_000) * perSecond >= atOnce) buckets.delete(network);
    const [oldest] = buckets.keys();
    if (buckets.size >= MOST_NETWORKS && oldest !== undefined) buckets.delete(oldest);
  };
  return (request, response) => {
    const address = callerOf(request, isBehindProxy);
    if (address === null) return true;
    const network = networkOf(address);
    const time = now();
    let bucket = buckets.get(network);
    if (bucket === undefined) {
      if (buckets.size >= MOST_NETWORKS) sweep(time);
      bucket = { left: atOnce, at: time };
      buckets.set(network, bucket);
    }
    bucket.left = Math.min(atOnce, bucket.left + ((time - bucket.at) / 1_000) * perSecond);
    bucket.at = time;
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return true;
    }
    refuseLater(response, heldMs);
    return false;
  };
}

/** Null: who asks is not counted. */
function callerOf({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string | null {
  const { remoteAddress = '' } = socket;
  if (!isBehindProxy) return LOOPBACK.test(remoteAddress) ? null : remoteAddress;
  const said = headers['x-forwarded-for'];
  return (typeof said === 'string' ? said.split(',').at(-1)?.trim() : undefined) || null;
}

const REFUSAL = JSON.stringify({
  error: 'Too many requests from your network. Please try again in a moment.',
  code: 'too_many_requests',
  status: 429,
  retry_after: 5,
});

function refuseLater(response: ServerResponse, heldMs: number): void {
  const timer = setTimeout(() => {
    response
      .writeHead(429, {
        'content-type': 'application/problem+json; charset=utf-8',
        'content-length': Buffer.byteLength(REFUSAL),
        'cache-control': 'no-store',
        'retry-after': '5',
        connection: 'close',
      })
      .end(REFUSAL);
  }, heldMs);
  response.once('close', () => clearTimeout(timer));
}
