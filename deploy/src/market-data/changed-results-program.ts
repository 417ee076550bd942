import type { ResultsProgram } from '@quantloom/adapters/market-data/uploads/changed-results';
import type { Config } from '../config.ts';

/** What the process that looks for changed results needs of the configuration. */
export type ResultsSettings = Pick<
  Config,
  'EVENTSTORE_URL' | 'EVENTSTORE_CLIENT' | 'MONGODB_URL' | 'CLUSTER_NAME' | 'DATA_DIR'
>;

/** The program of `changed-results-process.ts`, told where this installation keeps its log. */
export function changedResultsProgram(config: ResultsSettings): ResultsProgram {
  const { EVENTSTORE_URL, EVENTSTORE_CLIENT, MONGODB_URL, CLUSTER_NAME, DATA_DIR } = config;
  const settings: ResultsSettings = {
    CLUSTER_NAME,
    DATA_DIR,
    EVENTSTORE_CLIENT,
    ...(EVENTSTORE_URL && { EVENTSTORE_URL }),
    ...(MONGODB_URL && { MONGODB_URL }),
  };
  return { file: new URL('./changed-results-process.ts', import.meta.url), settings };
}
