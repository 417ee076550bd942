/**
 * What combinations have added up on their way through stretches (see `stretches.ts`): a state each, for
 * every segment of their days.
 */
import { ones } from './constants';
import { fillDoubles } from './follow';

/**
 * Lets each combination run through the records of the sequences of its tuples, of as many stretches as
 * `stretches` says, one behind the other: `tupleOf` has the tuple of each combination, `stretchBytes` further
 * on that of the next stretch. `states` has 8 doubles per combination: sums of r, r^2, r^3, r^4, growth, value
 * over its high, and twice the lowest of that (within stretches, and of their ends): the smaller one counts.
 * `totals` has a word per combination, `counts` one per sequence: days with a trade, plus 2^16 times the halves
 * of the portfolio that change hands. What `others` has of a sequence is added to `compared`.
 */
export function accumulate(
  tupleOf: usize,
  tuples: usize,
  records: usize,
  states: usize,
  totals: usize,
  counts: usize,
  combinations: i32,
  others: usize,
  compared: usize,
  stretches: i32,
  stretchBytes: usize,
): void {
  const one = ones(states),
    behind = <usize>stretches * stretchBytes;
  for (
    const end = tupleOf + ((<usize>combinations) << 2);
    tupleOf < end;
    tupleOf += 4, states += 64, totals += 4, compared += 16
  ) {
    let sums = v128.load(states),
      powers = v128.load(states, 16),
      value = v128.load(states, 32),
      lowest = v128.load(states, 48);
    let both = v128.load(compared),
      total = load<u32>(totals);
    for (let at = tupleOf, last = tupleOf + behind; at < last; at += stretchBytes) {
      const sequence = <usize>load<u16>(tuples + (<usize>load<u32>(at) << 1));
      const record = records + (sequence << 6);
      both = f64x2.add(both, v128.load(others + (sequence << 4)));
      total += load<u32>(counts + (sequence << 2));
      sums = f64x2.add(sums, v128.load(record));
      powers = f64x2.add(powers, v128.load(record, 16));
      lowest = f64x2.pmin(lowest, f64x2.mul(v128.load(record, 32), v128.shuffle<f64>(one, value, 0, 3)));
      const grown = f64x2.mul(value, v128.load64_splat(record, 56));
      value = v128.shuffle<f64>(grown, f64x2.pmin(v128.load64_splat(record, 48), grown), 0, 3);
    }
    v128.store(states, sums);
    v128.store(states, powers, 16);
    v128.store(states, value, 32);
    v128.store(states, lowest, 48);
    v128.store(compared, both);
    store<u32>(totals, total);
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
