interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Runs whose prices need less are never kept waiting: they mostly share what is in the cache. */
const SMALL_BYTES = 16 * 1024 * 1024;

/**
 * Bounds the memory of prices that single runs hold at the same time. Owners take turns, so that nobody fills
 * the line; a run that needs more than there is at all runs alone.
 */
export class PriceMemory {
  private readonly most: number;
  private held = 0;
  /** In the order in which owners have their turns. */
  private readonly lines = new Map<string, Waiting[]>();

  /** @param most bytes at the same time */
  constructor(most: number) {
    this.most = most;
  }

  /**
   * Waits until there is room.
   *
   * @returns what gives it back; to be called once
   * @throws the signal's reason, where it aborts before
   */
  async take(owner: string, bytes: number, signal?: AbortSignal): Promise<() => void> {
    if (bytes < SMALL_BYTES) return () => undefined;
    if (this.lines.size === 0 && this.fits(bytes)) this.held += bytes;
    else await this.wait(owner, bytes, signal);
    return () => {
      this.held -= bytes;
      this.serve();
    };
  }

  private fits(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.most;
  }

  private wait(owner: string, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.lines.get(owner) ?? [];
      const leave = () => {
        const place = line.indexOf(waiting);
        if (place >= 0) line.splice(place, 1);
        if (line.length === 0 && this.lines.get(owner) === line) this.lines.delete(owner);
        reject(signal?.reason);
        // There may be room for those who stood behind.
        this.serve();
      };
      const waiting: Waiting = {
        bytes,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      line.push(waiting);
      this.lines.set(owner, line);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private serve(): void {
    for (let next = this.lines.entries().next().value; next; next = this.lines.entries().next().value) {
      const [owner, line] = next;
      const [first] = line;
      if (first === undefined || !this.fits(first.bytes)) return;
      line.shift();
      // To the end of the turns.
      this.lines.delete(owner);
      if (line.length > 0) this.lines.set(owner, line);
      this.held += first.bytes;
      first.begin();
    }
  }
}
