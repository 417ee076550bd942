/** How many calls of one user are worked on, and how many may wait. */
export interface TurnLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Turns of each user: so many at a time, the others in the order they came. Users do not wait for each other here. */
export class Turns {
  private readonly lines = new Map<string, Line>();

  /**
   * Waits for a turn.
   *
   * @returns what ends the turn (further calls do nothing), or null where too many of the user's calls wait already
   * @throws the signal's reason, where it aborts before the turn has come
   */
  async take(key: string, limits: TurnLimits, signal?: AbortSignal): Promise<(() => void) | null> {
    let line = this.lines.get(key);
    if (line === undefined) {
      line = { running: 0, waiting: [] };
      this.lines.set(key, line);
    }
    if (line.running < limits.inFlight) line.running++;
    else if (line.waiting.length >= limits.waiting) return null;
    else await this.wait(key, line, signal);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.pass(key, line);
    };
  }

  private wait(key: string, line: Line, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const place = line.waiting.indexOf(begin);
        if (place >= 0) line.waiting.splice(place, 1);
        this.forget(key, line);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      line.waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Hands the turn to whoever waits longest. */
  private pass(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next();
    else line.running--;
    this.forget(key, line);
  }

  private forget(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0 && this.lines.get(key) === line)
      this.lines.delete(key);
  }
}
