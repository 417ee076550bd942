/** Tells apart the columns that decide something else on the days of a stretch. */
import { field, hashOf, placeOf } from './contents';
import { fillDoubles } from './follow';
import { INPUT_BYTES, PLAN_DAY, PLAN_DAYS, PLAN_PLACES, PLAN_TAILS } from '../shared';

/** `inputs` has 8 bytes each: address of the columns by entry (u32), bytes per day. */
@inline
function isSameEntry(inputs: usize, end: usize, a: usize, b: usize, day: usize, days: usize, tails: usize): bool {
  let difference = i64x2.splat(0);
  for (let input = inputs; input < end; input += INPUT_BYTES) {
    const columns = field(input, 0), width = field(input, 4);
    const x = field(columns, a << 2) + day * width, y = field(columns, b << 2) + day * width;
    const bytes = days * width, whole = bytes & ~15;
    for (let o: usize = 0; o < whole; o += 16) {
      difference = v128.or(difference, v128.xor(v128.load(x + o), v128.load(y + o)));
    }
    if (whole == bytes) continue;
    const rest = v128.xor(v128.load(x + whole), v128.load(y + whole));
    difference = v128.or(difference, v128.and(rest, v128.load(tails + 16 - (bytes & 15))));
  }
  return !v128.any_true(difference);
}

/**
 * Gives the entries of a group whose columns have the same content the same id, counted from 0; returns the
 * number of ids. `samples`: an entry of each. Of the places as many are used as `placeCount` says, a power of
 * two from 8. `hashes` has room for a u64 per entry.
 */
export function identify(
  plan: usize,
  inputs: usize,
  count: i32,
  entries: i32,
  placeCount: i32,
  hashes: usize,
  ids: usize,
  samples: usize,
): i32 {
  const end = inputs + <usize>count * INPUT_BYTES;
  const day = field(plan, PLAN_DAY), days = field(plan, PLAN_DAYS), tails = field(plan, PLAN_TAILS);
  const places = field(plan, PLAN_PLACES), last = <usize>placeCount - 1;
  fillDoubles(places, <usize>placeCount << 1, 0);
  fillDoubles(hashes, <usize>entries << 3, 0);
  // All hashes first: the columns lie far apart, and without a branch in between they are fetched side by side.
  for (let input = inputs; input < end; input += INPUT_BYTES) {
    const columns = field(input, 0), width = field(input, 4);
    const bytes = days * width, offset = day * width;
    const tail = v128.load(tails + 16 - (bytes & 15));
    for (let e: usize = 0; e < <usize>entries; e++) {
      const x = field(columns, e << 2) + offset;
      store<u64>(hashes + (e << 3), hashOf(load<u64>(hashes + (e << 3)), x, bytes, tail));
    }
  }
  let found: usize = 0;
  for (let e: usize = 0; e < <usize>entries; e++) {
    let place = placeOf(load<u64>(hashes + (e << 3))) & last;
    let id = <usize>load<u16>(places + (place << 1));
    for (;;) {
      // Without a branch on whether it is new, which is hard to foresee: then it is the same as itself.
      const isNew = id == 0;
      store<u16>(samples + (found << 1), e);
      found += usize(isNew);
      id = isNew ? found : id;
      store<u16>(places + (place << 1), id);
      if (isSameEntry(inputs, end, e, <usize>load<u16>(samples + ((id - 1) << 1)), day, days, tails)) break;
      place = (place + 1) & last;
      id = <usize>load<u16>(places + (place << 1));
    }
    store<u16>(ids + (e << 1), id - 1);
  }
  return found;
}
