import type { ResultStore } from '@quantloom/domain/ports/result-store';

/** Methods of the store that answer once. */
export type StoreMethod = Exclude<keyof ResultStore, 'stream'>;

export interface DuckDbOptions {
  /** Made where it is missing. */
  readonly folder: string;
  /** The database file in which earlier versions kept all results: where there is one, it is moved into the folder. */
  readonly oldFile?: string;
  /** For example `512MB` (default `1GB`); larger sorts go to disk. */
  readonly memoryLimit?: string;
  /** Threads of queries (default: DuckDB's, one per core). */
  readonly threads?: number;
}

/** What the thread is asked. Every request is answered by one `Reply` of its id. */
export type Request =
  | { readonly id: number; readonly kind: 'call'; readonly method: StoreMethod; readonly args: unknown }
  | {
      readonly id: number;
      readonly kind: 'open-stream';
      readonly stream: number;
      readonly args: Parameters<ResultStore['stream']>;
    }
  /** Answers the next bytes of the file, or null at its end. */
  | { readonly id: number; readonly kind: 'read-stream'; readonly stream: number }
  | { readonly id: number; readonly kind: 'end-stream'; readonly stream: number };

export type Reply =
  | { readonly id: number; readonly value: unknown }
  /** `missing`: the batch that there are no results of. */
  | { readonly id: number; readonly error: Error; readonly missing?: string };

/** Id of the reply that says that the file is open, or why it is not. */
export const OPENING = 0;
