import { createHash } from 'node:crypto';
import { plainDebugData } from '@quantloom/domain/backtest-error/backtest-error';
import type { DebugData } from '@quantloom/domain/backtest-error/events';
import { BACKTEST_ERROR_STREAM } from '@quantloom/domain/backtest-error/stream';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, streamName } from '@quantloom/domain/kernel/handle-command';
import { derivedId, type IdSource } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { STORAGE_DAY_MS } from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { isWrittenTree, parsedRequest, type RunRequest } from '@quantloom/domain/strategy/written-tree';
import type { Principal } from '@quantloom/http/principal';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadDeps } from './deps.ts';
import { takeChange } from './room.ts';
import { NO_ROOM } from './run-recording.ts';

const DEFECT = 'Something went wrong on our side. The error has been recorded.';
const NOT_RECORDED =
  'Something went wrong on our side. Many such errors of yours have been recorded today already, so this one was not.';
/** Each is kept in the log with its whole request: so many different ones of a user a day. */
const A_DAY = 20;

interface Failed {
  /** What was to be run; what administrators replay. */
  readonly request: RunRequest;
  readonly dataVersion: string;
}

type DefectDeps = ReadDeps & { readonly newId: IdSource; readonly rateLimits?: RateLimits };

/**
 * Records that the engine failed on a backtest, with what is needed to run it again, and answers 500 with the
 * record's id. The same failure of the same request has one record, however often it comes; where a user has
 * too many of them, or no room, there is none.
 */
export async function recordDefect(
  error: unknown,
  failed: Failed,
  call: { readonly principal: Principal; readonly request: FastifyRequest; readonly reply: FastifyReply },
  deps: DefectDeps,
): Promise<FastifyReply> {
  const { principal, request, reply } = call;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const errorId = derivedId(0, 'defect', principal.userId, ENGINE_VERSION, message, hashOf(failed));
  const isKept = (await isRecorded(deps, errorId)) || (await record(error, errorId, failed, call, deps));
  // Without what the error carries: that is the request, in the engine's own words.
  request.log.error({ err: { message, stack }, ...(isKept && { errorId }) }, 'the engine failed');
  return reply
    .code(500)
    .type('application/problem+json; charset=utf-8')
    .send({
      error: isKept ? DEFECT : NOT_RECORDED,
      code: 'engine_defect',
      status: 500,
      ...(isKept && { error_id: errorId }),
      correlationId: request.id,
    });
}

function hashOf({ request: { trading_bot: tree, ...terms }, dataVersion }: Failed): string {
  const hash = createHash('sha256').update(JSON.stringify([terms, dataVersion]));
  return hash.update(isWrittenTree(tree) ? tree.json : JSON.stringify(tree)).digest('hex');
}

async function isRecorded({ eventStore }: ReadDeps, errorId: string): Promise<boolean> {
  const stream = streamName(BACKTEST_ERROR_STREAM, errorId);
  for await (const _ of eventStore.readStream(stream, { maxCount: 1 })) return true;
  return false;
}

/** @returns whether it is kept */
async function record(
  error: unknown,
  errorId: string,
  { request: wanted, dataVersion }: Failed,
  { principal, request }: { readonly principal: Principal; readonly request: FastifyRequest },
  deps: DefectDeps,
): Promise<boolean> {
  const { userId, actor } = principal;
  const day = { limit: A_DAY, windowMs: STORAGE_DAY_MS };
  if (await refuseBeyond(deps.rateLimits, `defects:${userId}`, day)) return false;
  const recorded = {
    errorId,
    userId,
    subject: { kind: 'backtest', request: parsedRequest(wanted), dataVersion } as const,
    engineVersion: ENGINE_VERSION,
    debugData: debugDataOf(error),
  };
  const prepare = async ([event]: readonly NewEvent[]) =>
    (await takeChange(deps, principal, JSON.stringify(event?.data).length)) ? null : NO_ROOM;
  const result = await handleCommand(
    deps.eventStore,
    BACKTEST_ERROR_STREAM,
    errorId,
    { type: 'RecordBacktestError', error: recorded },
    {
      commandId: deps.newId(),
      correlationId: request.id,
      actor,
      now: deps.clock.now().toISOString(),
      prepare,
    },
  );
  return !isRefusal(result);
}

/** What the engine knew when it failed, completed to the shape that the error page shows. */
function debugDataOf(error: unknown): DebugData {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const lines = stack
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
  const known = (error as { debugData?: Partial<DebugData> }).debugData;
  return { ...plainDebugData({ message, stack: lines }), ...known };
}
