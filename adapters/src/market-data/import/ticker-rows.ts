import { formatDay } from '@quantloom/domain/market-data/day';
import type { SourcePart } from './join-sources.ts';
import type { StagedReject, Staging } from './staging.ts';

/** All usable rows of one ticker, by the files they came from. */
export interface TickerRows {
  /** Index in `staging.tickers`. */
  readonly ticker: number;
  /** Rows in all. */
  readonly count: number;
  readonly parts: readonly SourcePart[];
}

export interface TickerVisitor {
  /** In the order of the tickers; `next` is the one that follows, where it is known already. */
  readonly onTicker: (rows: TickerRows, next: number | null) => Promise<void>;
  /** A row of a day that its file has more than once: `duplicate_day` at the same price, else `conflicting_price`. */
  readonly onDouble: (double: StagedReject) => void;
}

/** Growing columns of one ticker's rows, in the order of day, file and row. */
class Rows {
  days = new Int32Array(16_384);
  prices = new Float64Array(16_384);
  files = new Int32Array(16_384);
  /** Row numbers may be larger than 32 bits. */
  numbers = new Float64Array(16_384);
  others = new Float64Array(16_384);
  splits = new Float64Array(16_384);
  count = 0;

  add(day: number, price: number, file: number, row: number, other: number, split: number): void {
    if (this.count === this.days.length) this.#grow();
    this.days[this.count] = day;
    this.prices[this.count] = price;
    this.files[this.count] = file;
    this.others[this.count] = other;
    this.splits[this.count] = split;
    this.numbers[this.count++] = row;
  }

  #grow(): void {
    const grown = <Column extends Int32Array | Float64Array>(column: Column, longer: Column): Column => {
      longer.set(column);
      return longer;
    };
    const length = this.count * 2;
    this.days = grown(this.days, new Int32Array(length));
    this.prices = grown(this.prices, new Float64Array(length));
    this.files = grown(this.files, new Int32Array(length));
    this.numbers = grown(this.numbers, new Float64Array(length));
    this.others = grown(this.others, new Float64Array(length));
    this.splits = grown(this.splits, new Float64Array(length));
  }
}

/** Walks all rows of an import, ticker by ticker. */
export async function visitTickers(staging: Staging, visitor: TickerVisitor): Promise<void> {
  const rows = new Rows();
  let ticker = -1;
  const finished: TickerRows[] = [];
  const finish = () => {
    if (rows.count === 0) return;
    const parts = partsOf(rows, staging.tickers[ticker] as string, visitor.onDouble);
    const count = parts.reduce((sum, { days }) => sum + days.length, 0);
    if (count > 0) finished.push({ ticker, count, parts });
    rows.count = 0;
  };
  const store = async () => {
    const ready = finished.splice(0);
    for (const [i, one] of ready.entries()) await visitor.onTicker(one, ready[i + 1]?.ticker ?? null);
  };
  await staging.visit((nextTicker, day, price, file, row, other, split) => {
    if (nextTicker !== ticker) {
      finish();
      ticker = nextTicker;
    }
    rows.add(day, price, file, row, other, split);
  }, store);
  finish();
  await store();
}

function partsOf(rows: Rows, ticker: string, onDouble: TickerVisitor['onDouble']): SourcePart[] {
  const { count, files } = rows;
  const seen = new Set<number>();
  for (let i = 0; i < count; i++) seen.add(files[i] as number);
  return [...seen]
    .sort((a, b) => a - b)
    .map((file) => partOf(rows, ticker, file, seen.size === 1, onDouble))
    .filter(({ days }) => days.length > 0);
}

function partOf(
  rows: Rows,
  ticker: string,
  file: number,
  isOnly: boolean,
  onDouble: TickerVisitor['onDouble'],
): SourcePart {
  const { count } = rows;
  const days = new Int32Array(count);
  const closes = new Float64Array(count);
  const others = new Float64Array(count);
  const splits = new Float64Array(count);
  let kept = 0;
  let i = 0;
  while (i < count) {
    if (!isOnly && rows.files[i] !== file) {
      i++;
      continue;
    }
    const day = rows.days[i] as number;
    let end = i + 1;
    // Rows of a day and file stand together.
    while (end < count && rows.days[end] === day && rows.files[end] === file) end++;
    if (end - i > 1) kept = doubles(rows, ticker, i, end, onDouble) ? put(i) : kept;
    else kept = put(i);
    i = end;
  }
  const hasOthers = others.subarray(0, kept).some((price) => !Number.isNaN(price));
  return {
    file,
    days: days.slice(0, kept),
    closes: closes.slice(0, kept),
    ...(hasOthers && { others: others.slice(0, kept), splits: splits.slice(0, kept) }),
  };

  function put(row: number): number {
    days[kept] = rows.days[row] as number;
    closes[kept] = rows.prices[row] as number;
    others[kept] = rows.others[row] as number;
    splits[kept] = rows.splits[row] as number;
    return kept + 1;
  }
}

/** Reports rows of the same day; true where they agree, so that the first of them counts. */
function doubles(
  rows: Rows,
  ticker: string,
  from: number,
  to: number,
  onDouble: TickerVisitor['onDouble'],
): boolean {
  const price = rows.prices[from] as number;
  let agree = true;
  for (let i = from + 1; i < to; i++) if (rows.prices[i] !== price) agree = false;
  for (let i = agree ? from + 1 : from; i < to; i++)
    onDouble({
      fileIndex: rows.files[i] as number,
      row: rows.numbers[i] as number,
      reason: agree ? 'duplicate_day' : 'conflicting_price',
      ticker,
      date: formatDay(rows.days[i] as number),
      price: String(rows.prices[i]),
    });
  return agree;
}
