import type { Position } from '../ports/event-store.ts';

export interface CachedState<State = unknown> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
  /** Of every event that the state is folded from. */
  readonly commandIds: Set<string>;
}

/**
 * The last folded states, so that a command on a long stream reads only what is new. Never a source of truth: the append names the
 * revision, and a stale state is corrected by reading from its revision on.
 */
export class StateCache {
  readonly #capacity: number;
  /** In order of use, the oldest first. */
  readonly #entries = new Map<string, CachedState>();

  /** @param capacity streams kept; the least recently used one is dropped first */
  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  get<State>(stream: string): CachedState<State> | undefined {
    const entry = this.#entries.get(stream);
    if (!entry) return undefined;
    this.#entries.delete(stream);
    this.#entries.set(stream, entry);
    return entry as CachedState<State>;
  }

  /**
   * Keeps a state, unless a newer one of the stream is there already.
   *
   * @param folded its `commandIds` must be those of all events, not only of the last ones: without one of them its command would be carried
   *   out a second time
   */
  set<State>(stream: string, folded: CachedState<State>): void {
    const known = this.#entries.get(stream);
    const newest = known && known.revision > folded.revision ? known : folded;
    this.#entries.delete(stream);
    this.#entries.set(stream, newest);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#capacity && !oldest.done) this.#entries.delete(oldest.value);
  }

  delete(stream: string): void {
    this.#entries.delete(stream);
  }
}
