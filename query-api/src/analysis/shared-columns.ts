import type { ResultStore } from '@quantloom/domain/ports/result-store';

type Column = Float64Array<SharedArrayBuffer>;

/**
 * Whole columns of finished batches in shared memory, which threads read without a copy; nobody writes to
 * them. The last ones used are kept: an analysis asks for the same few again and again, and reading one of
 * millions of rows anew costs time and leaves garbage.
 */
export class SharedColumns {
  readonly #store: ResultStore;
  readonly #maxBytes: number;
  /** In order of use, the oldest first. */
  readonly #columns = new Map<string, Promise<Column>>();
  readonly #sizes = new Map<string, number>();
  /** Pieces of work that have a column just now. */
  readonly #users = new Map<string, number>();
  /**
   * Memory of a column that made room and that nobody has. Given back to the system it would stay for as long
   * as no thread collects its garbage.
   */
  #spare: SharedArrayBuffer | null = null;

  constructor(store: ResultStore, maxBytes = 48 * 1024 * 1024) {
    this.#store = store;
    this.#maxBytes = maxBytes;
  }

  /**
   * Works with a float column in combination order. Nobody keeps it: when `work` is done, its memory may
   * become another one's. Requests for the same one at the same time share one read.
   */
  async use<T>(batchId: string, name: string, work: (column: Column) => Promise<T>): Promise<T> {
    const key = `${batchId}/${name}`;
    this.#users.set(key, (this.#users.get(key) ?? 0) + 1);
    try {
      return await work(await this.#column(key, batchId, name));
    } finally {
      const users = (this.#users.get(key) ?? 1) - 1;
      if (users > 0) this.#users.set(key, users);
      else this.#users.delete(key);
    }
  }

  #column(key: string, batchId: string, name: string): Promise<Column> {
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
    const bytes = rows * Float64Array.BYTES_PER_ELEMENT;
    this.#sizes.set(key, bytes);
    await this.#makeRoom(key);
    const column = new Float64Array(this.#memory(bytes));
    await this.#store.readColumns(batchId, [{ name, into: column }]);
    return column;
  }

  /** Lets go of the oldest ones beside `kept`; who works with them still has them. */
  async #makeRoom(kept: string): Promise<void> {
    let bytes = this.#sizes.values().reduce((sum, size) => sum + size, 0);
    for (const key of [...this.#columns.keys()]) {
      if (bytes <= this.#maxBytes) return;
      if (key === kept) continue;
      bytes -= this.#sizes.get(key) ?? 0;
      const isFree = !this.#users.has(key);
      const column = this.#columns.get(key);
      this.#drop(key);
      // One that nobody uses has been read, or could not be.
      if (isFree) this.#spare = (await column?.catch(() => null))?.buffer ?? this.#spare;
    }
  }

  #memory(bytes: number): SharedArrayBuffer {
    const spare = this.#spare;
    if (spare?.byteLength !== bytes) return new SharedArrayBuffer(bytes);
    this.#spare = null;
    new Float64Array(spare).fill(0);
    return spare;
  }

  #drop(key: string): void {
    this.#columns.delete(key);
    this.#sizes.delete(key);
  }
}
