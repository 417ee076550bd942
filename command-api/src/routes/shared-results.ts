import { randomBytes } from 'node:crypto';
import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { shareResult, withdrawSharedResult } from '@quantloom/domain/contracts/http/shared-results';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import { loadState, streamName } from '@quantloom/domain/kernel/handle-command';
import { contentAt } from '@quantloom/domain/kernel/history';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import type { BacktestRunner, RunFigures } from '@quantloom/domain/ports/backtest-runner';
import { sharedResultOf, sharedResultStream } from '@quantloom/domain/shared-result/shared-result';
import { snapshotOf } from '@quantloom/domain/shared-result/snapshot';
import { strategyHistory } from '@quantloom/domain/strategy/history';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { RecordedRun } from '@quantloom/domain/strategy-run/events';
import {
  lastRunsProjection,
  type StrategyRunDocument,
  strategyRunsProjection,
} from '@quantloom/domain/strategy-run/projections';
import { strategyRunsId, strategyRunsStream } from '@quantloom/domain/strategy-run/strategy-run';
import { textOf } from '@quantloom/http/documents/trees';
import { mountRoute, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const DAY_MS = 86_400_000;
/** A longer strategy is not shown beside its result: nobody reads it there. */
const LONGEST_TEXT = 200_000;
/** Runs that the read models may not have yet. */
const NEWEST_RUNS = 20;

export interface SharingDeps extends WriteDeps {
  readonly backtestRunner: BacktestRunner;
}

const RUN_NOT_FOUND = refuse(
  404,
  'run_not_found',
  'This run cannot be found. Runs are recorded when a saved strategy is run as it is saved.',
);

/** Sharing results by links that nobody can guess, and withdrawing them. */
export function mountSharedResults(app: FastifyInstance, deps: SharingDeps): void {
  mountRoute(app, shareResult, async (call) => {
    const { id } = call.params;
    const { userId } = call.principal;
    const { state } = await loadState(deps.eventStore, strategyStream, id, deps.stateCache);
    if (state.status === 'none' || state.status === 'deleted' || state.ownerId !== userId)
      return STRATEGY_NOT_FOUND;
    const run = await recordedRun(deps, id, call.body.run_id);
    if (!run) return RUN_NOT_FOUND;
    const then = await contentAt(deps.eventStore, strategyStream, id, strategyHistory, run.revision);
    if (!then) return RUN_NOT_FOUND;
    const text = await textOf(deps.eventStore, then.held);
    const algorithm = JSON.parse(text) as Algorithm;
    const answer = await runAgain(call, deps, run, algorithm);
    if (isRefusal(answer)) return answer;
    const strategyText = call.body.shows_strategy ? printStrategy(algorithm) : null;
    if (strategyText && strategyText.length > LONGEST_TEXT)
      return refuse(
        422,
        'strategy_too_long',
        'The strategy is too long to be shown on a page. Share its result alone.',
      );
    const shareId = call.request.commandId;
    const result = await runCommand(call, deps, sharedResultStream, shareId, {
      type: 'ShareResult',
      shared: {
        shareId,
        key: randomBytes(16).toString('hex'),
        ownerId: userId,
        strategyId: id,
        runId: run.runId,
        revision: run.revision,
        treeHash: treeFingerprint(algorithm),
        name: state.name,
        strategyText,
        result: snapshotOf(run.terms, answer),
      },
    });
    if (isRefusal(result)) return result;
    if (result.state.status === 'none') throw new Error('A result was shared and is not there');
    return sharedResultOf(result.state.shared, deps.clock.now().toISOString());
  });

  mountRoute(app, withdrawSharedResult, async (call) => {
    const { id } = call.params;
    const callerId = call.principal.userId;
    const command = { type: 'WithdrawSharedResult', callerId } as const;
    const result = await runCommand(call, deps, sharedResultStream, id, command);
    return isRefusal(result) ? result : { id, withdrawn: true };
  });
}

/** A run by its id, or the last one. What was recorded just now is in the log before it is in the read models. */
async function recordedRun(
  { readModels, eventStore, clock }: Pick<WriteDeps, 'readModels' | 'eventStore' | 'clock'>,
  strategyId: string,
  run: string,
): Promise<RecordedRun | null> {
  const month = strategyRunsId(strategyId, clock.now().toISOString());
  const newest = { direction: 'backwards', maxCount: NEWEST_RUNS } as const;
  for await (const { data } of eventStore.readStream(streamName(strategyRunsStream, month), newest)) {
    const recorded = data as RecordedRun;
    if (run === 'last' || recorded.runId === run) return recorded;
  }
  const [projection, id] = run === 'last' ? [lastRunsProjection, strategyId] : [strategyRunsProjection, run];
  const found = await readModels.get<StrategyRunDocument>(projection.collection.name, id);
  return found?.strategyId === strategyId ? found : null;
}

/** The run with everything that a page shows; a refusal where it comes out differently today. */
async function runAgain(
  call: RouteCall<typeof shareResult>,
  { backtestRunner }: SharingDeps,
  { terms, dataVersion, resultHash, engineVersion }: RecordedRun,
  algorithm: Algorithm,
): Promise<BacktestAnswer | Refusal> {
  const days = (Date.parse(terms.end_date) - Date.parse(terms.start_date)) / DAY_MS + 1;
  const expectedMs = costOfRun(sizeOf(algorithm), days);
  const refused = await call.cost.expect(expectedMs);
  if (refused) return refused;
  const request = { ...terms, include: { history: true, report: true }, trading_bot: algorithm };
  let spent = 0;
  const told: RunFigures[] = [];
  try {
    const answer = await backtestRunner.run(request, {
      dataVersion,
      madeBy: engineVersion,
      owner: call.principal.userId,
      expectedMs,
      deadlineMs: call.cost.limits.deadlineSeconds * 1000,
      onSpent: (milliseconds) => {
        spent = milliseconds;
      },
      onFigures: (found) => {
        told.push(found);
      },
    });
    // Another engine that computes the same has another hash of its own.
    if (told[0]?.hashAsMade === resultHash) return answer;
    const { engine_version: today } = answer.provenance ?? {};
    return refuse(
      409,
      'result_differs',
      today === engineVersion
        ? 'This run comes to something else today. Run the strategy again and share that run.'
        : `This run was made by engine ${engineVersion}, and this is engine ${today}. ` +
            'Run the strategy again and share that run.',
    );
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    if (error instanceof Error && (error as { code?: unknown }).code === 'unknown_version')
      return refuse(
        409,
        'data_version_gone',
        `The prices of version ${dataVersion} are not kept any more. Run the strategy again and share that run.`,
      );
    throw error;
  } finally {
    await call.cost.settle(spent);
  }
}
