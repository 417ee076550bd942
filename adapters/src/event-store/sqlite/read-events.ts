import type { RecordedEvent } from '@quantloom/domain/kernel/event';

/** Events and characters of them that are kept at most. */
const MOST_EVENTS = 4_096;
const MOST_CHARACTERS = 8_000_000;

interface Kept {
  readonly event: RecordedEvent;
  readonly characters: number;
}

/**
 * The events that subscribers have read last. Dozens of projections follow one log, close behind one another:
 * each event is parsed for the first of them, and the others get the same object, which nobody may change.
 */
export class ReadEvents {
  readonly #kept = new Map<number, Kept>();
  readonly #most: { readonly events: number; readonly characters: number };
  #characters = 0;

  constructor(most = { events: MOST_EVENTS, characters: MOST_CHARACTERS }) {
    this.#most = most;
  }

  /**
   * The event at a position.
   *
   * @param characters of the text that it is read from
   */
  event(position: number, characters: number, read: () => RecordedEvent): RecordedEvent {
    const known = this.#kept.get(position);
    if (known) return known.event;
    const event = read();
    this.#kept.set(position, { event, characters });
    this.#characters += characters;
    this.#letGo();
    return event;
  }

  #letGo(): void {
    // A map gives its oldest entries first.
    for (const [position, { characters }] of this.#kept) {
      if (this.#kept.size <= this.#most.events && this.#characters <= this.#most.characters) return;
      this.#kept.delete(position);
      this.#characters -= characters;
    }
  }
}
