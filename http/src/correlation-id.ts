import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CORRELATION_HEADER } from '@quantloom/domain/contracts/http/route';

const CORRELATION_ID = /^[\w-]{8,64}$/;

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The id that the caller follows his request by, where it is usable as one: his correlation id, or his trace
 * (W3C Trace Context). Else a new one.
 */
export function correlationIdOf(request: { readonly headers: IncomingHttpHeaders }): string {
  const given = request.headers[CORRELATION_HEADER];
  if (typeof given === 'string' && CORRELATION_ID.test(given)) return given;
  const caller = request.headers.traceparent;
  return (typeof caller === 'string' && TRACEPARENT.exec(caller)?.[1]) || randomUUID();
}
