import { plainDebugData } from '@quantloom/domain/backtest-error/backtest-error';
import type { DebugData } from '@quantloom/domain/backtest-error/events';
import { BACKTEST_ERROR_STREAM } from '@quantloom/domain/backtest-error/stream';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadDeps } from './deps.ts';

const DEFECT = 'Something went wrong on our side. The error has been recorded.';

/**
 * Records that the engine failed on a backtest, with what is needed to run it again, and answers 500 with the record's id.
 *
 * @param backtest what was to be run; what administrators replay
 */
export async function recordDefect(
  error: unknown,
  backtest: { readonly request: BacktestRequest; readonly dataVersion: string },
  call: { readonly principal: Principal; readonly request: FastifyRequest; readonly reply: FastifyReply },
  deps: ReadDeps & { readonly newId: IdSource },
): Promise<FastifyReply> {
  const { principal, request, reply } = call;
  const errorId = deps.newId();
  request.log.error({ err: error, errorId }, 'the engine failed');
  const recorded = {
    errorId,
    userId: principal.userId,
    subject: { kind: 'backtest', ...backtest } as const,
    engineVersion: ENGINE_VERSION,
    debugData: debugDataOf(error),
  };
  await handleCommand(
    deps.eventStore,
    BACKTEST_ERROR_STREAM,
    errorId,
    { type: 'RecordBacktestError', error: recorded },
    {
      commandId: deps.newId(),
      correlationId: request.id,
      actor: principal.actor,
      now: deps.clock.now().toISOString(),
    },
  );
  return reply.code(500).type('application/problem+json; charset=utf-8').send({
    error: DEFECT,
    code: 'engine_defect',
    status: 500,
    error_id: errorId,
    correlationId: request.id,
  });
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
