import type { BatchDefinitionDocument, BatchDocument } from '@quantloom/domain/batch/projections';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import {
  type BatchVariable,
  combinationValues,
  type VariableValue,
} from '@quantloom/domain/batch/variable-values';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { definitionOf, variablesOf, visibleBatch } from '../batch-access.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { type BatchReading, type BatchResults, readingOf } from '../in-sample-results.ts';
import { resultsReady } from '../results-ready.ts';

/**
 * A finished batch with what every analysis needs of it; it is ranked, filtered and painted in sample where
 * it has an out-of-sample date.
 */
export interface AnalysedBatch extends BatchReading {
  readonly batch: BatchDocument;
  readonly definition: BatchDefinitionDocument;
  readonly variables: readonly BatchVariable[];
  /** Values of a combination by variable name. */
  values(combination: number): Record<string, VariableValue>;
}

/** The batch of a request, where the caller may see it and its results are complete. */
export async function analysedBatch(
  call: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly principal: Principal;
  },
  deps: ReadDeps & { readonly resultStore: ResultStore },
  id: string,
): Promise<AnalysedBatch | Refusal> {
  await awaitOwnWrites(call, deps.consistency, batchesProjection);
  const batch = await visibleBatch(deps.readModels, id, call.principal.userId);
  if (isRefusal(batch)) return batch;
  const refusal = resultsReady(batch);
  if (refusal) return refusal;
  const definition = await definitionOf(deps.readModels, id);
  if (isRefusal(definition)) return definition;
  const variables = variablesOf(definition);
  return {
    batch,
    definition,
    variables,
    ...readingOf(deps.resultStore, batch, definition.backtestConfig, variables),
    values: (combination) => ({ ...combinationValues(variables, combination) }),
  };
}

/** Rows of some combinations, in the order asked for; a row is its metrics by name. */
export async function rowsOf(
  store: Pick<BatchResults, 'query'>,
  batchId: string,
  combinations: readonly number[],
  columns: readonly string[],
): Promise<Map<number, Record<string, string | number | null>>> {
  const rows = new Map<number, Record<string, string | number | null>>();
  const chunk = 1_000;
  for (let from = 0; from < combinations.length; from += chunk) {
    const page = await store.query(batchId, {
      columns: ['combination', ...columns],
      filters: [{ column: 'combination', op: 'in', value: combinations.slice(from, from + chunk) }],
      limit: chunk,
    });
    for (const [combination, ...cells] of page.rows)
      rows.set(Number(combination), Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? null])));
  }
  return rows;
}

/** NaN and the infinities have no place in JSON. */
export function orNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
