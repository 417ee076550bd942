import type { BatchDocument } from '@quantloom/domain/batch/projections';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { definitionOf, variablesOf } from '../batch-access.ts';
import { readingOf } from '../in-sample-results.ts';
import { isMissingResults, RESULTS_MISSING } from '../missing-results.ts';
import type { ResultReadDeps } from '../routes/results.ts';
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
  const { _revision, _position, open_partitions, user_id, ...facts } = batch;
  const { template_bot, variable_names, variables, backtest_config } = definition;
  yield {
    path: `${folder}/definition.json`,
    content: JSON.stringify({ ...facts, template_bot, variable_names, variables, backtest_config }),
    changedAt: batch.finished_at ?? batch.created_at,
  };
  const rows = await rowsOf(deps, batch);
  if (rows === 'none') return;
  if (rows === 'missing') {
    yield { path: `${folder}/results-missing.txt`, content: `${RESULTS_MISSING.detail}\n` };
    return;
  }
  const { results } = readingOf(deps.resultStore, batch, backtest_config, variablesOf(definition));
  yield {
    path: `${folder}/${rows === 'all' ? 'results' : 'results_partial'}.csv`,
    content: results.stream(batch.id, rows === 'all' ? {} : amongRows(rows, {}), 'csv'),
    ...(batch.finished_at && { changedAt: batch.finished_at }),
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
