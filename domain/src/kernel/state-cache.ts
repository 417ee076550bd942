import type { Position } from '../ports/event-store.ts';

export interface CachedState<State = unknown> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
  /** Of every event that the state is folded from. */
  readonly commandIds: ReadonlySet<string>;
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

  /** @param commandIds of the events since the state that was cached before (of all events where none was) */
  set<State>(
    stream: string,
    folded: Omit<CachedState<State>, 'commandIds'>,
    commandIds: readonly string[],
  ): void {
    // One set per stream that only grows: copying it for every command would cost a long stream dearly.
    const known = (this.#entries.get(stream)?.commandIds ?? new Set()) as Set<string>;
    for (const id of commandIds) known.add(id);
    this.#entries.delete(stream);
    this.#entries.set(stream, { ...folded, commandIds: known });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#capacity && !oldest.done) this.#entries.delete(oldest.value);
  }

  delete(stream: string): void {
    this.#entries.delete(stream);
  }
}
