import type { Position } from '../ports/event-store.ts';

export interface CachedState<State = unknown> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
  /** In log order; the last ones suffice, since a repetition follows its first attempt closely. */
  readonly commandIds: readonly string[];
}

const COMMAND_IDS_KEPT = 200;

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

  set<State>(stream: string, entry: CachedState<State>): void {
    this.#entries.delete(stream);
    this.#entries.set(stream, { ...entry, commandIds: entry.commandIds.slice(-COMMAND_IDS_KEPT) });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#capacity && !oldest.done) this.#entries.delete(oldest.value);
  }

  delete(stream: string): void {
    this.#entries.delete(stream);
  }
}
