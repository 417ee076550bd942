// Written by `npm run build:kernels` from `assembly/`, where it is said what each of them computes.
// Not to be changed by hand.
/** Byte offset into the memory that a kernel works on. */
type Address = number;

export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly SEGMENT: { readonly value: number };
  greater(a: Address, b: Address, out: Address, days: number): void;
  ranksAbove(a: Address, b: Address, out: Address, days: number): void;
  greaterThanNumber(a: Address, number: number, sign: number, out: Address, days: number): void;
  equal(a: Address, b: Address, out: Address, days: number): void;
  equalToNumber(a: Address, number: number, out: Address, days: number): void;
  andInto(a: Address, out: Address, bytes: number): void;
  orInto(a: Address, out: Address, bytes: number): void;
  countBetter(mask: Address, first: Address, second: Address, bytes: number): void;
  chosenAs(ranks: Address, take: number, chosen: Address, before: number, out: Address, days: number): void;
  first8(children: Address, count: number, out: Address, from: number, days: number): void;
  first16(children: Address, count: number, out: Address, from: number, days: number): void;
  countChosen(ranks: Address, take: number, chosen: Address, days: number): void;
  hasRanks(counts: Address, children: number, take: number, from: number, to: number): number;
  countDays(mask: Address, from: number, to: number): number;
  countTurns(mask: Address, from: number, to: number): number;
  select8(mask: Address, a: Address, b: Address, out: Address, days: number): void;
  select16(mask: Address, a: Address, b: Address, out: Address, days: number): void;
  select64(mask: Address, a: Address, b: Address, out: Address, days: number): void;
  changes8(
    mask: Address,
    a: Address,
    b: Address,
    out: Address,
    from: number,
    to: number,
    tickers: number,
  ): void;
  changes16(
    mask: Address,
    a: Address,
    b: Address,
    out: Address,
    from: number,
    to: number,
    tickers: number,
  ): void;
  changesOf8(codes: Address, out: Address, from: number, to: number, tickers: number): void;
  changesOf16(codes: Address, out: Address, from: number, to: number, tickers: number): void;
  maskedInto8(mask: Address, codes: Address, out: Address, days: number): void;
  maskedInto16(mask: Address, codes: Address, out: Address, days: number): void;
  fill8(out: Address, value: number, days: number): void;
  fill16(out: Address, value: number, days: number): void;
  fill64(out: Address, value: number, days: number): void;
  grow(buffer: Address, days: number, state: Address): void;
  beginSegment(out: Address, isFirst: number): void;
  simulateSelected8(
    lanes: Address,
    rowsAt: Address,
    cuts: Address,
    segments: number,
    out: Address,
    scratch: Address,
    half: number,
    benchmark: Address,
  ): void;
  simulateSelected16(
    lanes: Address,
    rowsAt: Address,
    cuts: Address,
    segments: number,
    out: Address,
    scratch: Address,
    half: number,
    benchmark: Address,
  ): void;
  simulateColumns(
    lanes: Address,
    cuts: Address,
    segments: number,
    out: Address,
    half: number,
    benchmark: Address,
  ): void;
  gross8(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    from: number,
    to: number,
    out: Address,
  ): void;
  gross16(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    from: number,
    to: number,
    out: Address,
  ): void;
  trade8(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    slippage: number,
    net: Address,
    marks: Address,
    from: number,
    to: number,
    out: Address,
    moved: Address,
  ): void;
  trade16(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    slippage: number,
    net: Address,
    marks: Address,
    from: number,
    to: number,
    out: Address,
    moved: Address,
  ): void;
  gather8(
    codes: Address,
    table: Address,
    stride: Address,
    from: number,
    to: number,
    earned: Address,
    costs: Address,
  ): number;
  gather16(
    codes: Address,
    table: Address,
    stride: Address,
    from: number,
    to: number,
    earned: Address,
    costs: Address,
  ): number;
  investedShares8(
    codes: Address,
    shares: Address,
    constant: number,
    from: number,
    to: number,
    out: Address,
  ): void;
  investedShares16(
    codes: Address,
    shares: Address,
    constant: number,
    from: number,
    to: number,
    out: Address,
  ): void;
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
  inverseShares(inputs: Address, outputs: Address, count: number, from: number, to: number): void;
  invert(a: Address, out: Address, from: number, to: number): number;
  multiply(a: Address, b: Address, out: Address, from: number, to: number): void;
  multiplyBy(a: Address, number: number, out: Address, from: number, to: number): void;
  maskedInto64(mask: Address, a: Address, out: Address, days: number): void;
  heldWeighted(
    parts: Address,
    count: number,
    slippage: number,
    from: number,
    to: number,
    out: Address,
    moved: Address,
  ): void;
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
  summarize8(
    lanes: Address,
    rowsAt: Address,
    pieces: Address,
    count: number,
    segments: number,
    tile: Address,
    sums: Address,
    scratch: Address,
    benchmark: Address,
    half: number,
  ): void;
  summarize16(
    lanes: Address,
    rowsAt: Address,
    pieces: Address,
    count: number,
    segments: number,
    tile: Address,
    sums: Address,
    scratch: Address,
    benchmark: Address,
    half: number,
  ): void;
  summarizeHeld(
    rows: Address,
    mask: Address,
    pieces: Address,
    count: number,
    segments: number,
    tile: Address,
    sums: Address,
    scratch: Address,
    benchmark: Address,
    half: number,
  ): void;
  countHeld(mask: Address, pieces: Address, count: number, steps: number, each: number, out: Address): void;
  sumSections(sums: Address, ends: Address, steps: number, out: Address): void;
  addBranches(
    outer: Address,
    outerSections: Address,
    inner: Address,
    innerSections: Address,
    begins: Address,
    ends: Address,
    segments: number,
    after: number,
    pairs: number,
    out: Address,
  ): void;
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
  simulateSequences8(
    plan: Address,
    codes: number,
    rowsAt: Address,
    scratch: Address,
    out: Address,
    benchmark: Address,
    others: Address,
  ): void;
  simulateSequences16(
    plan: Address,
    codes: number,
    rowsAt: Address,
    scratch: Address,
    out: Address,
    benchmark: Address,
    others: Address,
  ): void;
  accumulate(
    tupleOf: Address,
    tuples: Address,
    records: Address,
    states: Address,
    totals: Address,
    counts: Address,
    combinations: number,
    others: Address,
    compared: Address,
    stretches: number,
    stretchBytes: Address,
  ): void;
  continueStates(before: Address, states: Address, combinations: number): void;
  beginStates(states: Address, combinations: number): void;
  countSwitches8(column: Address, from: number, to: number, codes: number): number;
  countSwitches16(column: Address, from: number, to: number, codes: number): number;
  countBranch8(
    mask: Address,
    isThen: number,
    column: Address,
    codes: number,
    hasCash: number,
    cuts: Address,
    steps: number,
    out: Address,
  ): void;
  countBranch16(
    mask: Address,
    isThen: number,
    column: Address,
    codes: number,
    hasCash: number,
    cuts: Address,
    steps: number,
    out: Address,
  ): void;
  sumMoved(returns: Address, moved: Address, slippage: number, from: number, to: number, out: Address): void;
  trade8Slots(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    settings: Address,
    first: number,
    last: number,
    work: Address,
    out: Address,
  ): void;
  trade16Slots(
    slots: Address,
    count: number,
    table: Address,
    stride: Address,
    settings: Address,
    first: number,
    last: number,
    work: Address,
    out: Address,
  ): void;
}
