import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

const MAX_BODY_BYTES = 56 * 1024;

/** A request that can't be understood; `status` is the HTTP status. */
export class BadRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BadRequest(413, 'The request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequest(400, 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest(400, 'The body must be a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

/** A body that is a JSON object. */
export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  return parseObject((await readBody(request)).toString('utf8'));
}

/** A body as form fields; JSON objects of texts are taken too, as Auth0 does. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const text = (await readBody(request)).toString('utf8');
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(text);
  if (!type.startsWith('application/json'))
    throw new BadRequest(415, 'The body must be a form (application/x-www-form-urlencoded) or JSON');
  const value = parseObject(text);
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) {
    if (typeof field !== 'string') throw new BadRequest(400, `${name} must be a text`);
    fields.set(name, field);
  }
  return fields;
}

/** Lets whoever reads the request next read `fields` as its form body, although the stream has been read. */
export function replaceBody(request: IncomingMessage, fields: URLSearchParams): void {
  const body = Buffer.from(fields.toString());
  request.headers['content-type'] = 'application/x-www-form-urlencoded';
  request.headers['content-length'] = String(body.length);
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: () => Readable.from([body])[Symbol.asyncIterator]() },
  });
}

/** Address of the caller; behind a trusted proxy the one that the proxy saw. */
export function addressOf(request: IncomingMessage, isBehindProxy: boolean): string {
  const forwarded = request.headers['x-forwarded-for'];
  if (isBehindProxy && typeof forwarded === 'string') {
    const last = forwarded.split(',').at(-1)?.trim();
    if (last) return last;
  }
  return request.socket.remoteAddress ?? 'unknown';
}

/** Whether a form was sent by the page of another site. What is no browser names no origin. */
export function isFromElsewhere(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  return origin !== undefined && origin !== '' && !origins.includes(origin);
}
