import { HEADER_PATTERNS, POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import {
  type CommandContext,
  type CommandResult,
  handleCommand,
  type StreamKind,
  streamName,
  wrongRevision,
} from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfStream } from '@quantloom/domain/limits/cost';
import { type StoredBytesDocument, storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WriteDeps } from './deps.ts';
import { refuseWithoutRoom } from './stored-bytes.ts';

/**
 * The revision in `If-Match`: `"3"`, `W/"3"` or plain `3`; `*` and no header mean any. Throws a refusal for
 * anything else.
 */
export function ifMatch(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined) return undefined;
  const match = HEADER_PATTERNS.ifMatch.exec(header);
  if (!match)
    throw new RefusalError(
      refuse(400, 'invalid_if_match', 'The If-Match header must hold one revision, for example "3"'),
    );
  return match[1] === undefined ? undefined : Number(match[1]);
}

/**
 * The refusal of a caller whose `If-Match` names another revision, for commands that ask somebody else before
 * the log: what a provider has done cannot be taken back.
 */
export function refuseStale(request: FastifyRequest, revision: number): Refusal | null {
  const expected = ifMatch(request);
  return expected === undefined || expected === revision ? null : wrongRevision(revision);
}

/** The context of a request's one command. `principal` null: a visitor, who acts as the system's `web`. */
export function commandContext(
  request: FastifyRequest,
  principal: Principal | null,
  deps: Pick<WriteDeps, 'clock'>,
): CommandContext {
  const expectedRevision = ifMatch(request);
  return {
    commandId: request.commandId,
    correlationId: request.id,
    actor: principal?.actor ?? { kind: 'system', name: 'visitor' },
    now: deps.clock.now().toISOString(),
    ...(request.idempotency && { mayRepeat: true }),
    ...(expectedRevision !== undefined && { expectedRevision }),
  };
}

/** Headers of a successful command: revision, position in the log, and where a new thing is. */
export function commandHeaders(
  reply: FastifyReply,
  result: Pick<CommandResult<unknown>, 'revision' | 'position'>,
  location?: string,
): void {
  reply.header('etag', `"${result.revision}"`);
  reply.header(POSITION_HEADER, String(result.position));
  if (location !== undefined) reply.header('location', location);
}

/**
 * Carries out the command of a request and sets the answer's headers.
 *
 * @param id part of the stream name after the category
 * @param location path of the thing that the command makes, for 201 answers
 * @param prepare see `CommandContext`
 */
export async function runCommand<Command, State, Event extends DomainEvent>(
  call: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly visitor: Principal | null;
  },
  deps: WriteDeps,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
  location?: string,
  prepare?: CommandContext['prepare'],
): Promise<CommandResult<State> | Refusal> {
  const { request, reply, visitor } = call;
  const context: CommandContext = {
    ...commandContext(request, visitor, deps),
    prepare: async (events) => {
      const stream = streamName(kind, id);
      const refused = visitor && (await refuseWithoutRoom(deps, visitor, stream, events, reply));
      return refused ?? (await prepare?.(events)) ?? null;
    },
  };
  const tooMuch = await chargeReading(call.request, deps, streamName(kind, id));
  if (tooMuch) return tooMuch;
  const result = await handleCommand(deps.eventStore, kind, id, command, context, deps.stateCache);
  if (!isRefusal(result)) commandHeaders(call.reply, result, location);
  return result;
}

/** Characters of an event at most, but for those of before 2027 that hold large trees themselves. */
const LARGEST_EVENT = 20_000;
/** What is read in a moment costs nothing more than any change does. */
const SMALL_STREAM = 1_000_000;

/** Charges reading a long stream that is not at hand, from its start: each command on it does. */
async function chargeReading(
  request: FastifyRequest,
  { stateCache, readModels }: WriteDeps,
  stream: string,
): Promise<Refusal | null> {
  if (!request.cost || stateCache.get(stream)) return null;
  const { name } = storedBytesProjection.collection;
  const stored = await readModels.get<StoredBytesDocument>(name, stream);
  if (!stored) return null;
  // The trees that it counts and that are stored by themselves are not read.
  const characters = Math.min(stored.bytes, (stored._revision + 1) * LARGEST_EVENT);
  return characters > SMALL_STREAM ? await request.cost.expect(costOfStream(characters)) : null;
}
