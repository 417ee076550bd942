import type { ResultStore } from '@quantloom/domain/ports/result-store';

type Column = Float64Array<SharedArrayBuffer>;

/**
 * Whole columns of finished batches in shared memory, which threads read without a copy; nobody writes to them. The last ones used are kept:
 * an analysis asks for the same few again and again, and reading one of millions of rows anew costs time and leaves garbage.
 */
export class SharedColumns {
  readonly #store: ResultStore;
  readonly #maxBytes: number;
  /** In order of use, the oldest first. */
  readonly #columns = new Map<string, Promise<Column>>();
  readonly #sizes = new Map<string, number>();

  constructor(store: ResultStore, maxBytes = 48 * 1024 * 1024) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  /** A float column in combination order. Requests for the same one at the same time share one read. */
  of(batchId: string, name: string): Promise<Column> {
    const key = `${batchId}/${name}`;
    const known = this.#columns.get(key);
    const column = known ?? this.#read(key, batchId, name);
    this.#columns.delete(key);
    this.#columns.set(key, column);
    if (!known)
      column.catch(() => {
        if (this.#columns.get(key) === column) this.#drop(key);
      });
    return column;
  }

  async #read(key: string, batchId: string, name: string): Promise<Column> {
    const rows = await this.#store.countRows(batchId);
    const column = new Float64Array(new SharedArrayBuffer(rows * Float64Array.BYTES_PER_ELEMENT));
    this.#sizes.set(key, column.byteLength);
    this.#makeRoom(key);
    await this.#store.readColumns(batchId, [{ name, into: column }]);
    return column;
  }

  /** Lets go of the oldest ones beside `kept`; who works with them still has them. */
  #makeRoom(kept: string): void {
    let bytes = this.#sizes.values().reduce((sum, size) => sum + size, 0);
    for (const key of [...this.#columns.keys()]) {
      if (bytes <= this.#maxBytes) return;
      if (key === kept) continue;
      bytes -= this.#sizes.get(key) ?? 0;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#columns.delete(key);
    this.#sizes.delete(key);
  }
}
