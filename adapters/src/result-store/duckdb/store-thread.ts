import { parentPort, workerData } from 'node:worker_threads';
import { ResultsMissingError } from '@quantloom/domain/ports/result-store';
import type { AggregateColumns } from './aggregate-columns.ts';
import { type DuckDbStore, openDuckDbStore } from './duckdb-store.ts';
import { type DuckDbOptions, OPENING, type Reply, type Request } from './thread-protocol.ts';

/** The thread that owns the database file: whatever DuckDB's client does synchronously, it does here. */

const port = parentPort;
if (port === null) throw new Error('store-thread.ts is a worker thread, not a program');

const streams = new Map<number, AsyncIterator<Uint8Array>>();
const opening = openDuckDbStore(workerData as DuckDbOptions);

const reply = (message: Reply) => {
  const value = 'value' in message ? message.value : null;
  // Whole columns and pieces of files move, they are not copied.
  const parts = isColumns(value) ? value.columns : [value];
  port.postMessage(
    message,
    parts.flatMap((part) =>
      ArrayBuffer.isView(part) && part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
    ),
  );
};
const isColumns = (value: unknown): value is AggregateColumns =>
  typeof value === 'object' && value !== null && 'columns' in value && 'keys' in value;
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

opening.then(
  () => reply({ id: OPENING, value: null }),
  (error: unknown) => reply({ id: OPENING, error: asError(error) }),
);

port.on('message', async (request: Request) => {
  try {
    reply({ id: request.id, value: await carryOut(await opening, request) });
  } catch (error) {
    const missing = error instanceof ResultsMissingError ? { missing: error.batchId } : {};
    reply({ id: request.id, error: asError(error), ...missing });
  }
});

async function carryOut(store: DuckDbStore, request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'call': {
      const method = store[request.method] as (...args: unknown[]) => Promise<unknown>;
      return method.apply(store, request.args as unknown[]);
    }
    case 'open-stream':
      streams.set(request.stream, store.stream(...request.args)[Symbol.asyncIterator]());
      return null;
    case 'read-stream': {
      const { done, value } = (await streams.get(request.stream)?.next()) ?? { done: true, value: null };
      if (done) streams.delete(request.stream);
      // Of a buffer that others may share, only this part goes.
      return done ? null : new Uint8Array(value);
    }
    case 'end-stream': {
      const iterator = streams.get(request.stream);
      streams.delete(request.stream);
      await iterator?.return?.();
      return null;
    }
  }
}
