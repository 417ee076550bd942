import { hash } from 'node:crypto';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { linkedText } from '@quantloom/domain/kernel/event-chain';

/** Computes the chain of hashes of a log while it is read from the beginning: the same one in every store and in every copy. */
export class EventChain {
  #last = '';

  /** Link of the last event, lower-case hex; empty before the first one. */
  get last(): string {
    return this.#last;
  }

  /** Link of the next event of the log. */
  next(event: Pick<RecordedEvent, 'stream' | 'revision' | 'type' | 'id' | 'metadata' | 'data'>): string {
    const { metadata, data } = event;
    this.#last = hash(
      'sha256',
      linkedText(this.#last, event, JSON.stringify(metadata), JSON.stringify(data ?? null)),
    );
    return this.#last;
  }

  /** Goes on behind another link than the computed one. */
  continueFrom(link: string): void {
    this.#last = link;
  }
}
