import { dayBefore } from '@quantloom/domain/batch/looks';
import type { BatchDefinitionDocument, BatchDocument } from '@quantloom/domain/batch/projections';
import { configOfRow } from '@quantloom/domain/batch/request';
import { type BatchVariable, combinationValues } from '@quantloom/domain/batch/variable-values';
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { bindVariables } from '@quantloom/domain/strategy/variables';
import type { RouteCall } from '@quantloom/http/routes';
import type { FastifyReply } from 'fastify';
import type { RecomputeDeps } from '../deps.ts';
import { recordDefect } from '../engine-defects.ts';

const DAY_MS = 86_400_000;

/** A picked row run again, or why it could not be. */
export interface PickedRun {
  readonly combination: number;
  readonly values: Record<string, string | number>;
  readonly answer: BacktestAnswer | Refusal;
}

export interface PickedBatch {
  readonly batch: BatchDocument;
  readonly definition: BatchDefinitionDocument;
  readonly variables: readonly BatchVariable[];
  readonly isLocked: boolean;
}

/**
 * Runs picked rows of a batch again on its own data version, at the caller's cost. What is locked away stays
 * out: a curve that went on would show it. Answers a refusal where the caller's budget does not suffice, or
 * what is told of an engine that failed.
 */
export async function runPicked(
  call: Pick<RouteCall<never>, 'cost' | 'principal' | 'request' | 'reply'>,
  deps: RecomputeDeps,
  { batch, definition, variables, isLocked }: PickedBatch,
  combinations: readonly number[],
  include: NonNullable<BacktestRequest['include']>,
): Promise<PickedRun[] | Refusal | FastifyReply> {
  const beyond = combinations.find((combination) => combination >= batch.combinations);
  if (beyond !== undefined)
    return refuse(400, 'unknown_combination', `This batch has no combination ${beyond}`);
  const { algorithm } = definition.templateBot;
  const { out_of_sample_date: split } = definition.backtestConfig;
  const whole = configOfRow(definition.backtestConfig);
  const config = split && isLocked ? { ...whole, end_date: dayBefore(split) } : whole;
  const days = (Date.parse(config.end_date) - Date.parse(config.start_date)) / DAY_MS;
  const expectedMs = costOfRun(sizeOf(algorithm), days);
  const refused = await call.cost.expect(expectedMs * combinations.length);
  if (refused) return refused;
  let spent = 0;
  const options: RunOptions = {
    dataVersion: batch.dataVersion,
    owner: call.principal.userId,
    expectedMs,
    deadlineMs: call.cost.limits.deadlineSeconds * 1000,
    onSpent: (milliseconds) => {
      spent += milliseconds;
    },
  };
  const runs: PickedRun[] = [];
  try {
    for (const combination of combinations) {
      const values = { ...combinationValues(variables, combination) };
      const request = {
        ...config,
        include,
        trading_bot: bindVariables(algorithm, new Map(Object.entries(values))),
      };
      try {
        runs.push({ combination, values, answer: await run(deps.backtestRunner, request, options) });
      } catch (error) {
        if (isRefusal((error as { refusal?: unknown }).refusal)) throw error;
        return await recordDefect(error, { request, dataVersion: batch.dataVersion }, call, deps);
      }
    }
    return runs;
  } finally {
    await call.cost.settle(spent);
  }
}

async function run(
  runner: BacktestRunner,
  request: BacktestRequest,
  options: RunOptions,
): Promise<BacktestAnswer | Refusal> {
  try {
    return await runner.run(request, options);
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
}
