import type { Position } from '../ports/event-store.ts';

export interface CachedState<State = unknown> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
  /** Of every event that the state is folded from. */
  readonly commandIds: Set<string>;
}

/**
 * The last folded states, so that a command on a long stream reads only what is new. Never a source of truth:
 * the append names the revision, and a stale state is corrected by reading from its revision on.
 */
export class StateCache {
  readonly #capacity: number;
  /** In order of use, the oldest first. */
  readonly #entries = new Map<string, CachedState>();
  /** Which of them are heavy, in the same order. */
  readonly #heavy = new Set<string>();

  /**
   * @param capacity streams kept; the least recently used one is dropped first. Of those whose states are
   *   large only a few are kept: what one user stores must not fill the memory of all
   */
  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  get<State>(stream: string): CachedState<State> | undefined {
    const entry = this.#entries.get(stream);
    if (!entry) return undefined;
    this.#entries.delete(stream);
    this.#entries.set(stream, entry);
    if (this.#heavy.delete(stream)) this.#heavy.add(stream);
    return entry as CachedState<State>;
  }

  /**
   * Keeps a state, unless a newer one of the stream is there already.
   *
   * @param folded its `commandIds` must be those of all events, not only of the last ones: without one of
   *   them its command would be carried out a second time
   */
  set<State>(stream: string, folded: CachedState<State>): void {
    const known = this.#entries.get(stream);
    const newest = known && known.revision > folded.revision ? known : folded;
    this.delete(stream);
    this.#entries.set(stream, newest);
    if (isHeavy(newest.state)) this.#heavy.add(stream);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#capacity && !oldest.done) this.delete(oldest.value);
    const oldestHeavy = this.#heavy.keys().next();
    if (this.#heavy.size > MOST_HEAVY && !oldestHeavy.done) this.delete(oldestHeavy.value);
  }

  delete(stream: string): void {
    this.#entries.delete(stream);
    this.#heavy.delete(stream);
  }
}

/** Heavy states that are kept: some 10 MB each at the most. */
const MOST_HEAVY = 16;
/** Values and characters from which on a state is heavy. */
const HEAVY = 20_000;

/** Whether a JSON value holds more than that. Looks no further once it knows. */
function isHeavy(state: unknown): boolean {
  let weight = 0;
  const rest: unknown[] = [state];
  while (rest.length > 0) {
    const next = rest.pop();
    weight += typeof next === 'string' ? next.length : 1;
    if (weight > HEAVY) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Object.values(next)) {
      weight += 1;
      if (weight > HEAVY) return true;
      rest.push(inner);
    }
  }
  return false;
}
