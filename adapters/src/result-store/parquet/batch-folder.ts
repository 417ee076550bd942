import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import { type SegmentContent, segmentBytes } from './segment-bytes.ts';
import { flushFolder, openSegment, type Segment, writeWhole } from './segment-file.ts';

const DEFINITION = 'batch.json';
const SUFFIX = '.parquet';
/** Beginnings of the names of folders that are not there yet, or not there any more. */
const NEW = '.new-';
const GONE = '.gone-';

interface Definition {
  readonly batchId: string;
  readonly variables: readonly ResultVariable[];
}

/**
 * The folders of batches: `batches/xx/ID` holds `batch.json` (id and variables) and the segments. There is no
 * catalogue that could grow or disagree: what stands in a folder is what there is. Everything appears, and
 * goes, by a rename, so a copy of the folder made at any time is whole as well.
 */
export class BatchFolders {
  readonly #root: string;
  /** Marks the unfinished files of this process: those of others are left by one that died. */
  readonly #mark = randomUUID().slice(0, 8);

  constructor(root: string) {
    this.#root = root;
  }

  /** Removes what a process that died was making or removing. */
  async prepare(): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#root))
      if (name.startsWith(NEW) || name.startsWith(GONE))
        await rm(path.join(this.#root, name), { recursive: true, force: true });
  }

  /** Throws where the folder cannot be read. */
  check(): void {
    readdirSync(this.#root);
  }

  definition(batchId: string): Definition | null {
    const file = path.join(this.#folder(batchId), DEFINITION);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Definition) : null;
  }

  async create(definition: Definition): Promise<void> {
    const folder = this.#folder(definition.batchId);
    const unfinished = path.join(this.#root, `${NEW}${randomUUID()}`);
    await mkdir(unfinished, { mode: 0o700 });
    try {
      await writeWhole(
        path.join(unfinished, DEFINITION),
        [Buffer.from(JSON.stringify(definition))],
        this.#mark,
      );
      await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
      await rename(unfinished, folder);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
    await flushFolder(path.dirname(folder));
  }

  /**
   * The segments that count, ascending by their first combination. Removes what a process that died has left
   * beside them.
   */
  async segments(batchId: string): Promise<Segment[]> {
    const folder = this.#folder(batchId);
    const names = readdirSync(folder);
    const left = names.filter((name) => name.endsWith('.tmp') && !name.includes(this.#mark));
    const found = names.filter((name) => name.endsWith(SUFFIX)).map((name) => openSegment(folder, name));
    const replaced = new Set(found.flatMap(({ header }) => header.replaces));
    left.push(...found.map(({ name }) => name).filter((name) => replaced.has(name)));
    for (const name of left) await rm(path.join(folder, name), { force: true });
    return found.filter(({ name }) => !replaced.has(name)).sort((a, b) => a.first - b.first);
  }

  /** Durable when it resolves. */
  async write(batchId: string, content: SegmentContent): Promise<Segment> {
    const folder = this.#folder(batchId);
    // A name of its own, so that nobody who remembers a file by its name takes this one for another.
    const name = `${content.combinations[0] ?? 0}-${randomUUID().slice(0, 13)}${SUFFIX}`;
    await writeWhole(path.join(folder, name), segmentBytes(content), this.#mark);
    return openSegment(folder, name);
  }

  async remove(batchId: string): Promise<void> {
    const folder = this.#folder(batchId);
    if (!existsSync(folder)) return;
    const gone = path.join(this.#root, `${GONE}${randomUUID()}`);
    await rename(folder, gone);
    await flushFolder(path.dirname(folder));
    await rm(gone, { recursive: true, force: true });
  }

  #folder(batchId: string): string {
    const hash = createHash('sha256').update(batchId).digest('hex');
    // Two ids that differ in case only are one name to some file systems.
    const name = /^[\w-]{1,64}$/.test(batchId) ? `${batchId}-${hash.slice(2, 10)}` : hash;
    return path.join(this.#root, hash.slice(0, 2), name);
  }
}
