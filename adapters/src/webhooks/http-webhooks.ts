import { createHmac } from 'node:crypto';
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Delivery } from '@quantloom/domain/alerts/delivery';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import { lookUpByServers } from './look-up-name.ts';
import { isPublicAddress } from './public-addresses.ts';

/** From the first byte of the connection to the status line. */
const TIME_LIMIT_MS = 5_000;
const NOT_PUBLIC = 'The address is not one on the public internet';

export interface HttpWebhooksOptions {
  /** What secrets are derived from, 32 bytes. */
  readonly key: Uint8Array;
  /** Loopback and private addresses, and plain HTTP: for an operator who trusts his users. */
  readonly allowsPrivate: boolean;
  readonly now?: () => Date;
  readonly timeLimitMs?: number;
  /** Takes the place of the system's resolver, in tests. */
  readonly resolve?: typeof lookup;
}

/**
 * The signature of a body: `t=<seconds>,v1=<hex HMAC-SHA-256 of "seconds.body">`. Whoever gets it computes
 * the same with the secret, compares in constant time, and refuses what is older than some minutes.
 */
export function signatureOf(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/**
 * Webhooks over HTTP. An address is looked at when the connection is made, after its name was resolved and
 * whatever it resolved to before; redirects are answers like any other that is not 2xx; the body of an answer
 * is not read.
 */
export function createHttpWebhooks(options: HttpWebhooksOptions): Webhooks {
  const {
    key,
    allowsPrivate,
    now = () => new Date(),
    timeLimitMs = TIME_LIMIT_MS,
    // Names inside a network may stand in the hosts file alone.
    resolve = allowsPrivate ? lookup : lookUpByServers(),
  } = options;
  const refusal = (text: string): string | null => {
    const url = new URL(text);
    if (allowsPrivate) return null;
    if (url.protocol !== 'https:') return 'A webhook needs an address that begins with https://';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return isIP(host) > 0 && !isPublicAddress(host) ? NOT_PUBLIC : null;
  };
  const guarded: LookupFunction = (hostname, given, done) => {
    resolve(hostname, { ...given, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const found = addresses as unknown as LookupAddress[];
      // All of them: the system would go on to the next one by itself.
      const isRefused =
        found.length === 0 || (!allowsPrivate && !found.every((one) => isPublicAddress(one.address)));
      if (isRefused) return done(Object.assign(new Error(NOT_PUBLIC), { code: 'ENOTPUBLIC' }), '', 0);
      const [first] = found;
      if (given.all) return done(null, found);
      return done(null, first?.address ?? '', first?.family ?? 0);
    });
  };
  return {
    secretOf: (userId, secretNumber) =>
      `whsec_${createHmac('sha256', key).update(`${userId} ${secretNumber}`).digest('base64url')}`,
    refusal,
    async post({ url, secret, id, body }) {
      const refused = refusal(url);
      if (refused !== null) return { isDelivered: false, status: null, reason: refused };
      const seconds = Math.floor(now().getTime() / 1000);
      const signal = AbortSignal.timeout(timeLimitMs);
      try {
        return answerOf(
          await statusOf(
            url,
            {
              method: 'POST',
              // A connection that is kept would be one whose address nobody looks at again.
              agent: false,
              lookup: guarded,
              signal,
              headers: {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(body),
                'user-agent': `${PRODUCT_NAME}-Webhooks/1`,
                'quantloom-delivery': id,
                'quantloom-signature': signatureOf(secret, seconds, body),
              },
            },
            body,
          ),
        );
      } catch (error) {
        return { isDelivered: false, status: null, reason: reasonOf(error, signal.aborted, timeLimitMs) };
      }
    },
  };
}

function statusOf(url: string, options: https.RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const sent = request(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      // What is said besides is nothing to us, however long it is.
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function answerOf(status: number): Delivery {
  const isDelivered = status >= 200 && status < 300;
  const words =
    status >= 300 && status < 400
      ? 'It answered with a redirect, which is not followed'
      : `It answered ${status}`;
  return { isDelivered, status, reason: isDelivered ? null : words };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTPUBLIC: NOT_PUBLIC,
  ENOTFOUND: 'The name of the address is not known',
  ENODATA: 'The name of the address is not known',
  EAI_AGAIN: 'The name of the address could not be looked up',
  ETIMEOUT: 'The name of the address could not be looked up',
  ECANCELLED: 'The name of the address could not be looked up',
  ESERVFAIL: 'The name of the address could not be looked up',
  ECONNREFUSED: 'Nobody listens at the address',
  ECONNRESET: 'The connection was cut',
};

/** Words for what went wrong; never a text of the other side or of the system, which may name addresses behind it. */
function reasonOf(error: unknown, isLate: boolean, timeLimitMs: number): string {
  if (isLate) return `There was no answer within ${timeLimitMs / 1000} s`;
  const { code = '' } = error as { readonly code?: string };
  return (
    REASONS[code] ?? (/CERT|TLS|SSL/.test(code) ? 'Its certificate is not valid' : 'The connection failed')
  );
}
