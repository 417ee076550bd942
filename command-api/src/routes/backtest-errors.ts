import type { ReplayOutcome } from '@quantloom/domain/backtest-error/events';
import { errorConditions } from '@quantloom/domain/backtest-error/filter';
import {
  type BacktestErrorDocument,
  backtestErrorsProjection,
} from '@quantloom/domain/backtest-error/projections';
import { BACKTEST_ERROR_STREAM } from '@quantloom/domain/backtest-error/stream';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import { replayBacktestError, replayBacktestErrors } from '@quantloom/domain/contracts/http/backtest-errors';
import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId, ulidTime } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandContext, commandHeaders } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

export interface ReplayDeps extends WriteDeps {
  readonly backtestRunner: BacktestRunner;
}

const MAX_AT_ONCE = 100;

/** Replays of backtest errors: the same request on the same data, or the failed part of a batch. */
export function mountBacktestErrors(app: FastifyInstance, deps: ReplayDeps): void {
  mountRoute(app, replayBacktestError, async (call) => {
    const { id } = call.params;
    const context = commandContext(call.request, call.principal, deps);
    const result = await replay(id, context, deps);
    if (isRefusal(result)) return result;
    commandHeaders(call.reply, result);
    return { id, ...result.outcome };
  });

  mountRoute(app, replayBacktestErrors, async (call) => {
    const context = commandContext(call.request, call.principal, deps);
    const errors = await deps.readModels.find<BacktestErrorDocument>(
      backtestErrorsProjection.collection.name,
      { where: errorConditions(call.body), sort: [['createdAt', 'asc']], limit: MAX_AT_ONCE },
    );
    const outcomes: ({ id: string } & ReplayOutcome)[] = [];
    for (const { id } of errors) {
      const commandId = derivedId(ulidTime(context.commandId), context.commandId, 'replay', id);
      const result = await replay(id, { ...context, commandId }, deps);
      outcomes.push({
        id,
        ...(isRefusal(result) ? { kind: 'refused' as const, detail: result.detail } : result.outcome),
      });
      if (!isRefusal(result)) commandHeaders(call.reply, result);
    }
    return { outcomes };
  });
}

async function replay(
  id: string,
  context: CommandContext,
  deps: ReplayDeps,
): Promise<{ outcome: ReplayOutcome; revision: number; position: bigint } | Refusal> {
  const { state } = await loadState(deps.eventStore, BACKTEST_ERROR_STREAM, id);
  if (!state.recorded) return refuse(404, 'backtest_error_not_found', 'There is no such backtest error');
  const { subject } = state.recorded;
  const outcome =
    subject.kind === 'batch'
      ? await replayBatch(subject.batchId, id, context, deps)
      : await runAgain(subject, deps.backtestRunner);
  if (isRefusal(outcome)) return outcome;
  const { expectedRevision: _ignored, ...own } = context;
  const result = await handleCommand(
    deps.eventStore,
    BACKTEST_ERROR_STREAM,
    id,
    { type: 'RecordReplay', engineVersion: ENGINE_VERSION, outcome },
    own,
  );
  return isRefusal(result) ? result : { outcome, revision: result.revision, position: result.position };
}

async function replayBatch(
  batchId: string,
  errorId: string,
  context: CommandContext,
  deps: ReplayDeps,
): Promise<ReplayOutcome | Refusal> {
  const commandId = derivedId(ulidTime(context.commandId), context.commandId, 'replay-batch');
  const result = await systemCommand(
    deps.eventStore,
    BATCH_STREAM,
    batchId,
    { type: 'ReplayBatchBacktest', errorId },
    {
      commandId,
      correlationId: context.correlationId,
      actor: context.actor,
      now: context.now,
    },
    deps.stateCache,
  );
  if (!isRefusal(result))
    return { kind: 'requeued', detail: `The failed part of batch ${batchId} runs again` };
  return result.status === 404
    ? { kind: 'refused', detail: `Batch ${batchId} was deleted` }
    : { kind: 'refused', detail: result.detail };
}

async function runAgain(
  subject: { readonly request: Parameters<BacktestRunner['run']>[0]; readonly dataVersion: string | null },
  runner: BacktestRunner,
): Promise<ReplayOutcome> {
  try {
    const options = subject.dataVersion === null ? {} : { dataVersion: subject.dataVersion };
    const { calculated_dates: days } = await runner.run(subject.request, options);
    return { kind: 'succeeded', detail: `Ran from ${days.first_day} to ${days.last_day}` };
  } catch (error) {
    const carried = (error as { refusal?: unknown }).refusal;
    if (isRefusal(carried)) return { kind: 'refused', detail: carried.detail };
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}
