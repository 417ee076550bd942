import { batchesProjection } from '@quantloom/domain/batch/projections';
import { rowsAsGroup } from '@quantloom/domain/batch/rows-as-group';
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { recomputeRows } from '@quantloom/domain/contracts/http/analysis';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { correlation } from '@quantloom/domain/statistics/describe';
import { type DailyReturns, returnsOn, sharedDays } from '@quantloom/domain/statistics/shared-days';
import { breath } from '@quantloom/http/breath';
import { mountRoute } from '@quantloom/http/routes';
import { writeInPieces } from '@quantloom/http/written-in-pieces';
import type { FastifyInstance } from 'fastify';
import { orNull, rowsOf } from '../analysis/analysed-batch.ts';
import { runPicked } from '../analysis/picked-runs.ts';
import { METRIC_OF_COLUMN } from '../analysis/run-metrics.ts';
import { returnsOf } from '../analysis/skill-runs.ts';
import { definitionOf, variablesOf, visibleBatch } from '../batch-access.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { RecomputeDeps } from '../deps.ts';
import { readingOf } from '../in-sample-results.ts';
import { resultsReady } from '../results-ready.ts';

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
    const variables = variablesOf(definition);
    const { algorithm } = definition.templateBot;
    const { out_of_sample_date: split } = definition.backtestConfig;
    const reading = readingOf(deps.resultStore, batch, definition.backtestConfig, variables);
    const picked = { batch, definition, variables, isLocked: reading.isLocked };
    const runs = await runPicked(call, deps, picked, combinations, { history: true });
    if (!Array.isArray(runs)) return runs;
    // Over the whole period the metrics are those of no part.
    const compared = reading.isLocked || !split ? reading.results : deps.resultStore;
    const stored = await rowsOf(compared, batch.id, combinations, Object.keys(METRIC_OF_COLUMN));
    const answers = runs.map(({ answer }) => (isRefusal(answer) ? null : answer));
    const rows: RecomputedRow[] = runs.map(({ combination, values, answer }) => ({
      combination,
      values,
      timestamps: isRefusal(answer) ? [] : [...(answer.history?.timestamps ?? [])],
      value: isRefusal(answer) ? [] : [...(answer.history?.value ?? [])],
      error: isRefusal(answer) ? answer.detail : null,
      equals_stored: isRefusal(answer) ? null : equalsStored(answer, stored.get(combination)),
    }));
    const longest = answers.reduce<BacktestAnswer | null>(
      (best, answer) =>
        (answer?.history?.timestamps.length ?? 0) > (best?.history?.timestamps.length ?? 0) ? answer : best,
      null,
    );
    const answered: AnswerOf<typeof recomputeRows> = {
      rows,
      benchmark: {
        timestamps: [...(longest?.history?.timestamps ?? [])],
        value: [...(longest?.history?.benchmark_value ?? [])],
      },
      correlation: await correlations(rows),
      group: {
        ...rowsAsGroup(
          algorithm,
          rows.map(({ values }) => values),
          `${rows.length} rows of ${batch.name}`,
          () => `node_${deps.newId().toLowerCase()}`,
        ),
      },
    };
    return await writeInPieces(answered, 'rows');
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

function equalsStored(
  { metrics }: BacktestAnswer,
  stored: Readonly<Record<string, string | number | null>> | undefined,
): boolean | null {
  if (!stored) return null;
  return Object.entries(METRIC_OF_COLUMN).every(([column, metric]) => {
    const now = metrics[metric];
    const then = stored[column] ?? null;
    if (now === null || then === null) return now === then;
    return Math.abs(now - Number(then)) <= 1e-9 * Math.abs(Number(then)) + 1e-12;
  });
}

/** Correlation of daily returns on the days that both rows have. */
async function correlations(rows: readonly RecomputedRow[]): Promise<(number | null)[][]> {
  const series = rows.map(({ timestamps, value }) => returnsOf(timestamps, value));
  const ofPairs: (number | null)[][] = [];
  for (const [i, one] of series.entries()) {
    ofPairs.push(series.slice(0, i).map((earlier) => correlationOf(one, earlier)));
    await breath();
  }
  return series.map(({ days }, i) =>
    series.map((_, j) => {
      if (i === j) return days.length > 0 ? 1 : null;
      return ofPairs[Math.max(i, j)]?.[Math.min(i, j)] ?? null;
    }),
  );
}

function correlationOf(left: DailyReturns, right: DailyReturns): number | null {
  const days = sharedDays(left.days, right.days);
  return orNull(correlation(returnsOn(days, left) ?? [], returnsOn(days, right) ?? []));
}
