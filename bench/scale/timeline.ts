interface Moment {
  readonly at: number;
  /** What was planned first comes first of what comes at the same time. */
  readonly number: number;
  readonly action: () => void;
}

const isBefore = (a: Moment, b: Moment) => a.at < b.at || (a.at === b.at && a.number < b.number);

/** Things that happen, in the order of their times; a binary heap. */
export class Timeline {
  now = 0;
  readonly #heap: Moment[] = [];
  #next = 0;

  after(seconds: number, action: () => void): void {
    this.at(this.now + seconds, action);
  }

  at(time: number, action: () => void): void {
    const moment = { at: time, number: this.#next, action };
    this.#next += 1;
    let place = this.#heap.length;
    this.#heap.push(moment);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent] as Moment;
      if (!isBefore(moment, above)) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = moment;
  }

  /** Lets happen what is planned up to `end`, and what is planned by that. */
  runTo(end: number): void {
    for (let first = this.#heap[0]; first && first.at <= end; first = this.#heap[0]) {
      this.#removeFirst();
      this.now = first.at;
      first.action();
    }
    this.now = end;
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#heap.length) break;
      const right = this.#heap[child + 1];
      if (right && isBefore(right, this.#heap[child] as Moment)) child += 1;
      const below = this.#heap[child] as Moment;
      if (!isBefore(below, last)) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = last;
  }
}
