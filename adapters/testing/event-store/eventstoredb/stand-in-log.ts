import { EventEmitter } from 'node:events';
import type { Proposed, Stored } from './stand-in-answers.ts';

/** Last revision the caller knows; -1 for no stream. */
export type Expected = number | 'any';

/** What the stand-in keeps: the log, in memory. */
export class StandInLog {
  readonly events: Stored[] = [];
  readonly deleted = new Set<string>();
  readonly changes = new EventEmitter().setMaxListeners(0);
  readonly #streams = new Map<string, Stored[]>();
  #position = 1000n;

  stream(name: string): readonly Stored[] {
    return this.#streams.get(name) ?? [];
  }

  /** An event of somebody else. */
  write(
    stream: string,
    type: string,
    { data = '', metadata = '', isJson = false }: { data?: string; metadata?: string; isJson?: boolean } = {},
  ): void {
    this.#store({
      stream,
      type,
      id: crypto.randomUUID(),
      data: Buffer.from(data),
      metadata: Buffer.from(metadata),
      isJson,
    });
    this.changes.emit('change');
  }

  tombstone(stream: string): void {
    this.write(stream, '$streamDeleted', { isJson: true });
    this.deleted.add(stream);
  }

  /** Stores the events or says what the last revision is where the caller is wrong about it. */
  append(stream: string, expected: Expected, events: readonly Proposed[]): Stored | { current: number } {
    const ids = events.map((event) => event.getId()?.getString() ?? '');
    const existing = this.stream(stream);
    const first = expected === 'any' ? existing.findIndex((event) => event.id === ids[0]) : expected + 1;
    const repeated = first < 0 ? [] : existing.slice(first, first + ids.length);
    if (repeated.length === ids.length && repeated.every((event, i) => event.id === ids[i])) {
      return repeated.at(-1) as Stored;
    }
    if (expected !== 'any' && expected !== existing.length - 1) return { current: existing.length - 1 };
    const stored = events.map((event, i) => {
      const type = event.getMetadataMap().get('type') ?? '';
      const isJson = event.getMetadataMap().get('content-type') === 'application/json';
      const [data, metadata] = [event.getData_asU8(), event.getCustomMetadata_asU8()];
      return this.#store({ stream, type, id: ids[i] ?? '', data, metadata, isJson });
    });
    // A record of the server's own now and then, behind ours.
    if (this.events.length % 7 === 0) this.write('$stats', '$statsCollected');
    this.changes.emit('change');
    return stored.at(-1) as Stored;
  }

  #store(event: Omit<Stored, 'revision' | 'position'>): Stored {
    // As in the real log, positions are places in a file.
    this.#position += BigInt(100 + event.data.length);
    const stream = this.#streams.get(event.stream) ?? [];
    const stored = { ...event, revision: stream.length, position: this.#position };
    this.events.push(stored);
    this.#streams.set(event.stream, stream);
    stream.push(stored);
    return stored;
  }
}
