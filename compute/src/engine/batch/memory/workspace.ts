import { COLUMN_MARGIN, createMemory, instantiateKernels, type Kernels } from '../../kernels/kernels.ts';

const PAGE = 65_536;
/** Memory is taken in steps of this many pages (4 MB), so that growing is rare. */
const GROWTH_PAGES = 64;

interface Gap {
  at: number;
  bytes: number;
}

/**
 * A thread's part of a WebAssembly memory, its kernels, and first-fit allocation in it. Several threads may
 * share one memory: a growth of it belongs to the thread that asked for it, so no thread ever writes into
 * another one's part.
 */
export class Workspace {
  readonly kernels: Kernels;
  readonly memory: WebAssembly.Memory;
  private gaps: Gap[] = [];
  private readonly sizes = new Map<number, number>();
  private views: { f64: Float64Array; i32: Int32Array; u8: Uint8Array; u16: Uint16Array };
  /** Bytes handed out at the moment. */
  used = 0;

  constructor(memory: WebAssembly.Memory = createMemory()) {
    this.memory = memory;
    this.kernels = instantiateKernels(memory);
    this.views = viewsOf(memory);
  }

  get f64(): Float64Array {
    return this.views.f64;
  }
  get i32(): Int32Array {
    return this.views.i32;
  }
  get u8(): Uint8Array {
    return this.views.u8;
  }
  get u16(): Uint16Array {
    return this.views.u16;
  }

  /**
   * Address of `bytes` bytes on a 64-byte border; their content is whatever was there before. Throws
   * RangeError where the memory is full.
   */
  allocate(bytes: number): number {
    const size = (Math.max(bytes, 1) + 63) & ~63;
    let index = this.firstOf(size);
    if (index < 0) index = this.grow(size);
    const gap = this.gaps[index] as Gap;
    const { at } = gap;
    gap.at += size;
    gap.bytes -= size;
    if (gap.bytes === 0) this.gaps.splice(index, 1);
    this.sizes.set(at, size);
    this.used += size;
    return at;
  }

  /** Gives back what `allocate` returned. */
  free(at: number): void {
    const bytes = this.sizes.get(at);
    if (bytes === undefined) throw new Error(`Address ${at} was not allocated`);
    this.sizes.delete(at);
    this.used -= bytes;
    this.addGap(at, bytes);
  }

  /**
   * A column of `bytes` bytes with the margins that kernels need, as the address of its first element; free
   * with `freeColumn`.
   */
  allocateColumn(bytes: number): number {
    return this.allocate(bytes + 2 * COLUMN_MARGIN) + COLUMN_MARGIN;
  }

  freeColumn(at: number): void {
    this.free(at - COLUMN_MARGIN);
  }

  private grow(bytes: number): number {
    const pages = Math.max(GROWTH_PAGES, Math.ceil(bytes / PAGE));
    const at = this.memory.grow(pages) * PAGE;
    this.views = viewsOf(this.memory);
    this.addGap(at, pages * PAGE);
    return this.firstOf(bytes);
  }

  /** The first gap of at least so many bytes, or -1. A plain loop: new threads run it before it is compiled. */
  private firstOf(bytes: number): number {
    const { gaps } = this;
    for (let index = 0; index < gaps.length; index++) if ((gaps[index] as Gap).bytes >= bytes) return index;
    return -1;
  }

  private addGap(at: number, bytes: number): void {
    const { gaps } = this;
    let low = 0;
    let high = gaps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((gaps[middle] as Gap).at < at) low = middle + 1;
      else high = middle;
    }
    const before = gaps[low - 1];
    const next = gaps[low];
    const joinsNext = next !== undefined && at + bytes === next.at;
    // Most of what is freed lies beside a gap, which then only grows: moving the list costs more than all else.
    if (before !== undefined && before.at + before.bytes === at) {
      before.bytes += bytes;
      if (!joinsNext) return;
      before.bytes += next.bytes;
      gaps.splice(low, 1);
    } else if (joinsNext) {
      next.at = at;
      next.bytes += bytes;
    } else gaps.splice(low, 0, { at, bytes });
  }
}

function viewsOf({ buffer }: WebAssembly.Memory) {
  return {
    f64: new Float64Array(buffer),
    i32: new Int32Array(buffer),
    u8: new Uint8Array(buffer),
    u16: new Uint16Array(buffer),
  };
}
