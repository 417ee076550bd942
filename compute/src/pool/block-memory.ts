/** Freed buffers that are kept at most: a few blocks for every thread of a usual machine, some 6 MB each. */
const MOST_KEPT = 8;

/**
 * The shared memory of finished blocks, used again for later ones. The garbage collector does not count
 * shared memory: blocks left to it pile up by hundreds of megabytes in a large batch before anything makes it look.
 */
export class BlockMemory {
  private readonly kept: SharedArrayBuffer[] = [];

  /** A buffer of exactly that many bytes, with anything in it. */
  take(bytes: number): SharedArrayBuffer {
    const index = this.kept.findIndex(({ byteLength }) => byteLength === bytes);
    const [found] = index < 0 ? [] : this.kept.splice(index, 1);
    return found ?? new SharedArrayBuffer(bytes);
  }

  /** Takes a buffer back that nobody reads or writes any more. */
  give(buffer: SharedArrayBuffer): void {
    if (this.kept.includes(buffer)) throw new Error('The memory of a block was given back twice');
    this.kept.push(buffer);
    if (this.kept.length > MOST_KEPT) this.kept.shift();
  }
}
