/** Looks that are kept for those who ask within the next moment, before the old ones are swept out. */
const SWEEP_ABOVE = 64;

interface Look<T> {
  readonly at: number;
  readonly found: Promise<T>;
}

/**
 * One look at a thing for all who follow it: whoever asks within some milliseconds of another gets what the
 * other found.
 */
export class SharedLooks<T> {
  private readonly looks = new Map<string, Look<T>>();
  private readonly look: (key: string) => Promise<T>;
  private readonly lastsMs: number;
  private readonly now: () => number;

  /** @param now milliseconds that only go forward */
  constructor(
    look: (key: string) => Promise<T>,
    lastsMs: number,
    now: () => number = () => performance.now(),
  ) {
    this.look = look;
    this.lastsMs = lastsMs;
    this.now = now;
  }

  /** What is there now, or was a moment ago. A look that failed is not kept. */
  at(key: string): Promise<T> {
    const time = this.now();
    const known = this.looks.get(key);
    if (known !== undefined && time - known.at < this.lastsMs) return known.found;
    if (this.looks.size >= SWEEP_ABOVE)
      for (const [old, { at }] of this.looks) if (time - at >= this.lastsMs) this.looks.delete(old);
    const look: Look<T> = { at: time, found: this.look(key) };
    this.looks.set(key, look);
    look.found.catch(() => {
      if (this.looks.get(key) === look) this.looks.delete(key);
    });
    return look.found;
  }
}
