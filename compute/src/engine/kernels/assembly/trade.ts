/**
 * Portfolios that are not brought to their targets at every close: rules, corridors, orders for the next
 * close, and cash that earns (`docs/engine.md`, sections 12 to 14).
 *
 * What `slots`, `settings` and `work` hold is written down in `shared.ts`.
 */

import {
  HELD_BYTES,
  HELD_IS_LISTED,
  HELD_TARGET,
  SLOT_BYTES,
  SLOT_SHARE,
  SLOT_SHARES,
  TRADING_CASH,
  TRADING_CODES,
  TRADING_CORRIDOR,
  TRADING_ENTRY,
  TRADING_IS_NEXT,
  TRADING_SCHEDULE,
  TRADING_SLIPPAGE,
  TRADING_TRADES,
  TRADING_TURNOVER,
} from '../shared';
/** Less than this share of the portfolio is no trade. */
const TRADED: f64 = 1e-12;
const TIE: f64 = 1e-12;

@inline
function heldAt(work: usize, code: usize): usize {
  return work + code * HELD_BYTES;
}

/** Writes the targets of day t: 0 for what is held and not wanted. New codes join the list; returns its length. */
@inline
function aim<C>(slots: usize, end: usize, t: usize, work: usize, list: usize, length: usize): usize {
  for (let i: usize = 0; i < length; i++) store<f64>(heldAt(work, load<u32>(list + (i << 2))), 0.0, HELD_TARGET);
  for (let slot = slots; slot < end; slot += SLOT_BYTES) {
    const code = <usize>load<C>(<usize>load<u32>(slot) + t * sizeof<C>());
    if (code == 0) continue;
    const column = <usize>load<u32>(slot, SLOT_SHARES);
    const share = column == 0 ? load<f64>(slot, SLOT_SHARE) : load<f64>(column + (t << 3));
    const at = heldAt(work, code);
    if (load<u32>(at, HELD_IS_LISTED) == 0) {
      store<u32>(at, 1, HELD_IS_LISTED);
      store<f64>(at, 0.0);
      store<f64>(at, 0.0, HELD_TARGET);
      store<u32>(list + (length << 2), code);
      length++;
    }
    store<f64>(at, load<f64>(at, HELD_TARGET) + share, HELD_TARGET);
  }
  return length;
}

/** Whether a weight, or that of cash, is further from its target than the corridor. */
@inline
function isOff(work: usize, list: usize, length: usize, value: f64, corridor: f64): bool {
  let cash = 0.0;
  for (let i: usize = 0; i < length; i++) {
    const at = heldAt(work, load<u32>(list + (i << 2)));
    const distance = load<f64>(at, HELD_TARGET) - load<f64>(at) / value;
    const size = abs(distance);
    if (size - corridor > TIE * max(size, corridor)) return true;
    cash -= distance;
  }
  const size = abs(cash);
  return size - corridor > TIE * max(size, corridor);
}

/** Sum over codes of what a trade to the targets moves, as a share of the value. */
@inline
function turnoverOf(work: usize, list: usize, length: usize, value: f64): f64 {
  let turnover = 0.0;
  for (let i: usize = 0; i < length; i++) {
    const at = heldAt(work, load<u32>(list + (i << 2)));
    turnover += abs(load<f64>(at, HELD_TARGET) - load<f64>(at) / value);
  }
  return turnover;
}

/** Holds the targets, as parts of a value; returns the number of codes that are left in the list. */
@inline
function hold(work: usize, list: usize, length: usize, value: f64): usize {
  let left: usize = 0;
  for (let i: usize = 0; i < length; i++) {
    const code = <usize>load<u32>(list + (i << 2));
    const at = heldAt(work, code);
    const target = load<f64>(at, HELD_TARGET);
    store<f64>(at, target * value);
    if (target == 0.0) {
      store<u32>(at, 0, HELD_IS_LISTED);
      continue;
    }
    store<u32>(list + (left << 2), code);
    left++;
  }
  return left;
}

@inline
function trade<C>(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  settings: usize,
  first: i32,
  last: i32,
  work: usize,
  out: usize,
): void {
  const end = slots + <usize>count * SLOT_BYTES;
  const slippage = load<f64>(settings, TRADING_SLIPPAGE), corridor = load<f64>(settings, TRADING_CORRIDOR);
  const schedule = <usize>load<u32>(settings, TRADING_SCHEDULE), isNext = load<u32>(settings, TRADING_IS_NEXT) != 0;
  const cashReturns = <usize>load<u32>(settings, TRADING_CASH), codes = <usize>load<u32>(settings, TRADING_CODES);
  const list = work + codes * HELD_BYTES;
  memory.fill(work, 0, codes * HELD_BYTES);
  let length = aim<C>(slots, end, first, work, list, 0);
  let value = 1.0, entry = 1.0, turnover = 0.0, trades = 0.0;
  let cash = 1.0;
  /** The day whose targets are traded next; -1: none. */
  let order = -1;
  if (isNext) order = first;
  else {
    entry = 1.0 - slippage * turnoverOf(work, list, length, value);
    length = hold(work, list, length, value);
    for (let i: usize = 0; i < length; i++) cash -= load<f64>(heldAt(work, load<u32>(list + (i << 2))));
  }
  for (let t = first + 1; t <= last; t++) {
    const before = value;
    if (cashReturns != 0) cash += cash * load<f64>(cashReturns + (<usize>t << 3));
    value = cash;
    for (let i: usize = 0; i < length; i++) {
      const code = <usize>load<u32>(list + (i << 2));
      const at = heldAt(work, code);
      const held = load<f64>(at);
      const grown = held + held * load<f64>(table + code * stride + (<usize>t << 3));
      store<f64>(at, grown);
      value += grown;
    }
    let day = order;
    order = -1;
    // At most twice: the order of the day before, then today's decision.
    for (let step = 0; step < 2; step++) {
      if (step == 1) {
        day = -1;
        if (load<u8>(schedule + t) == 0) break;
        if (corridor >= 0.0) {
          length = aim<C>(slots, end, t, work, list, length);
          if (!isOff(work, list, length, value, corridor)) break;
        }
        if (isNext) {
          order = t;
          break;
        }
        day = t;
      }
      if (day < 0) continue;
      length = aim<C>(slots, end, day, work, list, length);
      const moved = turnoverOf(work, list, length, value);
      if (!isNext || t > first + 1) {
        turnover += moved;
        if (moved > TRADED) trades += 1.0;
      }
      value *= 1.0 - slippage * moved;
      length = hold(work, list, length, value);
      cash = value;
      for (let i: usize = 0; i < length; i++) cash -= load<f64>(heldAt(work, load<u32>(list + (i << 2))));
    }
    store<f64>(out + (<usize>t << 3), value / before - 1.0);
  }
  store<f64>(settings, entry, TRADING_ENTRY);
  store<f64>(settings, turnover, TRADING_TURNOVER);
  store<f64>(settings, trades, TRADING_TRADES);
}

/** Returns by day, after costs, of the days after `first` up to `last`. `work` has room for 28 bytes per code. */
export function trade8Slots(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  settings: usize,
  first: i32,
  last: i32,
  work: usize,
  out: usize,
): void {
  trade<u8>(slots, count, table, stride, settings, first, last, work, out);
}

export function trade16Slots(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  settings: usize,
  first: i32,
  last: i32,
  work: usize,
  out: usize,
): void {
  trade<u16>(slots, count, table, stride, settings, first, last, work, out);
}
