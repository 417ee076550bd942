import type { PriceSeries } from '@quantloom/domain/ports/market-data';

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const DOT = 46;
const ZERO = 48;
/** The byte order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf];
/** Powers of ten that a float64 holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);

interface Bars {
  readonly ticker: string;
  days: Int32Array;
  closes: Float64Array;
  count: number;
}

export interface PriceFile {
  readonly prices: ReadonlyMap<string, PriceSeries>;
  /** Rows whose price is not a number above 0, or whose date or ticker cannot be read. */
  readonly rejectedRows: number;
}

/**
 * Reads a long price file (`date,ticker,adj_close` and further columns, in any order of columns and rows)
 * chunk by chunk from bytes, without a string per cell: tens of millions of rows take seconds.
 */
export class PriceCsvReader {
  private readonly decoder = new TextDecoder();
  private readonly wanted: ReadonlySet<string> | undefined;
  private readonly byTicker = new Map<string, Bars | null>();
  private readonly byHash = new Map<number, { bytes: Uint8Array; bars: Bars | null }[]>();
  private rest: Uint8Array = new Uint8Array(0);
  private columns: { date: number; ticker: number; close: number } | null = null;
  private rejectedRows = 0;
  private lastDate = new Uint8Array(0);
  private lastDay = Number.NaN;
  private readonly starts = new Int32Array(64);
  private readonly ends = new Int32Array(64);

  /** @param wanted tickers to keep; all of them where it is missing */
  constructor(wanted?: Iterable<string>) {
    this.wanted = wanted === undefined ? undefined : new Set(wanted);
  }

  /** Takes the next bytes of the file, cut anywhere. */
  push(chunk: Uint8Array): void {
    const bytes = this.rest.length === 0 ? chunk : concat(this.rest, chunk);
    let begin = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, begin);
      if (end < 0) break;
      this.line(bytes, begin, end);
      begin = end + 1;
    }
    this.rest = bytes.slice(begin);
  }

  /**
   * The series read so far, ascending by day, in shared memory. Throws on a file without header or with two
   * prices for one day.
   */
  finish(): PriceFile {
    if (this.rest.length > 0) this.line(this.rest, 0, this.rest.length);
    this.rest = new Uint8Array(0);
    if (this.columns === null)
      throw new Error('The price file is empty: expected the header date,ticker,adj_close');
    const prices = new Map<string, PriceSeries>();
    for (const bars of this.byTicker.values()) if (bars !== null) prices.set(bars.ticker, seriesOf(bars));
    return { prices, rejectedRows: this.rejectedRows };
  }

  private line(bytes: Uint8Array, begin: number, lineEnd: number): void {
    const end = lineEnd > begin && bytes[lineEnd - 1] === RETURN ? lineEnd - 1 : lineEnd;
    if (end === begin) return;
    if (this.columns === null) {
      // A mark of the encoding stands before the quote of the first cell.
      const start = MARK.every((byte, i) => bytes[begin + i] === byte) ? begin + MARK.length : begin;
      this.header(bytes, this.split(bytes, start, end));
      return;
    }
    const cells = this.split(bytes, begin, end);
    const { date, ticker, close } = this.columns;
    if (cells <= Math.max(date, ticker, close)) {
      this.rejectedRows++;
      return;
    }
    const bars = this.bars(bytes, this.starts[ticker] as number, this.ends[ticker] as number);
    if (bars === null) return;
    const day = this.day(bytes, this.starts[date] as number, this.ends[date] as number);
    const price = numberIn(bytes, this.starts[close] as number, this.ends[close] as number);
    if (Number.isNaN(day) || bars.ticker === '' || !(price > 0 && price < Number.POSITIVE_INFINITY)) {
      this.rejectedRows++;
      return;
    }
    append(bars, day, price);
  }

  /** Finds the cells of a line; quotes around a cell are left out. Answers how many there are. */
  private split(bytes: Uint8Array, begin: number, end: number): number {
    let cell = 0;
    let at = begin;
    while (cell < this.starts.length) {
      let start = at;
      let stop: number;
      if (bytes[at] === QUOTE) {
        start = at + 1;
        stop = start;
        while (stop < end && !(bytes[stop] === QUOTE && bytes[stop + 1] !== QUOTE))
          stop += bytes[stop] === QUOTE ? 2 : 1;
        at = stop + 1;
      } else {
        stop = at;
        while (stop < end && bytes[stop] !== COMMA) stop++;
        at = stop;
      }
      this.starts[cell] = start;
      this.ends[cell] = Math.min(stop, end);
      cell++;
      if (at >= end) break;
      at++;
    }
    return cell;
  }

  private header(bytes: Uint8Array, cells: number): void {
    const names = Array.from({ length: cells }, (_, i) =>
      this.decoder.decode(bytes.subarray(this.starts[i], this.ends[i])).trim().toLowerCase(),
    );
    const place = (name: string) => {
      const index = names.indexOf(name);
      if (index < 0)
        throw new Error(`The price file has no column ${name}: expected the header date,ticker,adj_close`);
      return index;
    };
    this.columns = { date: place('date'), ticker: place('ticker'), close: place('adj_close') };
  }

  /** The bars of the ticker in these bytes; null where it is not wanted. */
  private bars(bytes: Uint8Array, start: number, end: number): Bars | null {
    let hash = 2_166_136_261;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 16_777_619);
    const bucket = this.byHash.get(hash);
    for (const entry of bucket ?? []) if (equalBytes(entry.bytes, bytes, start, end)) return entry.bars;
    const ticker = this.decoder.decode(bytes.subarray(start, end)).trim();
    let bars = this.byTicker.get(ticker);
    if (bars === undefined) {
      const isWanted = this.wanted === undefined || this.wanted.has(ticker);
      bars = isWanted ? { ticker, days: new Int32Array(256), closes: new Float64Array(256), count: 0 } : null;
      this.byTicker.set(ticker, bars);
    }
    const entry = { bytes: bytes.slice(start, end), bars };
    if (bucket === undefined) this.byHash.set(hash, [entry]);
    else bucket.push(entry);
    return bars;
  }

  private day(bytes: Uint8Array, start: number, end: number): number {
    if (!equalBytes(this.lastDate, bytes, start, end)) {
      this.lastDate = bytes.slice(start, end);
      this.lastDay = dayIn(bytes, start, end);
    }
    return this.lastDay;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function equalBytes(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}

/** `YYYY-MM-DD`, optionally followed by a time, as days since 1970-01-01; NaN for anything else. */
function dayIn(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 10) return Number.NaN;
  const text = String.fromCharCode(...bytes.subarray(start, start + 10));
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Number.NaN;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return new Date(ms || 0).toISOString().startsWith(text) ? ms / 86_400_000 : Number.NaN;
}

/** A decimal number, rounded exactly as `Number` would; short plain ones without going through a string. */
function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let mantissa = 0;
  let digits = 0;
  let decimals = -1;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === DOT && decimals < 0) decimals = 0;
    else if (byte >= ZERO && byte <= ZERO + 9) {
      mantissa = mantissa * 10 + (byte - ZERO);
      if (mantissa > 0) digits++;
      if (decimals >= 0) decimals++;
    } else return slowNumber(bytes, start, end);
  }
  if (digits > 15 || decimals > 22 || end === start) return slowNumber(bytes, start, end);
  return decimals > 0 ? mantissa / (POWERS[decimals] as number) : mantissa;
}

function slowNumber(bytes: Uint8Array, start: number, end: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, end)).trim();
  return text === '' ? Number.NaN : Number(text);
}

function append(bars: Bars, day: number, close: number): void {
  if (bars.count === bars.days.length) {
    const days = new Int32Array(bars.count * 2);
    days.set(bars.days);
    bars.days = days;
    const closes = new Float64Array(bars.count * 2);
    closes.set(bars.closes);
    bars.closes = closes;
  }
  bars.days[bars.count] = day;
  bars.closes[bars.count] = close;
  bars.count++;
}

function seriesOf({ ticker, days, closes, count }: Bars): PriceSeries {
  const order = new Uint32Array(count).map((_, i) => i);
  let isSorted = true;
  for (let i = 1; i < count && isSorted; i++) isSorted = (days[i] as number) > (days[i - 1] as number);
  if (!isSorted) order.sort((a, b) => (days[a] as number) - (days[b] as number));
  const sortedDays = new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
  const sortedCloses = new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < count; i++) {
    sortedDays[i] = days[order[i] as number] as number;
    sortedCloses[i] = closes[order[i] as number] as number;
    if (i > 0 && sortedDays[i] === sortedDays[i - 1]) {
      const date = new Date((sortedDays[i] as number) * 86_400_000).toISOString().slice(0, 10);
      throw new Error(`The price file has two prices of ${ticker} on ${date}`);
    }
  }
  return { ticker, days: sortedDays, closes: sortedCloses };
}
