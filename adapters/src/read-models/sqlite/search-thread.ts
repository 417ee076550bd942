import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { foldCase } from './query-sql.ts';
import type { SearchAnswer, SearchTask } from './searches.ts';

/** Carries out the searches that it is sent, one after the other, with a connection of its own that cannot write. */
const connection = new DatabaseSync((workerData as { readonly path: string }).path, {
  readOnly: true,
  timeout: 10_000,
});
connection.exec('PRAGMA temp_store = MEMORY');
connection.function('fold_case', { deterministic: true }, (text) => foldCase(String(text)));

function answerTo({ sql, parameters }: SearchTask): Pick<SearchAnswer, 'rows' | 'error'> {
  try {
    return { rows: connection.prepare(sql).all(...parameters) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (task: SearchTask | null) => {
  if (task === null) {
    connection.close();
    parentPort?.close();
    return;
  }
  const before = process.threadCpuUsage();
  const answer = answerTo(task);
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ ...answer, milliseconds: (user + system) / 1_000 } satisfies SearchAnswer);
});
