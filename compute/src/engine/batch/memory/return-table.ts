import type { Column } from '../../series/column.ts';
import type { CalendarData } from './data.ts';
import type { Workspace } from './workspace.ts';

/** The table of a batch's tickers, shared with batches of the same tickers and costs, and how to give it back. */
export function acquireTable(
  workspace: Workspace,
  data: CalendarData,
  tickers: readonly string[],
  slippage: number,
  hasSwitches: boolean,
): { table: ReturnTable; release: () => void } {
  const key = `${slippage}:${hasSwitches}:${tickers.map((ticker) => `${ticker}=${data.pricesOf(ticker).number}`).join()}`;
  const table = data.market.acquireTable(
    key,
    () => new ReturnTable(workspace, data, tickers, slippage, hasSwitches),
  );
  return { table, release: () => data.market.releaseTable(key) };
}

/**
 * Daily returns of the tickers a batch may hold, as rows of one table. With T codes (0 is cash, then the
 * tickers): row c is the return of c; row T + c that net of selling all of c at the close for another ticker;
 * row 2T + c that net of selling it for cash. A batch whose portfolios are never whole in one ticker has no
 * switches, and only the first T rows.
 */
export class ReturnTable {
  readonly at: number;
  readonly bytes: number;
  /** Whether it has the rows of a portfolio that is whole in one ticker at a time. */
  readonly hasSwitches: boolean;
  /** Bytes between rows. */
  readonly stride: number;
  /** Address of the addresses of the rows (u32 each). */
  readonly rowsAt: number;
  /** Number of codes. */
  readonly codes: number;
  /** Bytes per code. */
  readonly width: 1 | 2;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly workspace: Workspace;

  constructor(
    workspace: Workspace,
    data: CalendarData,
    tickers: readonly string[],
    slippage: number,
    hasSwitches: boolean,
  ) {
    this.workspace = workspace;
    this.numbers = new Map(tickers.map((ticker, i) => [ticker, i + 1]));
    this.codes = tickers.length + 1;
    this.width = this.codes * 3 <= 256 ? 1 : 2;
    this.stride = data.padded * 8;
    this.hasSwitches = hasSwitches;
    this.bytes = this.stride * this.codes * (hasSwitches ? 3 : 1);
    this.at = workspace.allocateColumn(this.bytes);
    const rows = Int32Array.from({ length: this.bytes / this.stride }, (_, number) => this.rowOf(number));
    this.rowsAt = workspace.allocate(rows.byteLength);
    workspace.i32.set(rows, this.rowsAt / 4);
    const { f64 } = workspace;
    const row = (number: number) => {
      const begin = (this.at + number * this.stride) / 8;
      return f64.subarray(begin, begin + data.padded);
    };
    const T = this.codes;
    row(0).fill(0);
    if (hasSwitches) {
      row(T).fill(-slippage);
      row(2 * T).fill(0);
    }
    for (const [i, ticker] of tickers.entries()) {
      const prices = data.pricesOf(ticker);
      const held = row(i + 1);
      if (hasSwitches) writeSwitched(prices, slippage, held, row(T + i + 1), row(2 * T + i + 1));
      else writeHeld(prices, held);
    }
  }

  has(ticker: string): boolean {
    return this.numbers.has(ticker);
  }

  /** Code of a ticker of the table. */
  codeOf(ticker: string): number {
    const code = this.numbers.get(ticker);
    if (code === undefined) throw new Error(`Ticker ${ticker} is not in the table`);
    return code;
  }

  /** Address of a code's returns. */
  rowOf(code: number): number {
    return this.at + code * this.stride;
  }

  /** Returns by day under a column of row numbers. */
  returnsOf(column: number): (day: number) => number {
    const { f64, u8, u16 } = this.workspace;
    return (day) => {
      const row = (this.width === 1 ? u8[column + day] : u16[column / 2 + day]) as number;
      return f64[(this.at + row * this.stride) / 8 + day] as number;
    };
  }

  dispose(): void {
    this.workspace.freeColumn(this.at);
    this.workspace.free(this.rowsAt);
  }
}

/** Writes each day's return of a ticker; 0 where it has none. */
function writeHeld({ first, last, values }: Column, held: Float64Array): void {
  clearOutside(held, first, last);
  let before = values[first] as number;
  for (let t = first + 1; t <= last; t++) {
    const price = values[t] as number;
    held[t] = price / before - 1;
    before = price;
  }
}

/** As `writeHeld`, and the same net of selling for another ticker and for cash, all in one pass. */
function writeSwitched(
  { first, last, values }: Column,
  slippage: number,
  held: Float64Array,
  switched: Float64Array,
  sold: Float64Array,
): void {
  for (const row of [held, switched, sold]) clearOutside(row, first, last);
  let before = values[first] as number;
  for (let t = first + 1; t <= last; t++) {
    const price = values[t] as number;
    const r = price / before - 1;
    held[t] = r;
    switched[t] = r - 2 * slippage * (1 + r);
    sold[t] = r - slippage * (1 + r);
    before = price;
  }
}

/** A row is 0 but on the days after the first one that has a price; all of it where there is none. */
function clearOutside(row: Float64Array, first: number, last: number): void {
  row.fill(0, 0, first + 1);
  row.fill(0, Math.max(first, last) + 1);
}
