import type { ResultVariable } from '../ports/result-store.ts';
import { fingerprintOf } from './reuse.ts';

/**
 * Hex SHA-256 of what a batch came to: its rows bit by bit, the values that number them, and the versions of
 * engine and prices. The same request on the same data and engine has the same one, whatever the threads,
 * cuts, load, restarts and stores.
 *
 * @param rows hash of the rows as `ResultStore.hashRows` gives it
 */
export function resultHash(batch: {
  readonly engineVersion: string;
  readonly dataVersion: string;
  readonly variables: readonly ResultVariable[];
  readonly rows: string;
}): string {
  const { engineVersion, dataVersion, rows } = batch;
  const variables = batch.variables.map(({ name, values }) => [name, values]);
  return fingerprintOf(['result', engineVersion, dataVersion, variables, rows]);
}
