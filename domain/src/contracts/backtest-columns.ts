/**
 * A backtest's answer in columns: what the engine computes it in, and how it travels to readers that ask for
 * it so. JSON writes and reads every number of 36 years as digits; columns are copied.
 */
import type { BacktestAnswer } from './backtest.ts';

/** Media type of the bytes that `encodeColumns` makes; the version goes up when their layout changes. */
export const COLUMNS_TYPE = 'application/vnd.quantloom.backtest-columns.v1';

/** Lists of numbers by day as Float64Array, lists of yes and no as Uint8Array of 1 and 0, all else as it is. */
export type InColumns<T> = T extends readonly number[]
  ? Float64Array
  : T extends readonly boolean[]
    ? Uint8Array
    : T extends readonly unknown[]
      ? T
      : T extends object
        ? { readonly [Key in keyof T]: InColumns<T[Key]> }
        : T;

export type BacktestColumns = InColumns<BacktestAnswer>;

/** How a column lies in the bytes, see `encodeColumns`. */
interface ColumnEntry {
  /** Where in the answer it belongs. */
  readonly path: readonly string[];
  readonly kind: 'numbers' | 'runs' | 'flags';
  /** Days. */
  readonly length: number;
  /** Of `runs`: how many there are. */
  readonly runs?: number;
}

interface Header {
  /** The answer with 0 in the place of every column. */
  readonly answer: unknown;
  readonly columns: readonly ColumnEntry[];
}

type Column = Float64Array | Uint8Array;
type Members = Record<string, unknown>;

export const isColumn = (value: unknown): value is Column =>
  value instanceof Float64Array || value instanceof Uint8Array;
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const aligned = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** What JSON makes of a number: null where it is none, and no zero is negative. */
const asInJson = (value: number): number =>
  Number.isFinite(value) ? value + 0 : (null as unknown as number);

/** The answer with plain lists, as its JSON has it. */
export function listsOf(answer: BacktestColumns): BacktestAnswer {
  return withoutColumns(answer, listOf) as BacktestAnswer;
}

/** A column as JSON has it. */
export function listOf(column: Column): number[] | boolean[] {
  return column instanceof Float64Array ? numbersOf(column) : flagsOf(column);
}

function numbersOf(column: Float64Array): number[] {
  const list = new Array<number>(column.length);
  for (let t = 0; t < list.length; t++) list[t] = asInJson(column[t] as number);
  return list;
}

function flagsOf(column: Uint8Array): boolean[] {
  const list = new Array<boolean>(column.length);
  for (let t = 0; t < list.length; t++) list[t] = column[t] === 1;
  return list;
}

/** A copy in which every column is replaced. Lists hold no columns. */
function withoutColumns(
  value: unknown,
  replace: (column: Column, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  if (isColumn(value)) return replace(value, path);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutColumns(member, replace, [...path, key])]),
  );
}

/**
 * Writes an answer as bytes, little-endian: the header's length (uint32), the header (JSON, UTF-8), then the
 * columns in the header's order. Header and columns each begin at a multiple of 8, the header at 8. A column
 * is its numbers (`numbers`: float64), its runs of equal numbers (`runs`: a float64 for each, then its days,
 * a uint32 each), or a bit for each day, the lowest first (`flags`).
 *
 * @param most bytes; `beyond` is called, and has to throw, before more are taken
 */
export function encodeColumns(
  answer: BacktestColumns,
  most = Number.POSITIVE_INFINITY,
  beyond: () => void = () => undefined,
): Uint8Array<ArrayBuffer> {
  const columns: { entry: ColumnEntry; column: Column; bytes: number }[] = [];
  const skeleton = withoutColumns(answer, (column, path) => {
    const { length } = column;
    const runs = column instanceof Float64Array ? countRuns(column) : 0;
    if (column instanceof Uint8Array)
      columns.push({ entry: { path, kind: 'flags', length }, column, bytes: Math.ceil(length / 8) });
    else if (12 * runs < 8 * length)
      columns.push({ entry: { path, kind: 'runs', length, runs }, column, bytes: 12 * runs });
    else columns.push({ entry: { path, kind: 'numbers', length }, column, bytes: 8 * length });
    return 0;
  });
  const header: Header = { answer: skeleton, columns: columns.map(({ entry }) => entry) };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const size = columns.reduce((sum, { bytes }) => sum + aligned(bytes), 8 + aligned(text.length));
  if (size > most) beyond();
  const result = new Uint8Array(size);
  new DataView(result.buffer).setUint32(0, text.length, true);
  result.set(text, 8);
  let at = 8 + aligned(text.length);
  for (const { entry, column, bytes } of columns) {
    if (column instanceof Uint8Array) writeFlags(result, at, column);
    else if (entry.runs !== undefined) writeRuns(result.buffer, at, column, entry.runs);
    else new Float64Array(result.buffer, at, column.length).set(column);
    at += aligned(bytes);
  }
  return result;
}

/** Reads what `encodeColumns` wrote: the very answer that JSON would have given. */
export function decodeColumns(bytes: Uint8Array): BacktestAnswer {
  // Columns are looked at where they lie, which takes places that are multiples of 8.
  const { buffer, byteOffset } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const { answer, columns } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 8, length)),
  ) as Header;
  let at = byteOffset + 8 + aligned(length);
  for (const { path, kind, length: days, runs = 0 } of columns) {
    let list: number[] | boolean[];
    switch (kind) {
      case 'numbers':
        list = numbersOf(new Float64Array(buffer, at, days));
        at += 8 * days;
        break;
      case 'runs':
        list = readRuns(buffer, at, days, runs);
        at += aligned(12 * runs);
        break;
      case 'flags':
        list = readFlags(new Uint8Array(buffer, at, Math.ceil(days / 8)), days);
        at += aligned(Math.ceil(days / 8));
    }
    put(answer, path, list);
  }
  return answer as BacktestAnswer;
}

function put(answer: unknown, path: readonly string[], list: unknown): void {
  const [last = ''] = path.slice(-1);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (isMembers(at) ? at[key] : undefined), answer);
  if (!isMembers(holder)) throw new Error(`The answer has no place for the column ${path.join('.')}`);
  holder[last] = list;
}

const isSame = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b));

function countRuns(column: Float64Array): number {
  let runs = column.length > 0 ? 1 : 0;
  for (let t = 1; t < column.length; t++) if (!isSame(column[t] as number, column[t - 1] as number)) runs++;
  return runs;
}

function writeRuns(buffer: ArrayBuffer, at: number, column: Float64Array, runs: number): void {
  const values = new Float64Array(buffer, at, runs);
  const days = new Uint32Array(buffer, at + 8 * runs, runs);
  let run = -1;
  for (let t = 0; t < column.length; t++) {
    const value = column[t] as number;
    if (t === 0 || !isSame(value, column[t - 1] as number)) values[++run] = value;
    days[run] = (days[run] as number) + 1;
  }
}

function readRuns(buffer: ArrayBufferLike, at: number, length: number, runs: number): number[] {
  const values = new Float64Array(buffer, at, runs);
  const days = new Uint32Array(buffer, at + 8 * runs, runs);
  const list = new Array<number>(length);
  let t = 0;
  for (let run = 0; run < runs; run++) {
    const value = asInJson(values[run] as number);
    for (const end = t + (days[run] as number); t < end; t++) list[t] = value;
  }
  return list;
}

function writeFlags(target: Uint8Array, at: number, column: Uint8Array): void {
  for (let t = 0; t < column.length; t++)
    if (column[t] === 1) target[at + (t >> 3)] = (target[at + (t >> 3)] as number) | (1 << (t & 7));
}

function readFlags(bits: Uint8Array, length: number): boolean[] {
  const list = new Array<boolean>(length);
  for (let t = 0; t < length; t++) list[t] = (((bits[t >> 3] as number) >> (t & 7)) & 1) === 1;
  return list;
}
