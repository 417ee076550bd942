import { Worker } from 'node:worker_threads';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import {
  type ColumnReading,
  type ResultQuery,
  type ResultStore,
  ResultsMissingError,
} from '@quantloom/domain/ports/result-store';
import { checkRoom } from '../check-room.ts';
import { type AggregateColumns, recordsOf } from './aggregate-columns.ts';
import {
  type DuckDbOptions,
  OPENING,
  type Reply,
  type Request,
  type StoreMethod,
} from './thread-protocol.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

type Asked = Request extends infer Each ? (Each extends Request ? Omit<Each, 'id'> : never) : never;

/**
 * Results in a folder (see `duckdb-store.ts`), which a thread of its own holds open: laying out rows as a
 * file and turning rows into values keep a thread busy, and would keep the calling one from its requests and
 * heartbeats. Blocks whose columns lie in shared memory are not copied.
 *
 * Rejects where the folder cannot be opened. When the thread dies, what waits for it rejects, and so does
 * every later call.
 */
export async function openDuckDbResultStore(options: DuckDbOptions): Promise<ResultStore> {
  const store = new ThreadedStore(options);
  await store.opened;
  return store;
}

/**
 * The thread's young objects are small handles of large native memory (chunks of rows, shared blocks) that
 * the garbage collector does not count. Collecting often gives it back soon; at V8's default the memory of a
 * whole batch would wait.
 */
const YOUNG_GENERATION_MB = 2;

class ThreadedStore implements ResultStore {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = OPENING + 1;
  #streams = 0;
  #failure: Error | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: DuckDbOptions) {
    this.#worker = new Worker(new URL('./store-thread.ts', import.meta.url), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.opened = new Promise<void>((resolve, reject) => this.#waiting.set(OPENING, { resolve, reject }));
    this.opened.catch(() => void this.#worker.terminate());
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) =>
      this.#fail(new Error(`The result store's thread ended with code ${code}`)),
    );
  }

  createBatch(...args: Parameters<ResultStore['createBatch']>) {
    return this.#call<void>('createBatch', args);
  }
  append(block: ResultBlock) {
    return this.#call<void>('append', [block]);
  }
  storedRanges(batchId: string) {
    return this.#call<Awaited<ReturnType<ResultStore['storedRanges']>>>('storedRanges', [batchId]);
  }
  countRows(batchId: string) {
    return this.#call<number>('countRows', [batchId]);
  }
  query(...args: Parameters<ResultStore['query']>) {
    return this.#call<Awaited<ReturnType<ResultStore['query']>>>('query', args);
  }
  matching(...args: Parameters<ResultStore['matching']>) {
    return this.#call<Int32Array>('matching', args);
  }
  aggregate(...args: Parameters<ResultStore['aggregate']>) {
    return this.#call<AggregateColumns>('aggregate', args).then(recordsOf);
  }
  failures(...args: Parameters<ResultStore['failures']>) {
    return this.#call<Awaited<ReturnType<ResultStore['failures']>>>('failures', args);
  }
  copyRows(...args: Parameters<ResultStore['copyRows']>) {
    return this.#call<void>('copyRows', args);
  }
  column(batchId: string, name: string) {
    return this.#call<Float64Array>('column', [batchId, name]);
  }
  async readColumns(batchId: string, columns: readonly ColumnReading[]) {
    // Other memory would be copied, and the copy filled.
    for (const { into } of columns) checkRoom(into, into.length);
    await this.#call<void>('readColumns', [batchId, columns]);
  }
  medians(batchId: string, columns: readonly string[]) {
    return this.#call<Readonly<Record<string, number | null>>>('medians', [batchId, columns]);
  }
  hashRows(batchId: string) {
    return this.#call<string>('hashRows', [batchId]);
  }
  deleteBatch(batchId: string) {
    return this.#call<void>('deleteBatch', [batchId]);
  }

  check() {
    return this.#call<void>('check', []);
  }

  async *stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array> {
    const stream = this.#streams;
    this.#streams += 1;
    await this.#ask<null>({ kind: 'open-stream', stream, args: [batchId, query, format] });
    try {
      // One piece is asked for while the one before is sent.
      let next = this.#ask<Uint8Array | null>({ kind: 'read-stream', stream });
      for (let bytes = await next; bytes !== null; bytes = await next) {
        next = this.#ask({ kind: 'read-stream', stream });
        // Whoever awaits it gets the error; until then it must not count as unhandled.
        next.catch(() => undefined);
        yield bytes;
      }
    } finally {
      if (this.#failure === null) await this.#ask<null>({ kind: 'end-stream', stream });
    }
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#call<void>('close', []);
      this.#failure = new Error('The result store is closed');
      await this.#worker.terminate();
    })();
    return this.#closing;
  }

  #call<T>(method: StoreMethod, args: unknown): Promise<T> {
    if (this.#closing && method !== 'close') return Promise.reject(new Error('The result store is closed'));
    return this.#ask<T>({ kind: 'call', method, args });
  }

  #ask<T>(asked: Asked): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#next;
    this.#next += 1;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      try {
        this.#worker.postMessage({ ...asked, id });
      } catch (error) {
        this.#settle({ id, error: error instanceof Error ? error : new Error(String(error)) });
      }
    });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    // A process that waits for nothing here may end.
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('error' in reply) waiting?.reject(errorOf(reply));
    else waiting?.resolve(reply.value as never);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

/** An error loses its class on its way from thread to thread. */
function errorOf({ error, missing }: Extract<Reply, { error: Error }>): Error {
  return missing === undefined ? error : new ResultsMissingError(missing);
}
