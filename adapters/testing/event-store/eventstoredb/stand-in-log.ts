import { EventEmitter } from 'node:events';
import type { Proposed, Stored } from './stand-in-answers.ts';
import type { StandInJournal } from './stand-in-journal.ts';

/** Last revision the caller knows; -1 for no stream. */
export type Expected = number | 'any';

const TOMBSTONE = '$streamDeleted';

/** What the stand-in keeps: the log, in memory, and in a journal where it has one. */
export class StandInLog {
  readonly events: Stored[] = [];
  readonly deleted = new Set<string>();
  readonly changes = new EventEmitter().setMaxListeners(0);
  readonly #streams = new Map<string, Stored[]>();
  readonly #journal: StandInJournal | null;
  #position = 1000n;

  constructor(journal: StandInJournal | null = null) {
    this.#journal = journal;
    for (const event of journal?.read() ?? []) this.#keep(event);
  }

  stream(name: string): readonly Stored[] {
    return this.#streams.get(name) ?? [];
  }

  /** An event of somebody else. */
  write(
    stream: string,
    type: string,
    { data = '', metadata = '', isJson = false }: { data?: string; metadata?: string; isJson?: boolean } = {},
  ): void {
    this.#store([
      {
        stream,
        type,
        id: crypto.randomUUID(),
        data: Buffer.from(data),
        metadata: Buffer.from(metadata),
        isJson,
      },
    ]);
    this.changes.emit('change');
  }

  tombstone(stream: string): void {
    this.write(stream, TOMBSTONE, { isJson: true });
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
    const stored = this.#store(
      events.map((event, i) => {
        const type = event.getMetadataMap().get('type') ?? '';
        const isJson = event.getMetadataMap().get('content-type') === 'application/json';
        const [data, metadata] = [event.getData_asU8(), event.getCustomMetadata_asU8()];
        return { stream, type, id: ids[i] ?? '', data, metadata, isJson };
      }),
    );
    // A record of the server's own now and then, behind ours.
    if (this.events.length % 7 === 0) this.write('$stats', '$statsCollected');
    this.changes.emit('change');
    return stored.at(-1) as Stored;
  }

  /** All of one stream. */
  #store(events: readonly Omit<Stored, 'revision' | 'position'>[]): readonly Stored[] {
    const first = this.stream(events[0]?.stream ?? '').length;
    const stored = events.map((event, index) => {
      // As in the real log, positions are places in a file.
      this.#position += BigInt(100 + event.data.length);
      return { ...event, revision: first + index, position: this.#position };
    });
    this.#journal?.write(stored);
    for (const event of stored) this.#keep(event);
    return stored;
  }

  #keep(event: Stored): void {
    const stream = this.#streams.get(event.stream) ?? [];
    this.events.push(event);
    this.#streams.set(event.stream, stream);
    stream.push(event);
    this.#position = event.position;
    if (event.type === TOMBSTONE) this.deleted.add(event.stream);
  }
}
