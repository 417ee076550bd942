import type { BatchDocument } from '@quantloom/domain/batch/projections';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';

const NOT_FINISHED = refuse(
  409,
  'results_not_ready',
  'The results are not ready yet: the batch backtest is still running',
);

const STOPPED = refuse(
  409,
  'batch_stopped',
  'This batch backtest was stopped and has only a part of its rows: they can be read as they are ' +
    '(partial=true), but which of them ran was chosen while they could be seen, so they are not ' +
    'judged',
);

/** Refuses until a batch is finished: only then may its rows be ranked and judged. Null: they may. */
export function resultsReady(batch: BatchDocument): Refusal | null {
  return batch.status === 'CompilingResults' ? NOT_FINISHED : rowsReady(batch);
}

/** Refuses as long as rows are missing. They are all there while a batch is being summed up. Null: none is missing. */
export function rowsReady(batch: BatchDocument): Refusal | null {
  if (batch.status === 'Finished' || batch.status === 'CompilingResults') return null;
  if (batch.status === 'Error')
    return refuse(409, 'batch_failed', 'The batch backtest ended with an error; its results are incomplete');
  return batch.status === 'Stopped' ? STOPPED : NOT_FINISHED;
}
