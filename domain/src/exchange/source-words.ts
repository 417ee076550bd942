import { type Datum, Form, Pairs, Word } from './syntax/datum.ts';

/** More is cut in a report anyway. */
const MAX_LENGTH = 300;

/**
 * A part of a source as it stood there, more or less, for a report: numbers and tickers that are lost can be
 * read in it.
 */
export function sourceWords(value: Datum): string {
  const words = new Words();
  words.put(value);
  return words.text;
}

/** Stops as soon as there is enough, so that neither a deep nor a long value costs more. */
class Words {
  text = '';

  put(value: Datum): void {
    if (this.text.length > MAX_LENGTH) return;
    if (value instanceof Word) this.text += value.text;
    else if (value instanceof Form) this.#list('(', value.items, ')');
    else if (value instanceof Pairs) this.text += '{…}';
    else if (Array.isArray(value)) this.#list('[', value as Datum[], ']');
    else if (typeof value === 'object' && value !== null) this.#map(value as Record<string, Datum>);
    else if (typeof value === 'number') this.text += String(value);
    else this.text += JSON.stringify(value ?? null).slice(0, MAX_LENGTH);
  }

  #list(open: string, items: readonly Datum[], close: string): void {
    this.text += open;
    for (const [index, item] of items.entries()) {
      if (this.text.length > MAX_LENGTH) return;
      if (index > 0) this.text += open === '(' ? ' ' : ', ';
      this.put(item);
    }
    this.text += close;
  }

  #map(map: Readonly<Record<string, Datum>>): void {
    this.text += '{';
    for (const [index, [key, item]] of Object.entries(map).entries()) {
      if (this.text.length > MAX_LENGTH) return;
      this.text += `${index > 0 ? ', ' : ''}${key}: `;
      this.put(item);
    }
    this.text += '}';
  }
}
