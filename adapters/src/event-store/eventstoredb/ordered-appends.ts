import type { NewEvent } from '@quantloom/domain/kernel/event';
import type { AppendResult, ExpectedRevision } from '@quantloom/domain/ports/event-store';
import { linksOf, toEventData } from './event-mapping.ts';
import type { BatchCall } from './server-client.ts';
import { StreamLinks } from './stream-links.ts';

export interface OrderedAppendsOptions {
  readonly open: () => Promise<BatchCall>;
  /** As `EventStore.append`: repeats by itself, and recognises what is there already. */
  readonly appendAlone: (
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ) => Promise<AppendResult>;
  /** Link of an event in the chain of its stream; empty: it has none. */
  readonly lastLink: (stream: string, revision: number) => Promise<string>;
}

interface Item {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
  state: 'waits' | 'done' | 'failed';
}

/** Streams whose last link is remembered; a copy of a log has many of them open at a time. */
const KEPT_LINKS = 200_000;

/**
 * Appends that are sent one behind the other without waiting for the answers, and are committed in that
 * order: a copy of a log keeps its order across streams, and need not wait for the server's disk with every
 * event. The caller bounds how many are under way.
 *
 * Where one fails (the call broke, the server elects, the event is there already), nothing more is sent until
 * all that are under way have been answered or given up; those that failed are then appended one by one, in
 * order. One that fails there as well fails all behind it. Events that were committed behind one that had
 * failed stand before it then: positions tell (`AppendResult`).
 */
export class OrderedAppends {
  readonly #options: OrderedAppendsOptions;
  readonly #links = new StreamLinks(KEPT_LINKS);
  readonly #waiting: Item[] = [];
  readonly #underWay: Item[] = [];
  #call: BatchCall | null = null;
  #isRunning = false;
  #hasFailed = false;
  #settled: () => void = () => {};
  #fatal: { readonly error: unknown } | null = null;

  constructor(options: OrderedAppendsOptions) {
    this.#options = options;
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const { promise, resolve, reject } = Promise.withResolvers<AppendResult>();
    this.#waiting.push({ stream, events, expected, resolve, reject, state: 'waits' });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** Ends the call; what is under way is rejected. */
  close(): void {
    this.#call?.close();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (;;) {
        if (this.#hasFailed) await this.#recover();
        const item = this.#waiting.shift();
        if (!item) return;
        await this.#send(item).catch((error: unknown) => this.#giveUp(item, error));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #send(item: Item): Promise<void> {
    if (this.#fatal) throw this.#fatal.error;
    const { stream, events, expected } = item;
    const links = await this.#linksFor(item);
    const data = events.map((event, index) => toEventData(event, links[index]));
    if (this.#hasFailed) {
      // Came to nothing while the link was looked up: it goes behind those that are appended again.
      this.#waiting.unshift(item);
      return;
    }
    this.#call ??= await this.#options.open();
    const last = links.at(-1);
    if (last !== undefined && typeof expected !== 'string')
      this.#links.note(stream, expected + events.length, last);
    else if (last !== undefined) this.#links.note(stream, events.length - 1, last);
    this.#underWay.push(item);
    this.#call.append(stream, data, expected).then(
      ({ nextExpectedRevision, position }) => {
        if (position === undefined) {
          // Taken for a repetition of something that is not indexed yet; alone, its place is found.
          this.#failed(item);
          return;
        }
        item.state = 'done';
        item.resolve({ revision: Number(nextExpectedRevision), position: position.commit });
        this.#forgetDone();
      },
      () => this.#failed(item),
    );
    await this.#call.ready();
  }

  #failed(item: Item): void {
    item.state = 'failed';
    this.#hasFailed = true;
    this.#settled();
    // Nobody may be waiting to be sent any more.
    if (!this.#isRunning) void this.#run();
  }

  #forgetDone(): void {
    while (this.#underWay[0]?.state === 'done') this.#underWay.shift();
    this.#settled();
  }

  async #linksFor({ stream, events, expected }: Item): Promise<string[]> {
    if (expected === 'any') return [];
    if (expected === 'noStream') return linksOf(stream, events, { revision: 0, previous: '' });
    const previous = this.#links.at(stream, expected) ?? (await this.#options.lastLink(stream, expected));
    return linksOf(stream, events, { revision: expected + 1, previous });
  }

  /** Appends again, one by one, what failed. */
  async #recover(): Promise<void> {
    while (this.#underWay.some(({ state }) => state === 'waits')) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#settled = resolve;
      await promise;
    }
    this.#call?.close();
    this.#call = null;
    for (const item of this.#underWay.splice(0)) {
      if (item.state === 'done') continue;
      try {
        if (this.#fatal) throw this.#fatal.error;
        item.resolve(await this.#options.appendAlone(item.stream, item.events, item.expected));
      } catch (error) {
        this.#giveUp(item, error);
      }
    }
    this.#hasFailed = false;
  }

  #giveUp(item: Item, error: unknown): void {
    this.#fatal ??= { error };
    item.reject(error);
  }
}
