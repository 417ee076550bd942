import type { BatchDefinitionDocument, BatchDocument } from '@quantloom/domain/batch/projections';
import { pinsOf } from '@quantloom/domain/batch/view';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { definitionOf, variablesOf } from '../batch-access.ts';
import type { ResultReadDeps } from '../deps.ts';
import { readingOf } from '../in-sample-results.ts';
import { isMissingResults, RESULTS_MISSING } from '../missing-results.ts';
import { amongRows, rowsSoFar } from '../rows-so-far.ts';
import { fileNameOf } from './file-names.ts';
import type { ArchiveFile } from './zip-files.ts';

type BatchDeps = Pick<ResultReadDeps, 'readModels' | 'resultStore'>;

/** The files of one batch: what was asked for, and the rows that there are, streamed as a download of them would be. */
export async function* batchFiles(deps: BatchDeps, batch: BatchDocument): AsyncGenerator<ArchiveFile> {
  const definition = await definitionOf(deps.readModels, batch.id);
  // Deleted since the list was read.
  if (isRefusal(definition)) return;
  const folder = `batches/${fileNameOf(batch.name, batch.id)}`;
  yield {
    path: `${folder}/definition.json`,
    content: JSON.stringify(recordOf(batch, definition)),
    changedAt: batch.finishedAt ?? batch.createdAt,
  };
  const rows = await rowsOf(deps, batch);
  if (rows === 'none') return;
  if (rows === 'missing') {
    yield { path: `${folder}/results-missing.txt`, content: `${RESULTS_MISSING.detail}\n` };
    return;
  }
  const { results } = readingOf(deps.resultStore, batch, definition.backtestConfig, variablesOf(definition));
  yield {
    path: `${folder}/${rows === 'all' ? 'results' : 'results_partial'}.csv`,
    content: results.stream(batch.id, rows === 'all' ? {} : amongRows(rows, {}), 'csv'),
    ...(batch.finishedAt && { changedAt: batch.finishedAt }),
  };
}

/** A batch and what it was made of in the record form, without whose it is. */
function recordOf(batch: BatchDocument, definition: BatchDefinitionDocument) {
  return {
    id: batch.id,
    name: batch.name,
    is_public: batch.isPublic,
    created_at: batch.createdAt,
    status: batch.status,
    requested_combinations: batch.requestedCombinations,
    combinations: batch.combinations,
    new_combinations: batch.newCombinations,
    partitions: batch.partitions,
    partition_size: batch.partitionSize,
    started_at: batch.startedAt,
    finished_at: batch.finishedAt,
    time_estimate_seconds: batch.timeEstimateSeconds,
    is_quick: batch.isQuick,
    summary: batch.summary,
    error_id: batch.errorId,
    error_message: batch.errorMessage,
    note: batch.note,
    pins: pinsOf(batch),
    data_version: batch.dataVersion,
    engine_version: batch.engineVersion,
    is_simulated: batch.isSimulated,
    strategy_id: batch.strategyId,
    strategy_revision: batch.strategyRevision,
    lineage_id: batch.lineageId,
    fingerprint: batch.fingerprint,
    out_of_sample_date: batch.outOfSampleDate,
    out_of_sample_opened: batch.outOfSampleOpened,
    template_bot: definition.templateBot,
    variable_names: definition.variableNames,
    variables: definition.variables,
    backtest_config: definition.backtestConfig,
  };
}

/** Looked at before its file is begun: afterwards the whole archive could only break off. */
async function rowsOf({ resultStore }: BatchDeps, batch: BatchDocument) {
  try {
    const soFar = await rowsSoFar(resultStore, batch);
    if (soFar) return soFar;
    if (batch.status !== 'Finished' && batch.status !== 'CompilingResults') return 'none';
    const ranges = await resultStore.storedRanges(batch.id);
    const stored = ranges.reduce((rows, { from, to }) => rows + to - from, 0);
    return stored < batch.combinations ? 'missing' : 'all';
  } catch (error) {
    if (isMissingResults(error)) return 'missing';
    throw error;
  }
}
