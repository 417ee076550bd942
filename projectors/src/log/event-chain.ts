import { hash } from 'node:crypto';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { linkedText } from '@quantloom/domain/kernel/event-chain';

type Linked = Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'id' | 'metadata' | 'data'>;

function linkBehind(previous: string, event: Linked): string {
  const { metadata, data } = event;
  return hash('sha256', linkedText(previous, event, JSON.stringify(metadata), JSON.stringify(data ?? null)));
}

/**
 * Computes the chain of hashes of a log while it is read from the beginning: the same one in every store and
 * in every copy.
 */
export class EventChain {
  #last = '';

  /** Link of the last event, lower-case hex; empty before the first one. */
  get last(): string {
    return this.#last;
  }

  /** Link of the next event of the log. */
  next(event: Linked): string {
    this.#last = linkBehind(this.#last, event);
    return this.#last;
  }

  /** Goes on behind another link than the computed one. */
  continueFrom(link: string): void {
    this.#last = link;
  }
}

/** Checks the chain of every stream of a store that keeps those (EventStoreDB, in the metadata). */
export class StreamChains {
  readonly #last = new Map<string, string>();

  /** What is wrong with the event's link. Events before the first one with a link are of versions that wrote none. */
  faultsOf(event: Linked & Pick<RecordedEvent, 'streamLink'>): string[] {
    const { stream, streamLink } = event;
    const before = this.#last.get(stream);
    if (streamLink === undefined)
      return before === undefined ? [] : ['has lost its link to the event before it'];
    // Once for each break, not for everything behind it.
    this.#last.set(stream, streamLink);
    return streamLink === linkBehind(before ?? '', event)
      ? []
      : ['does not continue the chain of its stream: this event or the one before it was changed or removed'];
  }
}
