const KEPT = 10_000;

/**
 * The link of the last known event of each stream that was used of late, so that an append seldom has to read
 * the event before it.
 */
export class StreamLinks {
  readonly #kept: number;
  readonly #links = new Map<string, { readonly revision: number; readonly link: string }>();

  constructor(kept = KEPT) {
    this.#kept = kept;
  }

  /** @param link empty: the event has none, the chain of its stream begins behind it */
  note(stream: string, revision: number, link: string): void {
    this.#links.delete(stream);
    this.#links.set(stream, { revision, link });
    for (const oldest of this.#links.keys()) {
      if (this.#links.size <= this.#kept) return;
      this.#links.delete(oldest);
    }
  }

  /** Link of the event of a revision; undefined where it is not known. */
  at(stream: string, revision: number): string | undefined {
    const known = this.#links.get(stream);
    return known?.revision === revision ? known.link : undefined;
  }

  /** After a conflict: somebody else has written. */
  forget(stream: string): void {
    this.#links.delete(stream);
  }
}
