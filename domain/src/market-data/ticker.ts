/**
 * Tickers are stored under one spelling: upper case, share classes behind a hyphen (`BRK-B`). Sources and
 * users write `BRK.B`, `BRK/B`, `BRK B` or, where a variable list has dropped the punctuation, `BRKB`: all of
 * them find it.
 */

const STORED = /^(?:SIM:)?[A-Z0-9](?:[A-Z0-9-]{0,18}[A-Z0-9])?$/;

/** The spelling a ticker is stored under, or null for a text that is no ticker. */
export function canonicalTicker(spelling: string): string | null {
  const text = spelling
    .trim()
    .toUpperCase()
    .replace(/^\^/, '')
    .replaceAll(/[./_ ]+/g, '-');
  return STORED.test(text) ? text : null;
}

/** Letters, digits and colon alone: what a variable list leaves of a ticker. */
export function compactTicker(spelling: string): string {
  return spelling.toUpperCase().replaceAll(/[^A-Z0-9:]/g, '');
}

/** Finds the stored ticker for every common spelling. */
export class TickerIndex {
  readonly #stored: ReadonlySet<string>;
  readonly #compact: ReadonlyMap<string, string>;

  constructor(tickers: Iterable<string>) {
    this.#stored = new Set(tickers);
    const compact = new Map<string, string>();
    // Where two stored tickers differ by punctuation alone, the first in order of the alphabet answers to the
    // bare letters.
    for (const ticker of [...this.#stored].sort()) {
      const key = compactTicker(ticker);
      if (!compact.has(key)) compact.set(key, ticker);
    }
    this.#compact = compact;
  }

  /** The stored ticker, or null. The exact spelling wins over one that differs by punctuation. */
  find(spelling: string): string | null {
    const text = spelling.trim().toUpperCase();
    if (this.#stored.has(text)) return text;
    const canonical = canonicalTicker(text);
    if (canonical === null) return null;
    if (this.#stored.has(canonical)) return canonical;
    return this.#compact.get(compactTicker(canonical)) ?? null;
  }
}
