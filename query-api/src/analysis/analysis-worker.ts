import { parentPort } from 'node:worker_threads';
import { giveWay } from '@quantloom/http/give-way';
import { type AnalysisTask, runTask } from './tasks.ts';

giveWay();

/** Thread entry: one task after the other, in the order they came. */
parentPort?.on('message', ({ id, task }: { id: number; task: AnalysisTask }) => {
  try {
    parentPort?.postMessage({ id, result: runTask(task) });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    parentPort?.postMessage({ id, error: { message, stack } });
  }
});
