import { createHash } from 'node:crypto';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfBytes } from '@quantloom/domain/limits/cost';
import type { StrategySize } from '@quantloom/domain/strategy/size';
import { ReadTree } from '@quantloom/domain/strategy/stored-tree';
import type { WrittenTree } from '@quantloom/domain/strategy/written-tree';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { breath } from './breath.ts';
import { hasLeft } from './caller-address.ts';
import type { BodyFound, DocumentJobs, FieldsBeside } from './documents/document-jobs.ts';
import { DocumentThreads } from './documents/document-threads.ts';
import { paidJobs } from './documents/paid-jobs.ts';
import { contractOf } from './routes.ts';
import { isUsableJson } from './text-check.ts';
import { Turns } from './turns.ts';

/**
 * Bytes from which on a body is handled alone: some milliseconds of parsing, and as many again for every
 * check after it.
 */
const LARGE_BYTES = 256 * 1024;
/** Bytes from which on a strategy is read by another thread. */
const LARGE_DOCUMENT = 64 * 1024;
/**
 * The same for the source of an import: a text in any of several notations, of which nobody has shown that
 * each is read as quickly as it is short.
 */
const LARGE_SOURCE = 4 * 1024;
/** What waits lies in memory. A user's own turns keep him from filling the line. */
const ONE_AT_A_TIME = { inFlight: 1, waiting: 64 };
const BUSY = refuse(429, 'too_many_at_once', 'Too many large requests wait already. Please try again.', {
  data: { retry_after: 1 },
});

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads large documents in a thread of their own. */
    readonly documents: DocumentThreads;
  }
  interface FastifyRequest {
    /** Ends the turn of a request with a large body. */
    endLargeBody: (() => void) | null;
    /** The strategy of a large body, read by another thread: a `ReadTree`, or the `RefusalError` of what is none. */
    readTree: ReadTree | RefusalError | null;
    /** What another thread made of the large body of an import. */
    imported: DocumentJobs['import']['found'] | null;
    /** The size of the strategy in a large body that another thread found nothing wrong with. */
    checkedSize: StrategySize | null;
    /**
     * The strategy of a large body that is to be run, checked by another thread and left as JSON; its place
     * in the body is empty.
     */
    writtenTree: WrittenTree | null;
    /** Whether every text of the body is known to be one that can be kept. */
    hasUsableText: boolean;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Parses JSON bodies. Large strategies are read by another thread, and their bodies come without them
 * (`request.readTree`); those that are to be run are checked there first (`request.checkedSize`). These and
 * other large bodies of all users are parsed here, one at a time in this process, until they are checked,
 * with a breath in between: whatever many people send at once, other requests are answered between two of them.
 */
export function parseLargeBodiesInTurn(app: FastifyInstance): void {
  const turns = new Turns();
  const documents = new DocumentThreads();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorate('documents', documents);
  app.decorateRequest('endLargeBody', null);
  app.decorateRequest('readTree', null);
  app.decorateRequest('imported', null);
  app.decorateRequest('checkedSize', null);
  app.decorateRequest('writtenTree', null);
  app.decorateRequest('hasUsableText', false);
  app.addHook('onClose', async () => documents.close());
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done: Done) => {
    const parseHere = () => {
      const text = body.toString('utf8');
      request.hasUsableText ||= isUsableJson(text);
      return parse(request, text, done as never);
    };
    const here = () => {
      if (body.length < LARGE_BYTES) return parseHere();
      return beginLarge(turns, request).then(parseHere, (error: Error) => done(error));
    };
    const contract = contractOf(request);
    if (body.length < (contract?.document === 'import' ? LARGE_SOURCE : LARGE_DOCUMENT)) return here();
    charge(request, body.length)
      .then(() => (contract ? readElsewhere(documents, request, contract, body) : null))
      .then(
        (found) => (found === null ? here() : done(null, found.body)),
        (error: Error) => done(error),
      );
  });
  const end = async (request: FastifyRequest) => request.endLargeBody?.();
  app.addHook('preHandler', end);
  app.addHook('onError', end);
  app.addHook('onResponse', end);
}

/** The body as its route is to see it; null where the usual parser is to tell what is wrong with it. */
async function readElsewhere(
  documents: DocumentThreads,
  request: FastifyRequest,
  { document, body: schema }: RouteContract,
  body: Buffer,
): Promise<{ readonly body: unknown } | null> {
  if (!document) return null;
  const { features = [] } = request.principal ?? {};
  const run = paidJobs(documents, request);
  if (document !== 'import' && document !== 'strategy') {
    const found = await run('check', { body, kind: document, features });
    if (isRefusal(found)) throw new RefusalError(found);
    if ('isUnreadable' in found) return null;
    request.hasUsableText = true;
    request.checkedSize = found.size;
    // Small enough by now to be parsed here.
    if (!found.run) return null;
    request.writtenTree = found.run.tree;
    return { body: { ...found.run.rest, trading_bot: null } };
  }
  const fields = fieldsBeside(schema);
  if (document === 'import') {
    const imported = await run('import', { body, features, id: request.id, fields });
    if ('isUnreadable' in imported) return null;
    request.imported = imported;
    const beside = isRefusal(imported) ? {} : imported.beside;
    // Something in its place that is the same for the same body.
    return { body: { ...beside, json: createHash('sha256').update(body).digest('hex') } };
  }
  const found: BodyFound = await run('body', { body, features, fields });
  if ('isUnreadable' in found) return null;
  const { tree } = found;
  if (tree === null) return found;
  if (isRefusal(tree)) {
    // Text that cannot be kept is refused whatever else the body holds.
    if (tree.code === 'invalid_text') throw new RefusalError(tree);
    request.readTree = new RefusalError(tree);
    return { body: { ...(found.body as object), algorithm: { refused: tree.detail } } };
  }
  request.readTree = new ReadTree(tree);
  const hash = tree.held.tree?.hash ?? tree.held.algorithm;
  return { body: { ...(found.body as object), algorithm: { name: tree.name, hash } } };
}

/** From the schema, so that a field which is new there is read from large bodies as from small ones. */
function fieldsBeside(schema: RouteContract['body']): FieldsBeside {
  const { properties = {} } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, object>>;
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const takesAnything = !('type' in field) && !('anyOf' in field);
      return [name, takesAnything ? 'ignored' : 'read'];
    }),
  );
}

/** A body that comes in chunks has not said how long it is, and a compressed one only how long it was on the way. */
async function charge(request: FastifyRequest, bytes: number): Promise<void> {
  const unsaid = bytes - Number(request.headers['content-length'] ?? 0);
  if (unsaid <= 0) return;
  const refusal = await request.cost?.expect(costOfBytes(unsaid));
  if (refusal) throw new RefusalError(refusal);
}

async function beginLarge(turns: Turns, request: FastifyRequest): Promise<void> {
  const end = await turns.take('large bodies', ONE_AT_A_TIME);
  if (end === null) throw new RefusalError(BUSY);
  request.endLargeBody = end;
  // Who has left meanwhile was told that he did when there was no turn to end.
  if (hasLeft(request)) end();
  await breath();
}
