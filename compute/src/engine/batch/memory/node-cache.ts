import type { Key } from '../compile/variables.ts';

/**
 * Direct-mapped: each index of a key has one place it can be in, so that memory is bounded by construction
 * and a look-up is an array access. What had the place before is handed to its successor, which reuses its memory.
 */
export class NodeCache<T> {
  private readonly places: number;
  private readonly tags: Float64Array;
  private readonly entries: (T | undefined)[];

  /**
   * @param entryBytes memory of one entry
   * @param bytes what the cache may take in all; one entry is always kept
   */
  constructor(key: Key, entryBytes: number, bytes: number) {
    this.places = Math.max(1, Math.min(key.size, Math.floor(bytes / entryBytes)));
    this.tags = new Float64Array(this.places).fill(-1);
    this.entries = new Array<T | undefined>(this.places);
  }

  get(index: number): T | undefined {
    const place = index % this.places;
    return this.tags[place] === index ? this.entries[place] : undefined;
  }

  /** What is in the place that the index will take; it is no longer found. */
  reusable(index: number): T | undefined {
    const place = index % this.places;
    this.tags[place] = -1;
    return this.entries[place];
  }

  set(index: number, entry: T): void {
    const place = index % this.places;
    this.tags[place] = index;
    this.entries[place] = entry;
  }

  /** Everything that holds memory, found or not. */
  *values(): Generator<T> {
    for (const entry of this.entries) if (entry !== undefined) yield entry;
  }
}
