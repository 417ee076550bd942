/**
 * Stretches of days on which many combinations decide the same: each distinct sequence of decisions is simulated once, and a combination
 * adds up the records of the sequences it took.
 *
 * What is decided on the days [day, day + days) of a stretch is called its content; the returns of the days after the first follow from it. `plan`
 * is one area of 32-bit fields that all kernels here read (see the offsets below).
 */
import { fillDoubles, follow } from './follow';
import { BLOCK, gather } from './gather';

/** First day of the contents, and their number. */
const DAY: usize = 0;
const DAYS: usize = 4;
/** 16 bytes of 255, then 16 of 0: what is behind the end of a content must not count. */
const TAILS: usize = 8;
/** Hash table of ids (u16, 0 is free) of a power of two of places: address and number of places. */
const PLACES: usize = 12;
const PLACE_COUNT: usize = 16;
/** Per group 16 bytes: entry of each combination (u16), id of each entry (u16), multiplier of the id; the end of the list. */
const GROUPS: usize = 20;
const GROUPS_END: usize = 24;
/** Sequence (u16, 1 is the first, 0: unknown) of each combination of ids. */
const TUPLES: usize = 28;
/** Per step 28 bytes: where its result goes, then the operands mask, then, else; the end of the list; the operand that is the answer. */
const STEPS: usize = 32;
const STEPS_END: usize = 36;
const ANSWER: usize = 40;
/** Contents of the distinct sequences, bytes of each, and their number. */
const CONTENTS: usize = 48;
const CONTENT_BYTES: usize = 52;
const COUNT: usize = 56;
/** Sequence of each combination (u16). */
const SEQUENCES: usize = 60;
/** Number of tuples that were not known. */
const EVALUATED: usize = 64;

@inline
function field(plan: usize, at: usize): usize {
  return <usize>load<u32>(plan + at);
}

@inline
function hashed(h: u64, v: v128): u64 {
  h = (h ^ u64(i64x2.extract_lane(v, 0))) * 0x9e3779b97f4a7c15;
  return (rotl<u64>(h, 31) ^ u64(i64x2.extract_lane(v, 1))) * 0xc2b2ae3d27d4eb4f;
}

/** 16 bytes of a content whose end is `rest` bytes further. */
@inline
function piece(at: usize, rest: usize, tails: usize): v128 {
  const v = v128.load(at);
  return rest >= 16 ? v : v128.and(v, v128.load(tails + 16 - rest));
}

/** `inputs` has 8 bytes each: address of the columns by entry (u32), bytes per day. */
@inline
function isSameEntry(inputs: usize, end: usize, a: usize, b: usize, day: usize, days: usize, tails: usize): bool {
  for (let input = inputs; input < end; input += 8) {
    const columns = field(input, 0), width = field(input, 4);
    const x = field(columns, a << 2) + day * width, y = field(columns, b << 2) + day * width;
    const bytes = days * width;
    for (let o: usize = 0; o < bytes; o += 16) {
      if (v128.any_true(v128.xor(piece(x + o, bytes - o, tails), piece(y + o, bytes - o, tails)))) return false;
    }
  }
  return true;
}

/**
 * Gives the entries of a group whose columns have the same content the same id, counted from 0; returns the number of ids. `samples`: an
 * entry of each. Of the places as many are used as `placeCount` says, a power of two from 8.
 */
export function identify(plan: usize, inputs: usize, count: i32, entries: i32, placeCount: i32, hashes: usize, ids: usize, samples: usize): i32 {
  const end = inputs + (<usize>count << 3);
  const day = field(plan, DAY), days = field(plan, DAYS), tails = field(plan, TAILS);
  const places = field(plan, PLACES), last = <usize>placeCount - 1;
  fillDoubles(places, <usize>placeCount << 1, 0);
  // All hashes first: the columns lie far apart, and without a branch in between they are fetched side by side.
  for (let e: usize = 0; e < <usize>entries; e++) {
    let h: u64 = 0;
    for (let input = inputs; input < end; input += 8) {
      const width = field(input, 4);
      const x = field(field(input, 0), e << 2) + day * width;
      const bytes = days * width;
      for (let o: usize = 0; o < bytes; o += 16) h = hashed(h, piece(x + o, bytes - o, tails));
    }
    store<u32>(hashes + (e << 2), u32(h >> 40));
  }
  let found: usize = 0;
  for (let e: usize = 0; e < <usize>entries; e++) {
    let place = <usize>load<u32>(hashes + (e << 2)) & last;
    let id: usize = 0;
    for (;;) {
      id = <usize>load<u16>(places + (place << 1));
      if (id == 0) {
        store<u16>(samples + (found << 1), e);
        id = ++found;
        store<u16>(places + (place << 1), id);
        break;
      }
      if (isSameEntry(inputs, end, e, <usize>load<u16>(samples + ((id - 1) << 1)), day, days, tails)) break;
      place = (place + 1) & last;
    }
    store<u16>(ids + (e << 1), id - 1);
  }
  return found;
}

/** Address of an operand's content: of a column of the combination's entry, or (without entries) of the result of a step. */
@inline
function content(operand: usize, combination: usize, day: usize, width: usize): usize {
  const columns = field(operand, 0), entries = field(operand, 4);
  if (entries == 0) return columns;
  return field(columns, <usize>load<u16>(entries + (combination << 1)) << 2) + day * width;
}

/** The sequence of decisions of one combination, from 1. */
@inline
function sequence<C>(plan: usize, combination: usize): usize {
  const day = field(plan, DAY), bytes = field(plan, DAYS) * sizeof<C>(), tails = field(plan, TAILS);
  for (let step = field(plan, STEPS), end = field(plan, STEPS_END); step < end; step += 28) {
    const mask = content(step + 4, combination, day, 1);
    const a = content(step + 12, combination, day, sizeof<C>()), b = content(step + 20, combination, day, sizeof<C>());
    const out = field(step, 0);
    for (let o: usize = 0; o < bytes; o += 16) {
      const m = sizeof<C>() == 1 ? v128.load(mask + o) : v128.load_ext<i8>(mask + (o >> 1));
      v128.store(out + o, v128.bitselect(v128.load(a + o), v128.load(b + o), m));
    }
  }
  const answer = content(plan + ANSWER, combination, day, sizeof<C>());
  let h: u64 = 0;
  for (let o: usize = 0; o < bytes; o += 16) h = hashed(h, piece(answer + o, bytes - o, tails));
  const places = field(plan, PLACES), last = field(plan, PLACE_COUNT) - 1;
  const contents = field(plan, CONTENTS), contentBytes = field(plan, CONTENT_BYTES);
  let place = <usize>(h >> 40) & last;
  for (;;) {
    const id = <usize>load<u16>(places + (place << 1));
    if (id == 0) break;
    const known = contents + (id - 1) * contentBytes;
    let isSame = true;
    for (let o: usize = 0; o < bytes; o += 16) {
      if (v128.any_true(v128.xor(piece(answer + o, bytes - o, tails), v128.load(known + o)))) isSame = false;
    }
    if (isSame) return id;
    place = (place + 1) & last;
  }
  const count = field(plan, COUNT);
  for (let o: usize = 0, target = contents + count * contentBytes; o < bytes; o += 16) {
    v128.store(target + o, piece(answer + o, bytes - o, tails));
  }
  store<u16>(places + (place << 1), count + 1);
  store<u32>(plan + COUNT, count + 1);
  return count + 1;
}

/** Number of a combination's tuple of ids: `group` is one of the list. */
@inline
function tupleOf(group: usize, combination: usize): usize {
  const entry = <usize>load<u16>(field(group, 0) + (combination << 1));
  return <usize>load<u16>(field(group, 4) + (entry << 1)) * field(group, 8);
}

/** The sequence of a tuple, evaluated where it is not known. */
@inline
function lookUp<C>(plan: usize, known: usize, combination: usize): usize {
  const found = <usize>load<u16>(known);
  if (found != 0) return found;
  store<u32>(plan + EVALUATED, load<u32>(plan + EVALUATED) + 1);
  const fresh = sequence<C>(plan, combination);
  store<u16>(known, fresh);
  return fresh;
}

@inline
function assign<C>(plan: usize, combinations: i32, tuples: i32): i32 {
  fillDoubles(field(plan, PLACES), field(plan, PLACE_COUNT) << 1, 0);
  const known = field(plan, TUPLES);
  fillDoubles(known, <usize>tuples << 1, 0);
  const groups = field(plan, GROUPS), end = field(plan, GROUPS_END);
  const sequences = field(plan, SEQUENCES);
  store<u32>(plan + COUNT, 0);
  store<u32>(plan + EVALUATED, 0);
  const last = <usize>combinations;
  if (end == groups + 32) {
    // The usual number of groups, without a loop over them.
    const entriesA = field(groups, 0), idsA = field(groups, 4);
    const entriesB = field(groups, 16), idsB = field(groups, 20), timesB = field(groups, 24);
    for (let c: usize = 0; c < last; c++) {
      const a = <usize>load<u16>(entriesA + (c << 1)), b = <usize>load<u16>(entriesB + (c << 1));
      const tuple = <usize>load<u16>(idsA + (a << 1)) + <usize>load<u16>(idsB + (b << 1)) * timesB;
      store<u16>(sequences + (c << 1), lookUp<C>(plan, known + (tuple << 1), c) - 1);
    }
    return i32(field(plan, COUNT));
  }
  for (let c: usize = 0; c < last; c++) {
    let tuple: usize = 0;
    for (let group = groups; group < end; group += 16) tuple += tupleOf(group, c);
    store<u16>(sequences + (c << 1), lookUp<C>(plan, known + (tuple << 1), c) - 1);
  }
  return i32(field(plan, COUNT));
}

/** Finds the sequence of each combination from the ids of its entries; returns the number of distinct ones. */
export function assign8(plan: usize, combinations: i32, tuples: i32): i32 {
  return assign<u8>(plan, combinations, tuples);
}

export function assign16(plan: usize, combinations: i32, tuples: i32): i32 {
  return assign<u16>(plan, combinations, tuples);
}

/** Rows of the return table for the days of a content after the first. */
@inline
function rows<C>(content: usize, out: usize, bytes: usize, codes: i32): void {
  for (let o: usize = 0; o < bytes; o += 16) {
    const previous = v128.load(content + o), now = v128.load(content + o + sizeof<C>());
    if (sizeof<C>() == 1) {
      const offset = v128.bitselect(i8x16.splat(<i8>(2 * codes)), i8x16.splat(<i8>codes), i8x16.eq(now, i8x16.splat(0)));
      v128.store(out + o, i8x16.add(previous, v128.and(offset, i8x16.ne(now, previous))));
    } else {
      const offset = v128.bitselect(i16x8.splat(<i16>(2 * codes)), i16x8.splat(<i16>codes), i16x8.eq(now, i16x8.splat(0)));
      v128.store(out + o, i16x8.add(previous, v128.and(offset, i16x8.ne(now, previous))));
    }
  }
}

@inline
function simulateSequences<C>(plan: usize, codes: i32, table: usize, stride: usize, scratch: usize, out: usize): void {
  const lanes = scratch, sums = scratch + 64, tile = sums + 384, rowsAt = tile + 192, buffer = rowsAt + 2048;
  const from = i32(field(plan, DAY)) + 1, to = from + i32(field(plan, DAYS)) - 1;
  const bytes = <usize>(to - from) * sizeof<C>();
  const contents = field(plan, CONTENTS), contentBytes = field(plan, CONTENT_BYTES), count = field(plan, COUNT);
  for (let first: usize = 0; first < count; first += 8, out += 512) {
    for (let lane: usize = 0; lane < 8; lane++) {
      const at = rowsAt + (lane << 8);
      rows<C>(contents + min(first + lane, count - 1) * contentBytes, at, bytes, codes);
      store<u32>(lanes + (lane << 2), at - <usize>from * sizeof<C>());
    }
    fillDoubles(sums, 256, 0.0);
    fillDoubles(sums + 256, 128, 1.0);
    fillDoubles(tile, 64, 1.0);
    fillDoubles(tile + 64, 128, Infinity);
    for (let t = from; t < to; t += BLOCK) {
      const end = min(t + BLOCK, to);
      gather<C>(lanes, table, stride, t, end, buffer, sums);
      gather<C>(lanes + 16, table, stride, t, end, buffer + 32, sums + 32);
      follow(buffer, end - t, tile, sums + 320);
      follow(buffer + 32, end - t, tile + 32, sums + 352);
    }
    for (let o: usize = 0; o < 64; o += 8) {
      const record = out + (o << 3);
      store<f64>(record, load<f64>(sums + o));
      store<f64>(record, load<f64>(sums + o, 64), 8);
      store<f64>(record, load<f64>(sums + o, 128), 16);
      store<f64>(record, load<f64>(sums + o, 192), 24);
      store<f64>(record, load<f64>(sums + o, 320), 32);
      store<f64>(record, load<f64>(tile + o, 64), 40);
      store<f64>(record, load<f64>(tile + o, 128), 48);
      store<f64>(record, load<f64>(tile + o), 56);
    }
  }
}

/**
 * Simulates the distinct sequences. `out` receives 8 doubles of each, and up to seven records more: sums of r, r^2, r^3, r^4, lowest value over
 * the stretch's own high, lowest value over its start, end over own high, growth. `scratch` has room for 4.75 KB.
 */
export function simulateSequences8(plan: usize, codes: i32, table: usize, stride: usize, scratch: usize, out: usize): void {
  simulateSequences<u8>(plan, codes, table, stride, scratch, out);
}

export function simulateSequences16(plan: usize, codes: i32, table: usize, stride: usize, scratch: usize, out: usize): void {
  simulateSequences<u16>(plan, codes, table, stride, scratch, out);
}

/**
 * Lets each combination run through the record of its sequence. `states` has 8 doubles per combination: sums of r, r^2, r^3, r^4, growth, value over
 * its high, and twice the lowest of that (within stretches, and of their ends): the smaller one counts.
 */
export function accumulate(sequences: usize, records: usize, states: usize, combinations: i32): void {
  const one = f64x2.splat(1.0);
  for (const end = sequences + (<usize>combinations << 1); sequences < end; sequences += 2, states += 64) {
    const record = records + (<usize>load<u16>(sequences) << 6);
    v128.store(states, f64x2.add(v128.load(states), v128.load(record)));
    v128.store(states, f64x2.add(v128.load(states, 16), v128.load(record, 16)), 16);
    const value = v128.load(states, 32);
    const lows = f64x2.mul(v128.load(record, 32), v128.shuffle<f64>(one, value, 0, 3));
    v128.store(states, f64x2.pmin(v128.load(states, 48), lows), 48);
    const grown = f64x2.mul(value, v128.load64_splat(record, 56));
    v128.store(states, v128.shuffle<f64>(grown, f64x2.pmin(v128.load64_splat(record, 48), grown), 0, 3), 32);
  }
}

/** Begins a segment with the states that another one ended with: value over high and its lowest run on. */
export function continueStates(before: usize, states: usize, combinations: i32): void {
  const zero = f64x2.splat(0.0), one = f64x2.splat(1.0);
  for (const end = states + (<usize>combinations << 6); states < end; states += 64, before += 64) {
    v128.store(states, zero);
    v128.store(states, zero, 16);
    v128.store(states, v128.shuffle<f64>(one, v128.load(before, 32), 0, 3), 32);
    v128.store(states, v128.load(before, 48), 48);
  }
}

/** Begins a segment with combinations that have not run before. */
export function beginStates(states: usize, combinations: i32): void {
  for (const end = states + (<usize>combinations << 6); states < end; states += 64) {
    fillDoubles(states, 32, 0.0);
    fillDoubles(states + 32, 32, 1.0);
  }
}
