/** Signs of life that are remembered. */
const KEPT = 5;
/** What one took counts half after this long, in ms: a machine that was busy is so no more, perhaps. */
const HALVED_AFTER_MS = 10_000;

/**
 * How long a server takes for a sign of life of late. The first one is left out as soon as there are others,
 * since it opens the connection as well, and of several the longest one, which may have been bad luck: what
 * counts is what happened twice.
 */
export class Pace {
  #first: { readonly ms: number; readonly at: number } | null = null;
  #signs: { readonly ms: number; readonly at: number }[] = [];

  /** @param at when it came, in ms of a clock of the caller's, as in `usualMs` */
  note(ms: number, at: number): void {
    if (this.#first) this.#signs = [...this.#signs, { ms, at }].slice(-KEPT);
    else this.#first = { ms, at };
  }

  /** In ms; 0 where nothing is known. */
  usualMs(now: number): number {
    const known = this.#signs.length > 0 ? this.#signs : this.#first ? [this.#first] : [];
    const faded = known
      .map(({ ms, at }) => ms * 0.5 ** ((now - at) / HALVED_AFTER_MS))
      .toSorted((a, b) => b - a);
    return faded[faded.length > 2 ? 1 : 0] ?? 0;
  }
}
