import { createHash } from 'node:crypto';
import { HEADER_PATTERNS, IDEMPOTENCY_HEADER, POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { STORAGE_DAY_MS, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { networkOf } from '@quantloom/domain/limits/network';
import type { CollectionSpec, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { countUse } from '@quantloom/http/counted-use';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import { contractOf } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WriteDeps } from './deps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** ULID of the command that this request asks for; the same one when an idempotency key is repeated. */
    commandId: string;
    /** Set where the answer is to be kept. */
    idempotency: PendingAnswer | null;
  }
}

interface PendingAnswer {
  readonly id: string;
  readonly bodyHash: string;
  readonly expiresAt: string;
}

export interface KeptAnswer extends ReadDocument {
  readonly commandId: string;
  readonly bodyHash: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Null until the command has succeeded once. */
  readonly status: number | null;
  readonly payload: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export const IDEMPOTENCY_KEYS: CollectionSpec<KeptAnswer> = {
  name: 'idempotencyKeys_v1',
  indexes: [['expiresAt']],
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** A longer answer is not kept: the repeated command finds its own events and answers the same from them. */
const MAX_KEPT_CHARACTERS = 16 * 1024;
/** Keys a day of visitors of one network: each leaves a row for a day. Users have as many as changes. */
const KEYS_OF_VISITORS = 1_000;
const KEPT_HEADERS = ['etag', 'location', 'content-type', POSITION_HEADER];
/** Expired keys that a new key removes: more than one, so that they can't pile up however many keys come. */
const PURGED_BY_EACH = 20;

/**
 * Gives every request its command id, and makes POSTs with an `Idempotency-Key` safe to repeat for 24 hours:
 * the same key and body answer the same, with another body 422. The command id follows from caller, route and
 * key, so that even two requests at the same instant, or one that died half-way, come to the same command.
 * Only successes are kept: a refused command has changed nothing.
 */
export function registerIdempotency(app: FastifyInstance, deps: WriteDeps): void {
  const { readModels, clock, newId } = deps;
  app.decorateRequest('commandId', '');
  app.decorateRequest('idempotency', null);
  app.addHook('onReady', async () => {
    await readModels.ensureCollection(IDEMPOTENCY_KEYS);
  });

  app.addHook('preHandler', async (request, reply) => {
    request.commandId = newId();
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (request.method !== 'POST' || key === undefined) return;
    if (typeof key !== 'string' || !HEADER_PATTERNS.idempotencyKey.test(key))
      throw new RefusalError(
        refuse(
          400,
          'invalid_idempotency_key',
          'The Idempotency-Key must be 1 to 200 characters of ASCII, without spaces',
        ),
      );
    // A secret is the identity provider's to keep; such a command answers what is there already, however
    // often it comes.
    if (contractOf(request)?.holdsSecret) return;
    const now = clock.now().getTime();
    const bodyHash = hashOf(request.body);
    const known = request.principal?.userId ?? request.identityClaims?.subject;
    // Nobody knows who a visitor is: only the same request from the same address is the same visitor's again.
    const caller = known === undefined ? ['visitor', request.ip, bodyHash] : [known];
    const id = createHash('sha256')
      .update(JSON.stringify([...caller, request.method, request.url, key]))
      .digest('hex');
    const kept = await readModels.get<KeptAnswer>(IDEMPOTENCY_KEYS.name, id);
    const isKept = kept !== null && kept.expiresAt > new Date(now).toISOString();
    if (isKept && kept.bodyHash !== bodyHash)
      throw new RefusalError(
        refuse(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another request body'),
      );
    if (isKept && kept.status !== null) return await replay(reply, kept);
    if (isKept) request.commandId = kept.commandId;
    else {
      const tooMany = await refuseMoreKeys(deps, request);
      if (tooMany) throw new RefusalError(tooMany);
      // The day is the time part: requests at the same instant derive the same id, a key used again after it
      // expired another one.
      request.commandId = derivedId(now - (now % DAY_MS), id);
      await purge(readModels, new Date(now).toISOString());
      await readModels.put(IDEMPOTENCY_KEYS.name, {
        ...keptAnswer(id, bodyHash, new Date(now + DAY_MS).toISOString(), request.commandId),
      });
    }
    request.idempotency = {
      id,
      bodyHash,
      expiresAt: isKept ? kept.expiresAt : new Date(now + DAY_MS).toISOString(),
    };
  });

  app.addHook('onSend', async (request, reply, payload) => {
    await keep(deps, request, reply, payload);
    return payload;
  });
}

function keptAnswer(id: string, bodyHash: string, expiresAt: string, commandId: string): KeptAnswer {
  return {
    id,
    commandId,
    bodyHash,
    expiresAt,
    status: null,
    payload: null,
    headers: {},
    _revision: 0,
    _position: '0',
  };
}

/**
 * Every new key is a row for a day, whatever becomes of its request. @returns the refusal where a caller has
 * made enough of them today
 */
async function refuseMoreKeys({ rateLimits }: WriteDeps, request: FastifyRequest): Promise<Refusal | null> {
  const { principal, identityClaims, ip } = request;
  const owner = principal?.userId ?? identityClaims?.subject ?? networkOf(ip);
  const limit = principal ? USE_LIMITS[principal.planId].changesPerDay : KEYS_OF_VISITORS;
  return await refuseBeyond(rateLimits, `keys:${owner}`, { limit, windowMs: DAY_MS });
}

async function keep(
  { readModels, rateLimits }: WriteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const pending = request.idempotency;
  if (!pending || reply.statusCode < 200 || reply.statusCode >= 300) return;
  if (typeof payload !== 'string' || payload.length > MAX_KEPT_CHARACTERS) return;
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  try {
    const answer: KeptAnswer = {
      ...keptAnswer(pending.id, pending.bodyHash, pending.expiresAt, request.commandId),
      status: reply.statusCode,
      payload,
      headers,
    };
    await readModels.put(IDEMPOTENCY_KEYS.name, answer);
    const { principal } = request;
    if (principal && rateLimits)
      await countUse(rateLimits, 'written', principal, payload.length, STORAGE_DAY_MS);
  } catch (error) {
    // The command has been carried out; a repetition finds its events and answers the same.
    request.log.warn({ err: error }, 'answer not kept for its idempotency key');
  }
}

async function replay(reply: FastifyReply, kept: KeptAnswer): Promise<FastifyReply> {
  reply.headers(kept.headers);
  reply.header('idempotent-replayed', 'true');
  // Already serialised: a plain string goes out as it is.
  return reply
    .code(kept.status ?? 200)
    .serializer((text) => String(text))
    .send(kept.payload);
}

/** Hash of a parsed body, the same for every order of keys; of an unparsed one, of its bytes. */
function hashOf(body: unknown): string {
  const hash = createHash('sha256');
  // As an object it would be a million numbers to sort.
  if (body instanceof Uint8Array) return hash.update(body).digest('hex');
  try {
    hash.update(JSON.stringify(sorted(body)) ?? 'undefined');
  } catch {
    throw new RefusalError(refuse(400, 'too_deep', 'The request body is nested too deeply'));
  }
  return hash.digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}

async function purge(readModels: ReadModels, now: string): Promise<void> {
  const expired = await readModels.find<KeptAnswer>(IDEMPOTENCY_KEYS.name, {
    where: { expiresAt: { lt: now } },
    limit: PURGED_BY_EACH,
  });
  for (const { id } of expired) await readModels.delete(IDEMPOTENCY_KEYS.name, id);
}

/** Removes every kept answer: a repeated command finds its own events and answers from them. */
export async function forgetKeptAnswers(readModels: ReadModels): Promise<void> {
  await readModels.ensureCollection(IDEMPOTENCY_KEYS);
  for (;;) {
    const some = await readModels.find<KeptAnswer>(IDEMPOTENCY_KEYS.name, { limit: 500 });
    if (some.length === 0) return;
    for (const { id } of some) await readModels.delete(IDEMPOTENCY_KEYS.name, id);
  }
}
