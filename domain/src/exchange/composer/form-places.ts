import type { Form } from '../syntax/datum.ts';

/** Where forms stand in their text. */
export class FormPlaces {
  readonly #text: string;
  #lines: number[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** "line 3, column 14", found by the table of lines since there may be thousands of forms. */
  of({ offset }: Form): string {
    const lines = this.#table();
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `line ${low + 1}, column ${offset - (lines[low] ?? 0) + 1}`;
  }

  #table(): readonly number[] {
    if (this.#lines !== null) return this.#lines;
    const lines = [0];
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1))
      lines.push(at + 1);
    this.#lines = lines;
    return lines;
  }
}
