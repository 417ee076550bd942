import { readFileSync } from 'node:fs';
import { LANES } from './shared.ts';

type Address = number;

/** The kernels of `assembly/`, by name; see there what each computes. Addresses are byte offsets into the memory they were made over. */
export interface Kernels {
  greater(a: Address, b: Address, out: Address, days: number): void;
  ranksAbove(a: Address, b: Address, out: Address, days: number): void;
  greaterThanNumber(a: Address, number: number, sign: number, out: Address, days: number): void;
  equal(a: Address, b: Address, out: Address, days: number): void;
  equalToNumber(a: Address, number: number, out: Address, days: number): void;
  andInto(a: Address, out: Address, bytes: number): void;
  orInto(a: Address, out: Address, bytes: number): void;
  countBetter(mask: Address, first: Address, second: Address, bytes: number): void;
  chosenAs(ranks: Address, take: number, chosen: Address, before: number, out: Address, days: number): void;
  countChosen(ranks: Address, take: number, chosen: Address, days: number): void;
  hasRanks(counts: Address, children: number, take: number, from: number, to: number): number;
  select8: Select;
  select16: Select;
  select64: Select;
  changes8: Changes;
  changes16: Changes;
  changesOf8: ChangesOf;
  changesOf16: ChangesOf;
  maskedInto8: MaskedInto;
  maskedInto16: MaskedInto;
  maskedInto64: MaskedInto;
  fill8(out: Address, value: number, days: number): void;
  fill16(out: Address, value: number, days: number): void;
  fill64(out: Address, value: number, days: number): void;
  simulateSelected8: SimulateSelected;
  simulateSelected16: SimulateSelected;
  simulateColumns(
    lanes: Address,
    cuts: Address,
    segments: number,
    out: Address,
    half: number,
    benchmark: Address,
  ): void;
  summarize8: Summarize;
  summarize16: Summarize;
  sumSections(sums: Address, ends: Address, steps: number, out: Address): void;
  extractLane(tile: Address, lane: number, count: number, out: Address): void;
  compose(owners: Address, count: number, lane: Address, tile: Address, state: Address): void;
  findPieces(
    mask: Address,
    cuts: Address,
    segments: number,
    a: Address,
    b: Address,
    owners: Address,
    total: Address,
  ): number;
  identify(
    plan: Address,
    inputs: Address,
    count: number,
    entries: number,
    placeCount: number,
    hashes: Address,
    ids: Address,
    samples: Address,
  ): number;
  assign8(plan: Address, combinations: number, tuples: number): number;
  assign16(plan: Address, combinations: number, tuples: number): number;
  simulateSequences8: SimulateSequences;
  simulateSequences16: SimulateSequences;
  accumulate(
    tupleOf: Address,
    tuples: Address,
    records: Address,
    states: Address,
    totals: Address,
    combinations: number,
    others: Address,
    compared: Address,
  ): void;
  continueStates(before: Address, states: Address, combinations: number): void;
  beginStates(states: Address, combinations: number): void;
  gross8: Gross;
  gross16: Gross;
  trade8: Trade;
  trade16: Trade;
  gather8: Gather;
  gather16: Gather;
  investedShares8: InvestedShares;
  investedShares16: InvestedShares;
  markSame8(a: Address, b: Address, marks: Address, from: number, to: number): void;
  markSame16(a: Address, b: Address, marks: Address, from: number, to: number): void;
  addShares(
    a: Address,
    constantA: number,
    b: Address,
    constantB: number,
    from: number,
    to: number,
    out: Address,
  ): void;
  trade8Slots: TradeSlots;
  trade16Slots: TradeSlots;
  invert(a: Address, out: Address, from: number, to: number): number;
  heldWeighted(
    parts: Address,
    count: number,
    slippage: number,
    from: number,
    to: number,
    out: Address,
    moved: Address,
  ): void;
  countSwitches8(column: Address, from: number, to: number, codes: number): number;
  countSwitches16(column: Address, from: number, to: number, codes: number): number;
  countBranch8: CountBranch;
  countBranch16: CountBranch;
  sumMoved(returns: Address, moved: Address, slippage: number, from: number, to: number, out: Address): void;
  grown(u: Address, returns: Address, out: Address, from: number, to: number): void;
  simulateInverse(
    lanes: Address,
    count: number,
    slippage: number,
    cuts: Address,
    segments: number,
    out: Address,
    scratch: Address,
    moved: Address,
    benchmark: Address,
  ): void;
  inverseShares(inputs: Address, outputs: Address, count: number, from: number, to: number): void;
  multiply(a: Address, b: Address, out: Address, from: number, to: number): void;
  multiplyBy(a: Address, number: number, out: Address, from: number, to: number): void;
}

type CountBranch = (
  mask: Address,
  isThen: number,
  column: Address,
  codes: number,
  cuts: Address,
  steps: number,
  out: Address,
) => void;
type TradeSlots = (
  slots: Address,
  count: number,
  table: Address,
  stride: number,
  settings: Address,
  first: number,
  last: number,
  work: Address,
  out: Address,
) => void;
type Select = (mask: Address, a: Address, b: Address, out: Address, days: number) => void;
type MaskedInto = (mask: Address, source: Address, out: Address, days: number) => void;
type Changes = (
  mask: Address,
  a: Address,
  b: Address,
  out: Address,
  from: number,
  to: number,
  tickers: number,
) => void;
type ChangesOf = (codes: Address, out: Address, from: number, to: number, tickers: number) => void;
type SimulateSelected = (
  lanes: Address,
  table: Address,
  stride: number,
  cuts: Address,
  segments: number,
  out: Address,
  scratch: Address,
  half: number,
  benchmark: Address,
) => void;
type Summarize = (
  lanes: Address,
  table: Address,
  stride: number,
  pieces: Address,
  count: number,
  segments: number,
  tile: Address,
  sums: Address,
  scratch: Address,
  benchmark: Address,
) => void;
type SimulateSequences = (
  plan: Address,
  codes: number,
  rowsAt: Address,
  scratch: Address,
  out: Address,
  benchmark: Address,
  others: Address,
) => void;
type Gross = (
  slots: Address,
  count: number,
  table: Address,
  stride: number,
  from: number,
  to: number,
  out: Address,
) => void;
type Trade = (
  slots: Address,
  count: number,
  table: Address,
  stride: number,
  slippage: number,
  net: Address,
  marks: Address,
  from: number,
  to: number,
  out: Address,
  moved: Address,
) => void;
type Gather = (
  codes: Address,
  table: Address,
  stride: number,
  from: number,
  to: number,
  earned: Address,
  costs: Address,
) => number;
type InvestedShares = (
  codes: Address,
  shares: Address,
  constant: number,
  from: number,
  to: number,
  out: Address,
) => void;

/** Bytes of scratch that the simulation passes and summing up need. */
export const SIMULATION_SCRATCH = 66 * LANES * 8;
/** Bytes in front of and behind every column, since kernels run in steps of 16 days and look one day back. */
export const COLUMN_MARGIN = 128;

/** The largest memory the kernels may be given, in pages of 64 KB: 4 GB. It is part of the module's import and must be the same in the memory. */
export const MAXIMUM_PAGES = 65536;

export const KERNELS_FILE = new URL('./kernels.wasm', import.meta.url);

let compiled: WebAssembly.Module | null = null;

/** The kernels over a memory. The module is compiled once per thread, in under a millisecond. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  compiled ??= new WebAssembly.Module(readFileSync(KERNELS_FILE));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernels;
}

/** A memory that kernels of several threads can work in. */
export function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 16, maximum: MAXIMUM_PAGES, shared: true });
}
