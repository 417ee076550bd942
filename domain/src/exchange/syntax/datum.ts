/**
 * What a text of any of the notations holds, in one form: the values of JSON; objects for maps whose keys are
 * words or numbers, keywords and decimals as text; and the three things that JSON does not have.
 */
export type Datum = unknown;

/** A bare word of a parenthesised form: `rsi`, `>=`. */
export class Word {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A parenthesised form, `(rsi "SPY" {:window 10})`. */
export class Form {
  readonly items: readonly Datum[];
  /** Where it begins in the text. */
  readonly offset: number;
  constructor(items: readonly Datum[], offset: number) {
    this.items = items;
    this.offset = offset;
  }
}

/** A map with keys that are no words: `{{:feature :price, :ticker "SPY"} 378.87}`. */
export class Pairs {
  readonly entries: readonly (readonly [Datum, Datum])[];
  constructor(entries: readonly (readonly [Datum, Datum])[]) {
    this.entries = entries;
  }
}
