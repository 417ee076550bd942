import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { type ResultStore, ResultsMissingError } from '@quantloom/domain/ports/result-store';

/** The batch is finished, but the store does not have its rows: a restore without them, or a lost disk. */
export const RESULTS_MISSING = refuse(
  409,
  'results_missing',
  'The rows of this batch backtest are not stored any more. Run it again to compute them.',
);

/** The store, with an answer in words where the rows of a batch are gone. */
export function withMissingResultsTold(store: ResultStore): ResultStore {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const answer: unknown = value.apply(target, args);
        return answer instanceof Promise ? answer.catch(tell) : answer;
      };
    },
  });
}

function tell(error: unknown): never {
  if (error instanceof ResultsMissingError) throw new RefusalError(RESULTS_MISSING);
  throw error;
}

/** Whether the rows of a batch are gone, said by a store or in words. */
export function isMissingResults(error: unknown): boolean {
  return (
    error instanceof ResultsMissingError ||
    (error instanceof RefusalError && error.refusal.code === RESULTS_MISSING.code)
  );
}
