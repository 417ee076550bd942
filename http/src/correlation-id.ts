import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CORRELATION_HEADER } from '@quantloom/domain/contracts/http/route';

const CORRELATION_ID = /^[\w-]{8,64}$/;

/** The id that the caller follows his request by, where it is usable as one; else a new one. */
export function correlationIdOf(request: { readonly headers: IncomingHttpHeaders }): string {
  const given = request.headers[CORRELATION_HEADER];
  return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID();
}
