/**
 * Stretches of days on which many combinations decide the same: each distinct sequence of decisions is
 * simulated once, and a combination adds up the records of the sequences it took.
 *
 * What is decided on the days [day, day + days) of a stretch is called its content; the returns of the days
 * after the first follow from it. `plan` is one area of 32-bit fields that all kernels here read (see the
 * offsets in `shared.ts`).
 */
import { ones } from './constants';
import { field, hashOf, isKnown, keep, placeOf } from './contents';
import { fillDoubles } from './follow';
import {
  GROUP_BYTES,
  GROUP_IDS,
  GROUP_MULTIPLIER,
  PLAN_ANSWER,
  PLAN_CONTENTS,
  PLAN_CONTENT_BYTES,
  PLAN_COUNT,
  PLAN_COUNTS,
  PLAN_DAY,
  PLAN_DAYS,
  PLAN_EVALUATED,
  PLAN_FIRST,
  PLAN_FIRST_TUPLE,
  PLAN_GROUPS,
  PLAN_GROUPS_END,
  PLAN_HASHES,
  PLAN_PLACES,
  PLAN_PLACE_COUNT,
  PLAN_SAMPLES,
  PLAN_STEPS,
  PLAN_STEPS_END,
  PLAN_TAILS,
  PLAN_TUPLES,
  PLAN_TUPLE_OF,
  STEPPED_TOGETHER,
  STEP_BYTES,
} from '../shared';

/** Address of an input's column for a combination. */
@inline
function column(columns: usize, entries: usize, combination: usize): usize {
  return field(columns, <usize>load<u16>(entries + (combination << 1)) << 2);
}

/** Address of an operand's content for sample `i`, a combination. */
@inline
function content(columns: usize, entries: usize, combination: usize, i: usize, offset: usize, bytes: usize): usize {
  return entries == 0 ? columns + i * bytes : column(columns, entries, combination) + offset;
}

/**
 * Takes a step for some samples: its result is what one of two operands says, by the mask of an input. `A` and
 * `B` are integers where the operands are results of other steps: types, so that no sample has to ask.
 */
function take<C, A, B>(step: usize, samples: usize, count: usize, day: usize, padded: usize): void {
  const masks = field(step, 4), maskEntries = field(step, 8);
  const thens = field(step, 12), thenEntries = field(step, 16);
  const elses = field(step, 20), elseEntries = field(step, 24);
  const offset = day * sizeof<C>();
  let out = field(step, 0);
  for (let i: usize = 0; i < count; i++) {
    const combination = <usize>load<u16>(samples + (i << 1));
    const mask = column(masks, maskEntries, combination) + day;
    const a = isInteger<A>() ? thens + i * padded : column(thens, thenEntries, combination) + offset;
    const b = isInteger<B>() ? elses + i * padded : column(elses, elseEntries, combination) + offset;
    for (let o: usize = 0; o < padded; o += 16, out += 16) {
      const m = sizeof<C>() == 1 ? v128.load(mask + o) : v128.load_ext<i8>(mask + (o >> 1));
      v128.store(out, v128.bitselect(v128.load(a + o), v128.load(b + o), m));
    }
  }
}

@inline
function takeAny<C>(step: usize, samples: usize, count: usize, day: usize, padded: usize): void {
  if (field(step, 16) == 0) {
    if (field(step, 24) == 0) take<C, i32, i32>(step, samples, count, day, padded);
    else take<C, i32, f64>(step, samples, count, day, padded);
  } else if (field(step, 24) == 0) take<C, f64, i32>(step, samples, count, day, padded);
  else take<C, f64, f64>(step, samples, count, day, padded);
}

/** Finds the sequences of the samples and keeps them by tuple. */
@inline
function evaluate<C>(plan: usize, count: usize): void {
  const day = field(plan, PLAN_DAY), bytes = field(plan, PLAN_DAYS) * sizeof<C>(), tails = field(plan, PLAN_TAILS);
  const padded = (bytes + 15) & ~15, tail = v128.load(tails + 16 - (bytes & 15));
  const tuples = field(plan, PLAN_TUPLES), tupleOf = field(plan, PLAN_TUPLE_OF);
  const answers = field(plan, PLAN_ANSWER), answerEntries = field(plan, PLAN_ANSWER + 4);
  const hashes = field(plan, PLAN_HASHES);
  // Read once, not in the loops: they write, and the compiler can't know that it is not to these fields.
  const places = field(plan, PLAN_PLACES), last = field(plan, PLAN_PLACE_COUNT) - 1;
  const contents = field(plan, PLAN_CONTENTS), contentBytes = field(plan, PLAN_CONTENT_BYTES);
  let distinct = field(plan, PLAN_FIRST);
  for (let first: usize = 0; first < count; first += STEPPED_TOGETHER) {
    const samples = field(plan, PLAN_SAMPLES) + (first << 1);
    const together = min(count - first, STEPPED_TOGETHER);
    for (let step = field(plan, PLAN_STEPS), end = field(plan, PLAN_STEPS_END); step < end; step += STEP_BYTES) {
      takeAny<C>(step, samples, together, day, padded);
    }
    // All hashes first: without a branch in between they are computed side by side.
    for (let i: usize = 0; i < together; i++) {
      const combination = <usize>load<u16>(samples + (i << 1));
      const answer = content(answers, answerEntries, combination, i, day * sizeof<C>(), padded);
      store<u32>(hashes + (i << 3), u32(placeOf(hashOf(0, answer, bytes, tail))));
      store<u32>(hashes + (i << 3), answer, 4);
    }
    for (let i: usize = 0; i < together; i++) {
      const combination = <usize>load<u16>(samples + (i << 1));
      const tuple = <usize>load<u32>(tupleOf + (combination << 2));
      const answer = field(hashes, (i << 3) + 4);
      let place = field(hashes, i << 3) & last;
      let id = <usize>load<u16>(places + (place << 1));
      // Kept before it is known whether it is new: a branch on that would be hard to foresee. There is room: as
      // many contents as samples may be new.
      keep(answer, contents + distinct * contentBytes, bytes, tail);
      for (;;) {
        const isNew = id == 0;
        distinct += usize(isNew);
        id = isNew ? distinct : id;
        store<u16>(places + (place << 1), id);
        if (isKnown(answer, contents + (id - 1) * contentBytes, bytes, tail)) break;
        place = (place + 1) & last;
        id = <usize>load<u16>(places + (place << 1));
      }
      store<u16>(tuples + (tuple << 1), id - 1);
    }
  }
  store<u32>(plan + PLAN_COUNT, distinct);
}

/**
 * Leaves the tuple of each combination, and a sample of each tuple; returns their number. Without branches, and
 * without reading what was just written: tuples repeat irregularly.
 */
@inline
function sample(plan: usize, combinations: usize, tuples: usize): usize {
  const firstTuple = field(plan, PLAN_FIRST_TUPLE);
  const sampleOf = field(plan, PLAN_TUPLES), tupleOf = field(plan, PLAN_TUPLE_OF), samples = field(plan, PLAN_SAMPLES);
  const groups = field(plan, PLAN_GROUPS), end = field(plan, PLAN_GROUPS_END);
  fillDoubles(sampleOf + (firstTuple << 1), tuples << 1, 0);
  if (end == groups + 2 * GROUP_BYTES) {
    // The usual number of groups, without a loop over them.
    const entriesA = field(groups, 0), idsA = field(groups, GROUP_IDS);
    const entriesB = field(groups, GROUP_BYTES), idsB = field(groups, GROUP_BYTES + GROUP_IDS);
    const timesB = field(groups, GROUP_BYTES + GROUP_MULTIPLIER);
    for (let c: usize = 0; c < combinations; c++) {
      const a = <usize>load<u16>(entriesA + (c << 1)), b = <usize>load<u16>(entriesB + (c << 1));
      const tuple = firstTuple + <usize>load<u16>(idsA + (a << 1)) + <usize>load<u16>(idsB + (b << 1)) * timesB;
      store<u32>(tupleOf + (c << 2), tuple);
      store<u16>(sampleOf + (tuple << 1), c + 1);
    }
  } else {
    for (let c: usize = 0; c < combinations; c++) {
      let tuple = firstTuple;
      for (let group = groups; group < end; group += GROUP_BYTES) {
        const entry = <usize>load<u16>(field(group, 0) + (c << 1));
        tuple += <usize>load<u16>(field(group, GROUP_IDS) + (entry << 1)) * field(group, GROUP_MULTIPLIER);
      }
      store<u32>(tupleOf + (c << 2), tuple);
      store<u16>(sampleOf + (tuple << 1), c + 1);
    }
  }
  return gatherSamples(sampleOf + (firstTuple << 1), tuples, samples);
}

/** Writes the samples that there are, less 1, one behind the other; returns their number. */
@inline
function gatherSamples(sampleOf: usize, tuples: usize, samples: usize): usize {
  let count: usize = 0;
  for (let at = sampleOf, last = sampleOf + (tuples << 1); at < last; at += 16) {
    // There may be many more tuples than combinations.
    if (!v128.any_true(v128.load(at))) continue;
    for (let one = at; one < at + 16; one += 2) {
      const next = <usize>load<u16>(one);
      store<u16>(samples + (count << 1), next - 1);
      count += usize(next != 0);
    }
  }
  return count;
}

@inline
function assign<C>(plan: usize, combinations: i32, tuples: i32): i32 {
  fillDoubles(field(plan, PLAN_PLACES), field(plan, PLAN_PLACE_COUNT) << 1, 0);
  const count = sample(plan, combinations, tuples);
  store<u32>(plan + PLAN_EVALUATED, count);
  evaluate<C>(plan, count);
  return i32(field(plan, PLAN_COUNT) - field(plan, PLAN_FIRST));
}

/**
 * Finds the sequence of each tuple of the combinations from the ids of their entries; returns the number of
 * distinct ones. Tuples and sequences are numbered behind those of stretches that wait.
 */
export function assign8(plan: usize, combinations: i32, tuples: i32): i32 {
  return assign<u8>(plan, combinations, tuples);
}

export function assign16(plan: usize, combinations: i32, tuples: i32): i32 {
  return assign<u16>(plan, combinations, tuples);
}

/** The first of so many bits. */
@inline
function firstBits(count: usize): i32 {
  return (1 << i32(min(count, 16))) - 1;
}

/**
 * Rows of the return table for the `days` days of a content after the first. Returns what is traded on them:
 * days with a trade, plus 2^16 times the halves of the portfolio that change hands.
 */
@inline
function rows<C>(content: usize, out: usize, days: usize, codes: i32): u32 {
  let traded = 0, cash = 0;
  for (let o: usize = 0, left = days * sizeof<C>(); ; o += 16, left -= 16) {
    const previous = v128.load(content + o), now = v128.load(content + o + sizeof<C>());
    if (sizeof<C>() == 1) {
      const zero = i8x16.splat(0), moves = i8x16.ne(now, previous), sells = i8x16.eq(now, zero);
      const offset = v128.bitselect(i8x16.splat(<i8>(2 * codes)), i8x16.splat(<i8>codes), sells);
      v128.store(out + o, i8x16.add(previous, v128.and(offset, moves)));
      const moved = i8x16.bitmask(moves) & firstBits(left);
      traded += i32.popcnt(moved);
      cash += i32.popcnt(i8x16.bitmask(v128.or(sells, i8x16.eq(previous, zero))) & moved);
    } else {
      const zero = i16x8.splat(0), moves = i16x8.ne(now, previous), sells = i16x8.eq(now, zero);
      const offset = v128.bitselect(i16x8.splat(<i16>(2 * codes)), i16x8.splat(<i16>codes), sells);
      v128.store(out + o, i16x8.add(previous, v128.and(offset, moves)));
      const moved = i16x8.bitmask(moves) & firstBits(left >> 1);
      traded += i32.popcnt(moved);
      cash += i32.popcnt(i16x8.bitmask(v128.or(sells, i16x8.eq(previous, zero))) & moved);
    }
    if (left <= 16) break;
  }
  return u32(traded | ((2 * traded - cash) << 16));
}

/**
 * Days that are gathered at a time: so few that the processor begins to gather the next ones while it still
 * follows these.
 */
const BLOCK: usize = 8;

/**
 * Simulates 4 lanes, whose rows lie `LANE` bytes apart: power sums, lowest values, end and growth go to their
 * records, and to `others` (two doubles a sequence) the products with the benchmark's returns and the squares
 * of what is below 0.
 */
@inline
function simulateFour<C>(
  codes: usize, rowsAt: usize, day: usize, days: usize, scratch: usize, out: usize, benchmark: usize, others: usize,
): void {
  const one = ones(out), zero = f64x2.splat(0.0);
  let v0 = one, v1 = one, m0 = one, m1 = one, n0 = zero, n1 = zero;
  let l0 = f64x2.splat(Infinity), l1 = l0, q0 = l0, q1 = l0;
  let p0 = zero, p1 = zero;
  let a0 = f64x2.splat(0.0), a1 = a0, b0 = a0, b1 = a0, d0 = a0, d1 = a0, e0 = a0, e1 = a0;
  let o = day << 3;
  for (const last = codes + days * sizeof<C>(); codes < last; ) {
    let buffer = scratch;
    for (const end = min(last, codes + BLOCK * sizeof<C>()); codes < end; codes += sizeof<C>(), o += 8, buffer += 32) {
      const r0 = v128.load64_lane(field(rowsAt, <usize>load<C>(codes, LANE) << 2) + o,
        v128.load64_zero(field(rowsAt, <usize>load<C>(codes) << 2) + o), 1);
      const r1 = v128.load64_lane(field(rowsAt, <usize>load<C>(codes, 3 * LANE) << 2) + o,
        v128.load64_zero(field(rowsAt, <usize>load<C>(codes, 2 * LANE) << 2) + o), 1);
      v128.store(buffer, r0);
      v128.store(buffer, r1, 16);
      a0 = f64x2.add(a0, r0);
      a1 = f64x2.add(a1, r1);
      const s0 = f64x2.mul(r0, r0), s1 = f64x2.mul(r1, r1);
      b0 = f64x2.add(b0, s0);
      b1 = f64x2.add(b1, s1);
      d0 = f64x2.add(d0, f64x2.mul(s0, r0));
      d1 = f64x2.add(d1, f64x2.mul(s1, r1));
      e0 = f64x2.add(e0, f64x2.mul(s0, s0));
      e1 = f64x2.add(e1, f64x2.mul(s1, s1));
      const b = v128.load64_splat(benchmark + o);
      p0 = f64x2.add(p0, f64x2.mul(r0, b));
      p1 = f64x2.add(p1, f64x2.mul(r1, b));
    }
    for (let at = scratch; at < buffer; at += 32) {
      const r0 = v128.load(at), r1 = v128.load(at, 16);
      n0 = f64x2.add(n0, f64x2.mul(r0, f64x2.pmin(zero, r0)));
      n1 = f64x2.add(n1, f64x2.mul(r1, f64x2.pmin(zero, r1)));
      const f0 = f64x2.add(r0, one), f1 = f64x2.add(r1, one);
      v0 = f64x2.mul(v0, f0);
      v1 = f64x2.mul(v1, f1);
      l0 = f64x2.pmin(l0, v0);
      l1 = f64x2.pmin(l1, v1);
      q0 = f64x2.pmin(one, f64x2.mul(q0, f0));
      q1 = f64x2.pmin(one, f64x2.mul(q1, f1));
      m0 = f64x2.pmin(m0, q0);
      m1 = f64x2.pmin(m1, q1);
    }
  }
  storeRecords(out, a0, b0, d0, e0, m0, l0, q0, v0);
  storeRecords(out + 128, a1, b1, d1, e1, m1, l1, q1, v1);
  v128.store(others, v128.shuffle<f64>(p0, n0, 0, 2));
  v128.store(others, v128.shuffle<f64>(p0, n0, 1, 3), 16);
  v128.store(others, v128.shuffle<f64>(p1, n1, 0, 2), 32);
  v128.store(others, v128.shuffle<f64>(p1, n1, 1, 3), 48);
}

/** The records of two lanes, field by field. */
@inline
function storeRecords(out: usize, a: v128, b: v128, d: v128, e: v128, m: v128, l: v128, q: v128, v: v128): void {
  v128.store(out, v128.shuffle<f64>(a, b, 0, 2));
  v128.store(out, v128.shuffle<f64>(d, e, 0, 2), 16);
  v128.store(out, v128.shuffle<f64>(m, l, 0, 2), 32);
  v128.store(out, v128.shuffle<f64>(q, v, 0, 2), 48);
  v128.store(out, v128.shuffle<f64>(a, b, 1, 3), 64);
  v128.store(out, v128.shuffle<f64>(d, e, 1, 3), 80);
  v128.store(out, v128.shuffle<f64>(m, l, 1, 3), 96);
  v128.store(out, v128.shuffle<f64>(q, v, 1, 3), 112);
}

/** Bytes of a lane's rows. */
const LANE: usize = 256;

@inline
function simulateSequences<C>(
  plan: usize, codes: i32, rowsAt: usize, scratch: usize, out: usize, benchmark: usize, others: usize,
): void {
  const buffer = scratch + 8 * LANE;
  const day = field(plan, PLAN_DAY) + 1, days = field(plan, PLAN_DAYS) - 1;
  const counts = field(plan, PLAN_COUNTS);
  const contents = field(plan, PLAN_CONTENTS),
    contentBytes = field(plan, PLAN_CONTENT_BYTES),
    count = field(plan, PLAN_COUNT);
  const begin = field(plan, PLAN_FIRST);
  out += begin << 6;
  others += begin << 4;
  for (let first = begin; first < count; first += 8) {
    const fours: usize = count - first > 4 ? 2 : 1;
    for (let lane: usize = 0; lane < 4 * fours; lane++) {
      const sequence = min(first + lane, count - 1);
      store<u32>(
        counts + (sequence << 2),
        rows<C>(contents + sequence * contentBytes, scratch + lane * LANE, days, codes),
      );
    }
    for (let four: usize = 0; four < fours; four++, out += 256, others += 64) {
      simulateFour<C>(scratch + four * 4 * LANE, rowsAt, day, days, buffer, out, benchmark, others);
    }
  }
}

/**
 * Simulates the distinct sequences. `rowsAt` has the address (u32) of each row of the return table. `out`
 * receives 8 doubles of each sequence, behind those of stretches that wait, and up to three records more: sums
 * of r, r^2, r^3, r^4, lowest value over the stretch's own high, lowest value over its start, end over own
 * high, growth. `others` receives two more of each, see `simulateFour`. `scratch` has room for 6 KB.
 */
export function simulateSequences8(
  plan: usize, codes: i32, rowsAt: usize, scratch: usize, out: usize, benchmark: usize, others: usize,
): void {
  simulateSequences<u8>(plan, codes, rowsAt, scratch, out, benchmark, others);
}

export function simulateSequences16(
  plan: usize, codes: i32, rowsAt: usize, scratch: usize, out: usize, benchmark: usize, others: usize,
): void {
  simulateSequences<u16>(plan, codes, rowsAt, scratch, out, benchmark, others);
}
