import { createReadStream, type ReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';

/** What files that are being read may take of the disk together. */
const MOST_BYTES = 4 * 1024 ** 3;

/**
 * Files that stand on the disk for as long as somebody reads them. Where they need more than there is for
 * them, those that have been read for longest go: their readers are the slowest, and nobody may fill the disk
 * by not reading.
 */
export class HeldFiles {
  readonly #mostBytes: number;
  /** In the order they came. */
  readonly #held = new Map<ReadStream, { readonly file: string; readonly bytes: number }>();

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** The bytes of a file, which is removed at their end. */
  async *read(file: string): AsyncIterable<Uint8Array> {
    const { size } = await stat(file);
    const stream = createReadStream(file, { highWaterMark: 1 << 18 });
    this.#held.set(stream, { file, bytes: size });
    await this.#makeRoom(stream);
    try {
      for await (const bytes of stream) yield bytes as Uint8Array;
    } finally {
      this.#held.delete(stream);
      await rm(file, { force: true });
    }
  }

  /** One file may be larger than all the room: it is the newest, and stays. */
  async #makeRoom(newest: ReadStream): Promise<void> {
    let bytes = 0;
    for (const held of this.#held.values()) bytes += held.bytes;
    for (const [stream, held] of this.#held) {
      if (bytes <= this.#mostBytes || stream === newest) return;
      bytes -= held.bytes;
      this.#held.delete(stream);
      stream.destroy(new Error('The file was read too slowly, and others needed its room'));
      await rm(held.file, { force: true });
    }
  }
}
