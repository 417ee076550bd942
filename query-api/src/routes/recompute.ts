import { dayBefore } from '@quantloom/domain/batch/looks';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import { rowsAsGroup } from '@quantloom/domain/batch/rows-as-group';
import { combinationValues } from '@quantloom/domain/batch/variable-values';
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { recomputeRows } from '@quantloom/domain/contracts/http/analysis';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { correlation } from '@quantloom/domain/statistics/describe';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { bindVariables } from '@quantloom/domain/strategy/variables';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { orNull, rowsOf } from '../analysis/analysed-batch.ts';
import { definitionOf, variablesOf, visibleBatch } from '../batch-access.ts';
import { awaitOwnWrites } from '../consistency.ts';
import { recordDefect } from '../engine-defects.ts';
import { readingOf } from '../in-sample-results.ts';
import { type ResultReadDeps, resultsReady } from './results.ts';

const DAY_MS = 86_400_000;

export interface RecomputeDeps extends ResultReadDeps {
  readonly backtestRunner: BacktestRunner;
  readonly newId: IdSource;
}

/** Stored column → metric of a single backtest. */
const METRICS = {
  cumulative_return: 'cumulative_return',
  annualized_return: 'annualized_return',
  standard_deviation: 'standard_deviation',
  max_drawdown: 'max_drawdown',
  calmer_ratio: 'calmer',
  sharpe_ratio: 'sharpe',
  trailing_1_month: 'trailing_1_month',
  trailing_3_month: 'trailing_3_month',
} as const;

/** Runs picked rows again on the batch's own data version, with history. */
export function mountRecompute(app: FastifyInstance, deps: RecomputeDeps): void {
  mountRoute(app, recomputeRows, async (call) => {
    await awaitOwnWrites(call, deps.consistency, batchesProjection);
    const batch = await visibleBatch(deps.readModels, call.params.id, call.principal.userId);
    if (isRefusal(batch)) return batch;
    const refusal = resultsReady(batch);
    if (refusal) return refusal;
    const definition = await definitionOf(deps.readModels, batch.id);
    if (isRefusal(definition)) return definition;
    const { combinations } = call.body;
    const beyond = combinations.find((combination) => combination >= batch.combinations);
    if (beyond !== undefined)
      return refuse(400, 'unknown_combination', `This batch has no combination ${beyond}`);
    const variables = variablesOf(definition);
    const { algorithm } = definition.template_bot;
    const { include: _include, out_of_sample_date: split, ...whole } = definition.backtest_config;
    const reading = readingOf(deps.resultStore, batch, definition.backtest_config, variables);
    // A curve that went on would show what is locked away.
    const config = split && reading.isLocked ? { ...whole, end_date: dayBefore(split) } : whole;
    const days = (Date.parse(config.end_date) - Date.parse(config.start_date)) / DAY_MS;
    const expectedMs = costOfRun(sizeOf(algorithm), days);
    const refused = await call.cost.expect(expectedMs * combinations.length);
    if (refused) return refused;
    let spent = 0;
    const options: RunOptions = {
      dataVersion: batch.data_version,
      owner: call.principal.userId,
      expectedMs,
      deadlineMs: call.cost.limits.deadlineSeconds * 1000,
      onSpent: (milliseconds) => {
        spent += milliseconds;
      },
    };
    // Over the whole period the metrics are those of no part.
    const compared = reading.isLocked || !split ? reading.results : deps.resultStore;
    const stored = await rowsOf(compared, batch.id, combinations, Object.keys(METRICS));
    const rows: RecomputedRow[] = [];
    const answers: (BacktestAnswer | null)[] = [];
    for (const combination of combinations) {
      const values = { ...combinationValues(variables, combination) };
      const request = {
        ...config,
        include: { history: true },
        trading_bot: bindVariables(algorithm, new Map(Object.entries(values))),
      };
      const wanted = { request, dataVersion: batch.data_version };
      let answer: BacktestAnswer | Refusal;
      try {
        answer = await run(deps.backtestRunner, request, options);
      } catch (error) {
        if (isRefusal((error as { refusal?: unknown }).refusal)) throw error;
        return await recordDefect(error, wanted, call, deps);
      }
      answers.push(isRefusal(answer) ? null : answer);
      rows.push({
        combination,
        values,
        timestamps: isRefusal(answer) ? [] : [...(answer.history?.timestamps ?? [])],
        value: isRefusal(answer) ? [] : [...(answer.history?.value ?? [])],
        error: isRefusal(answer) ? answer.detail : null,
        equals_stored: isRefusal(answer) ? null : equalsStored(answer, stored.get(combination)),
      });
    }
    await call.cost.settle(spent);
    const longest = answers.reduce<BacktestAnswer | null>(
      (best, answer) =>
        (answer?.history?.timestamps.length ?? 0) > (best?.history?.timestamps.length ?? 0) ? answer : best,
      null,
    );
    return {
      rows,
      benchmark: {
        timestamps: [...(longest?.history?.timestamps ?? [])],
        value: [...(longest?.history?.benchmark_value ?? [])],
      },
      correlation: correlations(rows),
      group: {
        ...rowsAsGroup(
          algorithm,
          rows.map(({ values }) => values),
          `${rows.length} rows of ${batch.name}`,
          () => `node_${deps.newId().toLowerCase()}`,
        ),
      },
    };
  });
}

interface RecomputedRow {
  combination: number;
  values: Record<string, string | number>;
  timestamps: number[];
  value: number[];
  error: string | null;
  equals_stored: boolean | null;
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

function equalsStored(
  { metrics }: BacktestAnswer,
  stored: Readonly<Record<string, string | number | null>> | undefined,
): boolean | null {
  if (!stored) return null;
  return Object.entries(METRICS).every(([column, metric]) => {
    const now = metrics[metric];
    const then = stored[column] ?? null;
    if (now === null || then === null) return now === then;
    return Math.abs(now - Number(then)) <= 1e-9 * Math.abs(Number(then)) + 1e-12;
  });
}

/** Correlation of daily returns on the days that both rows have. */
function correlations(rows: readonly RecomputedRow[]): (number | null)[][] {
  const returns = rows.map(({ timestamps, value }) => {
    const byDay = new Map<number, number>();
    for (let i = 1; i < timestamps.length; i += 1)
      byDay.set(timestamps[i] as number, (value[i] as number) / (value[i - 1] as number) - 1);
    return byDay;
  });
  return returns.map((left, i) =>
    returns.map((right, j) => {
      if (i === j) return left.size > 0 ? 1 : null;
      const days = [...left.keys()].filter((day) => right.has(day));
      return orNull(
        correlation(
          days.map((day) => left.get(day) ?? Number.NaN),
          days.map((day) => right.get(day) ?? Number.NaN),
        ),
      );
    }),
  );
}
