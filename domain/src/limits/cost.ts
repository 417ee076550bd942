import { type StrategySize, sizeOf } from '../strategy/size.ts';
import type { HeldTree } from '../strategy/stored-tree.ts';

/**
 * What a call costs: milliseconds of one processor, foretold from what is known before the work begins. A
 * foretold cost need not be exact: what a run really took is charged when it has ended.
 */

/** Kinds of costly calls, and what each takes at least. */
export const CALL_COSTS = {
  run: 10,
  estimate: 40,
  batch: 80,
  save: 5,
  clone: 10,
  import: 5,
  query: 20,
  /** Something that is small as a rule; what it really takes is charged by its size where that is known. */
  read: 2,
  /** What a route costs that names no kind: something is looked up. */
  small: 2,
  /** The same where something is written: an event, its read models, and a disk that has to say that it has them. */
  change: 10,
} as const;

export type CostKind = keyof typeof CALL_COSTS;

/**
 * Reading, checking, comparing, storing and projecting a megabyte of JSON. It takes a tenth of that, but of
 * the one thread that answers everybody: ten times as dear as the threads that compute.
 */
const PER_MEGABYTE = 1_500;
/** The same for a block of a strategy that is stored already. */
const PER_STORED_BLOCK = 0.45;

/** Sending a text that nobody looks at takes this part of reading it. */
const PART_OF_SENDING = 0.1;

/** A body of that many bytes. */
export function costOfBytes(bytes: number): number {
  return (bytes / 1_000_000) * PER_MEGABYTE;
}

/** Making an answer's JSON, and reading what it is made of, takes this part of reading as much. */
const PART_OF_ANSWERING = 0.2;

/** A JSON answer of that many characters. */
export function costOfAnswer(characters: number): number {
  return costOfBytes(characters) * PART_OF_ANSWERING;
}

/**
 * Reading an event of a stream to find what it came to: most of them are small, and none of a strategy holds
 * more than 16 KB of tree.
 */
const PER_EVENT = 0.1;
/** Reading a megabyte of a stream's events, a page at a time. */
const PER_READ_MEGABYTE = 10;

/** Folding so many events of a stream. */
export function costOfEvents(events: number): number {
  return events * PER_EVENT;
}

/** Folding a stream of so many characters. */
export function costOfStream(characters: number): number {
  return (characters / 1_000_000) * PER_READ_MEGABYTE;
}

/** A second of the one thread that answers everybody is as dear as ten of those that compute. */
const SERVING = 10;
/** Milliseconds of reading that any call may take, and events. */
const READ_BY_ANY = 1;
const EVENTS_OF_ANY = 100;

/**
 * What finding and reading has taken of the thread that answers everybody, on top of what every call does.
 *
 * @param milliseconds in which it did nothing else
 * @param events of streams that were read
 */
export function costOfReading(milliseconds: number, events: number): number {
  return (
    Math.max(0, milliseconds - READ_BY_ANY) * SERVING + costOfEvents(Math.max(0, events - EVENTS_OF_ANY))
  );
}

/** A call of a kind whose body has that many bytes. */
export function costOfCall(kind: CostKind, bytes: number): number {
  return CALL_COSTS[kind] + costOfBytes(bytes);
}

/** Copying or restoring a stored tree. */
export function costOfStoredTree(held: HeldTree): number {
  // Of one that is stored by itself only its text is sent.
  return held.tree
    ? costOfBytes(held.tree.size) * PART_OF_SENDING
    : sizeOf(held.algorithm).blocks * PER_STORED_BLOCK;
}

/** Measured on the reference engine: milliseconds by block and day, by ticker, by comparison and day, by own series. */
const PER_BLOCK_DAY = 5e-5;
const PER_TICKER = 0.1;
const PER_COMPARISON_DAY = 1.5e-5;
const PER_OWN_SERIES = 1;
/** Keeping, rounding and writing a day of a block or condition, where a run is asked for its reasons. */
const PER_REASON = 1e-4;
const TRADING_DAYS_A_DAY = 252 / 365.25;

/** Whether a run has to say, day by day and block by block, why it held what it held. */
export function wantsReasons(
  include: { readonly explanation?: boolean; readonly attribution?: boolean } | null | undefined,
): boolean {
  return include?.explanation === true || include?.attribution === true;
}

/**
 * A single backtest of a strategy of that size.
 *
 * @param days calendar days from the first to the last
 * @param include what its answer has besides the metrics
 */
export function costOfRun(
  size: StrategySize,
  days: number,
  include?: Parameters<typeof wantsReasons>[0],
): number {
  const tradingDays = days * TRADING_DAYS_A_DAY;
  return (
    size.blocks * tradingDays * (PER_BLOCK_DAY + (wantsReasons(include) ? PER_REASON : 0)) +
    size.tickers * PER_TICKER +
    size.comparisons * tradingDays * PER_COMPARISON_DAY +
    size.ownSeries * PER_OWN_SERIES * (1 + size.depth / 2)
  );
}

/**
 * Milliseconds by combination that an earlier batch may have already, and by block of that one's template,
 * which is read for it.
 */
const PER_SOUGHT_ROW = 5e-5;
const PER_SOUGHT_BLOCK = 0.02;

/** Looking for the rows of a batch in an earlier one. */
export function costOfReuse(combinations: number, blocks: number): number {
  return combinations * PER_SOUGHT_ROW + blocks * PER_SOUGHT_BLOCK;
}

/** Milliseconds by row of a batch: one that is sorted or filtered for a page, and one that is written into a file. */
const PER_SORTED_ROW = 2.5e-4;
const PER_FILE_ROW = 2e-3;

/** Looking through all rows of a batch for a page, or writing them into a file. */
export function costOfRows(rows: number, form: 'page' | 'file'): number {
  return rows * (form === 'file' ? PER_FILE_ROW : PER_SORTED_ROW);
}
