import type { Timeline } from './timeline.ts';

interface Running {
  left: number;
  readonly most: number;
  readonly then: () => void;
}

/** A compute node: what runs on it shares its threads equally. */
export class Node {
  worked = 0;
  readonly #timeline: Timeline;
  readonly #threads: number;
  #running: Running[] = [];
  #lookedAt = 0;
  #turn = 0;

  constructor(timeline: Timeline, threads: number) {
    this.#timeline = timeline;
    this.#threads = threads;
  }

  /** @param most threads that it can use at a time */
  run(seconds: number, most: number, then: () => void): void {
    this.#goOn();
    this.#running.push({ left: seconds, most, then });
    this.#plan();
  }

  #pace({ most }: Running): number {
    return Math.min(most, this.#threads / this.#running.length);
  }

  #goOn(): void {
    const passed = this.#timeline.now - this.#lookedAt;
    this.#lookedAt = this.#timeline.now;
    for (const job of this.#running) {
      const done = Math.min(job.left, passed * this.#pace(job));
      job.left -= done;
      this.worked += done;
    }
  }

  #plan(): void {
    this.#turn += 1;
    const turn = this.#turn;
    if (this.#running.length === 0) return;
    const next = Math.min(...this.#running.map((job) => job.left / this.#pace(job)));
    this.#timeline.after(next, () => {
      // Something has begun meanwhile: that has planned anew.
      if (turn !== this.#turn) return;
      this.#goOn();
      const done = this.#running.filter(({ left }) => left < 1e-9);
      this.#running = this.#running.filter(({ left }) => left >= 1e-9);
      this.#plan();
      for (const { then } of done) then();
    });
  }
}
