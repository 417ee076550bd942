import {
  type BatchDefinitionDocument,
  type BatchDocument,
  batchDefinitionsProjection,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { ReadModels } from '@quantloom/domain/ports/read-models';

export const BATCH_NOT_FOUND = refuse(
  404,
  'batch_not_found',
  'The batch backtest you are looking for cannot be found.',
);

/** A batch that the caller may see: his own, or a public one. Others do not exist for him. */
export async function visibleBatch(
  readModels: ReadModels,
  id: string,
  userId: string,
): Promise<BatchDocument | Refusal> {
  const batch = await readModels.get<BatchDocument>(batchesProjection.collection.name, id);
  return batch && maySeeBatch(batch, userId) ? batch : BATCH_NOT_FOUND;
}

/** Whether a batch is the user's own or public. */
export function maySeeBatch(batch: Pick<BatchDocument, 'userId' | 'isPublic'>, userId: string): boolean {
  return batch.userId === userId || batch.isPublic;
}

/** Template, variables and settings of a batch. */
export async function definitionOf(
  readModels: ReadModels,
  id: string,
): Promise<BatchDefinitionDocument | Refusal> {
  return (
    (await readModels.get<BatchDefinitionDocument>(batchDefinitionsProjection.collection.name, id)) ??
    BATCH_NOT_FOUND
  );
}

/** Variables in the order that numbers the combinations. */
export function variablesOf(definition: BatchDefinitionDocument): BatchVariable[] {
  return definition.variableNames.map((name) => ({ name, values: definition.variables[name] ?? [] }));
}
