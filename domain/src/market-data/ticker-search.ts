import { fundWords } from './fund-words.ts';
import { SIMULATED_PREFIX } from './simulated-prefix.ts';
import { compactTicker } from './ticker.ts';

/** What the search needs to know of an asset; whatever else a record carries comes back with it. */
export interface SearchableAsset {
  readonly ticker: string;
  readonly name: string;
}

export interface TickerSearchOptions {
  /** Default 25. */
  readonly limit?: number;
  /** Whether `SIM:` tickers may be found. Default false. */
  readonly includeSimulatedTickers?: boolean;
}

export const MAX_RESULTS = 25;

/** Groups of matches, best first; within a group shorter tickers come first, then the alphabet decides. */
const EXACT_TICKER = 0;
const TICKER_PREFIX = 1;
const NAME_START = 2;
const WHOLE_WORD = 3;
const WORD_PREFIX = 4;

interface Entry<Asset> {
  readonly asset: Asset;
  /** Compact ticker, without the prefix of simulated ones. */
  readonly key: string;
  readonly isSimulated: boolean;
  readonly name: string;
  readonly words: readonly string[];
  /** Place among all entries within a group of matches. */
  order: number;
}

/**
 * Search over all tickers for every key that is typed: a prefix of the ticker (in any spelling) or prefixes
 * of words of the name, all of them, in any order. Built once for 10,000 assets in some 50 ms;
 * `bench/market-data` has the figures.
 */
export class TickerSearch<Asset extends SearchableAsset> {
  readonly #byTicker: readonly Entry<Asset>[];
  /** All words of all names, sorted, each with its entries. */
  readonly #words: readonly (readonly [word: string, entries: Entry<Asset>[]])[];
  readonly #exact: ReadonlyMap<string, Asset>;

  constructor(assets: Iterable<Asset>) {
    const entries: Entry<Asset>[] = [];
    const byWord = new Map<string, Entry<Asset>[]>();
    for (const asset of assets) {
      const isSimulated = asset.ticker.startsWith(SIMULATED_PREFIX);
      const symbol = isSimulated ? asset.ticker.slice(SIMULATED_PREFIX.length) : asset.ticker;
      const words = wordsOf(asset.name);
      const entry = {
        asset,
        key: compactTicker(symbol),
        isSimulated,
        name: words.join(' '),
        words: [...words, ...wordsOf(fundWords(symbol))],
        order: 0,
      };
      entries.push(entry);
      for (const word of entry.words) {
        const ofWord = byWord.get(word);
        if (!ofWord) byWord.set(word, [entry]);
        else if (ofWord.at(-1) !== entry) ofWord.push(entry);
      }
    }
    entries.sort(
      (a, b) =>
        Number(a.isSimulated) - Number(b.isSimulated) || a.key.length - b.key.length || compare(a.key, b.key),
    );
    for (const [order, entry] of entries.entries()) entry.order = order;
    this.#byTicker = entries.sort((a, b) => compare(a.key, b.key));
    this.#words = [...byWord].sort(([a], [b]) => compare(a, b));
    this.#exact = new Map(entries.map(({ asset }) => [compactTicker(asset.ticker), asset]));
  }

  get size(): number {
    return this.#byTicker.length;
  }

  /** The asset of a ticker in any of its spellings, for example to show its name. */
  find(ticker: string): Asset | null {
    return this.#exact.get(compactTicker(ticker)) ?? null;
  }

  /** The best matches, at most `limit`; none for an empty query. */
  search(query: string, options: TickerSearchOptions = {}): Asset[] {
    const { limit = MAX_RESULTS, includeSimulatedTickers = false } = options;
    const text = query.trim().toUpperCase();
    const onlySimulated = text.startsWith(SIMULATED_PREFIX);
    const key = compactTicker(onlySimulated ? text.slice(SIMULATED_PREFIX.length) : text);
    const isWanted = (entry: Entry<Asset>) => (entry.isSimulated ? includeSimulatedTickers : !onlySimulated);
    const best = new Best<Asset>(limit);
    if (key !== '' || onlySimulated) {
      const all = this.#byTicker;
      for (let i = lowerBound(all, key, (entry) => entry.key); i < all.length; i++) {
        const entry = all[i] as Entry<Asset>;
        if (!entry.key.startsWith(key)) break;
        if (isWanted(entry)) best.add(entry, entry.key === key ? EXACT_TICKER : TICKER_PREFIX);
      }
    }
    // Names come behind all tickers: where those fill the list there is nothing left to look for.
    const words = onlySimulated || best.isFull ? [] : wordsOf(text);
    if (words.length > 0) this.#addNames(words, isWanted, best);
    return best.assets();
  }

  #addNames(words: readonly string[], isWanted: (entry: Entry<Asset>) => boolean, best: Best<Asset>): void {
    const all = this.#words;
    // The longest word has the fewest candidates.
    const rarest = words.reduce((longest, word) => (word.length > longest.length ? word : longest));
    const phrase = words.join(' ');
    for (let i = lowerBound(all, rarest, ([word]) => word); i < all.length; i++) {
      const [word, entries] = all[i] as (typeof all)[number];
      if (!word.startsWith(rarest)) return;
      for (const entry of entries) {
        if (!isWanted(entry)) continue;
        if (words.length > 1 && !words.every((wanted) => entry.words.some((own) => own.startsWith(wanted))))
          continue;
        if (entry.name.startsWith(phrase)) best.add(entry, NAME_START);
        else if (words.every((wanted) => entry.words.includes(wanted))) best.add(entry, WHOLE_WORD);
        else best.add(entry, WORD_PREFIX);
      }
    }
  }
}

/** Keeps the best matches seen, each entry once. */
class Best<Asset> {
  readonly #limit: number;
  readonly #kept: { readonly score: number; readonly entry: Entry<Asset> }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#kept.length >= this.#limit;
  }

  add(entry: Entry<Asset>, rank: number): void {
    const kept = this.#kept;
    const score = rank * 2 ** 32 + entry.order;
    if (this.isFull && score >= (kept.at(-1)?.score ?? Number.POSITIVE_INFINITY)) return;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((kept[middle] as { score: number }).score < score) low = middle + 1;
      else high = middle;
    }
    // By its ticker it ranks higher than by its name, by all words of its name alike.
    if (kept.some((one) => one.entry === entry)) return;
    kept.splice(low, 0, { score, entry });
    if (kept.length > this.#limit) kept.pop();
  }

  assets(): Asset[] {
    return this.#kept.map(({ entry }) => entry.asset);
  }
}

/** Words of letters and digits, upper case, without accents; `McDonald's` is one word. */
function wordsOf(text: string): string[] {
  const upper = text.toUpperCase();
  if (/^[A-Z0-9 ]*$/.test(upper)) return upper.split(' ').filter(Boolean);
  return (
    upper
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036F'’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Order of UTF-16 units: fast, and what `startsWith` goes with. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function lowerBound<Item>(items: readonly Item[], wanted: string, keyOf: (item: Item) => string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(items[middle] as Item) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
