import type { Position } from '@quantloom/domain/ports/event-store';

/** Events that were begun and have not been reacted to, by their places in the log. */
export class UnderWay {
  readonly #open = new Set<Position>();

  begin(position: Position): void {
    this.#open.add(position);
  }

  end(position: Position): void {
    this.#open.delete(position);
  }

  /**
   * Up to here everything has been reacted to, where everything up to `reached` has been begun. They are
   * begun in order, so the first one is the earliest.
   */
  safe(reached: Position): Position {
    const [first] = this.#open;
    return first === undefined || first > reached ? reached : first - 1n;
  }
}
