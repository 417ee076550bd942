import { rm } from 'node:fs/promises';
import { ResultsMissingError, type ResultVariable } from '@quantloom/domain/ports/result-store';
import { combinationsOf, Dictionary } from '../dictionary.ts';
import { mergeRanges, type Range } from '../ranges.ts';
import type { BatchFolders } from './batch-folder.ts';
import { mergedContent, worthMerging } from './merge-segments.ts';
import type { SegmentContent } from './segment-bytes.ts';
import type { Segment } from './segment-file.ts';

/** Batches that are remembered though nobody uses them, and segments of theirs, at most. */
const REMEMBERED_BATCHES = 64;
const REMEMBERED_SEGMENTS = 1_024;

/** A batch as it stands in its folder. */
export class OpenBatch {
  readonly batchId: string;
  readonly variables: readonly ResultVariable[];
  readonly #folders: BatchFolders;
  #segments: readonly Segment[];
  #stored: readonly Range[] = [];
  #dictionaries: readonly Dictionary[] | null = null;
  /** Tail of the writes, which happen one after the other. */
  #writes: Promise<unknown> = Promise.resolve();
  #users = 0;
  /** Files whose rows are in another segment by now: removed when nobody reads them any more. */
  #replaced: string[] = [];

  constructor(
    folders: BatchFolders,
    content: { batchId: string; variables: readonly ResultVariable[]; segments: readonly Segment[] },
  ) {
    this.#folders = folders;
    this.batchId = content.batchId;
    this.variables = content.variables;
    this.#segments = content.segments;
    this.#count();
  }

  /** Ascending by their first combination; no two have a combination in common. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Merged ranges of combinations that are stored. */
  get stored(): readonly Range[] {
    return this.#stored;
  }

  /** Of the variables; the values of a large list are sorted once. */
  get dictionaries(): readonly Dictionary[] {
    this.#dictionaries ??= this.variables.map((variable) => new Dictionary(variable));
    return this.#dictionaries;
  }

  get rows(): number {
    return this.#stored.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Lets `work` read the files: none goes away meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        const files = this.#replaced.splice(0);
        for (const file of files) await rm(file, { force: true });
      }
    }
  }

  /** Stores what `contents` yields when its turn has come; each segment is durable before the next one is begun. */
  write(contents: () => Iterable<SegmentContent>): Promise<void> {
    const done = this.#writes.then(() =>
      this.use(async () => {
        for (const content of contents()) {
          const segment = await this.#folders.write(this.batchId, content);
          this.#replace([], segment);
        }
        await this.#merge();
      }),
    );
    this.#writes = done.catch(() => undefined);
    return done;
  }

  /** Resolves when what has been asked to be written is written, or has failed. */
  async settled(): Promise<void> {
    await this.#writes;
  }

  /** Every file costs each query its opening: small ones become one. */
  async #merge(): Promise<void> {
    const small = worthMerging(this.#segments, this.rows === combinationsOf(this.variables));
    if (small.length === 0) return;
    const merged = await this.#folders.write(this.batchId, mergedContent(small, this.variables));
    this.#replace(small, merged);
    this.#replaced.push(...small.map(({ file }) => file));
  }

  #replace(gone: readonly Segment[], segment: Segment): void {
    const kept = this.#segments.filter((each) => !gone.includes(each));
    this.#segments = [...kept, segment].sort((a, b) => a.first - b.first);
    this.#count();
  }

  #count(): void {
    this.#stored = mergeRanges(
      this.#segments.flatMap(({ header }) => header.ranges.map(([from, to]) => ({ from, to }))),
    );
  }
}

/** The batches that are in use, and the last ones that were: however many there are, few are in memory. */
export class OpenBatches {
  readonly #folders: BatchFolders;
  /** In order of use, the oldest first. */
  readonly #batches = new Map<string, Promise<OpenBatch>>();
  /** Segments of each, as many as there were when it was opened. */
  readonly #sizes = new Map<string, number>();
  readonly #users = new Map<string, number>();

  constructor(folders: BatchFolders) {
    this.#folders = folders;
  }

  /** Works with a batch, which stays open and keeps its files meanwhile. Rejects where there is no such batch. */
  async use<T>(batchId: string, work: (batch: OpenBatch) => Promise<T>): Promise<T> {
    this.#users.set(batchId, (this.#users.get(batchId) ?? 0) + 1);
    try {
      const batch = await this.#open(batchId);
      return await batch.use(() => work(batch));
    } finally {
      const users = (this.#users.get(batchId) ?? 1) - 1;
      if (users > 0) this.#users.set(batchId, users);
      else this.#users.delete(batchId);
      this.#forgetOldest();
    }
  }

  /** Whoever works with the batch still has it; the next one finds what is in its folder then. */
  forget(batchId: string): void {
    this.#batches.delete(batchId);
    this.#sizes.delete(batchId);
  }

  #open(batchId: string): Promise<OpenBatch> {
    const known = this.#batches.get(batchId);
    const batch = known ?? this.#load(batchId);
    this.#batches.delete(batchId);
    this.#batches.set(batchId, batch);
    if (!known)
      batch.then(
        ({ segments }) => this.#sizes.set(batchId, segments.length),
        () => {
          if (this.#batches.get(batchId) === batch) this.forget(batchId);
        },
      );
    return batch;
  }

  async #load(batchId: string): Promise<OpenBatch> {
    const definition = this.#folders.definition(batchId);
    if (!definition) throw new ResultsMissingError(batchId);
    const segments = await this.#folders.segments(batchId);
    return new OpenBatch(this.#folders, { batchId, variables: definition.variables, segments });
  }

  #forgetOldest(): void {
    let segments = this.#sizes.values().reduce((sum, size) => sum + size, 0);
    for (const batchId of [...this.#batches.keys()]) {
      if (this.#batches.size <= REMEMBERED_BATCHES && segments <= REMEMBERED_SEGMENTS) return;
      // Two that are open at once would not know of each other's writes.
      if (this.#users.has(batchId)) continue;
      segments -= this.#sizes.get(batchId) ?? 0;
      this.forget(batchId);
    }
  }
}
