import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId } from '../kernel/ids.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { heldBy, type UsageCommand, type UsageEvent, usageDecider } from './usage.ts';

const base = { userId: 'u1', month: '2026-11' };
const reserve = (batchId: string, combinations: number, monthlyLimit = 100): UsageCommand => ({
  type: 'ReserveQuota',
  ...base,
  batchId,
  combinations,
  monthlyLimit,
});
const release = (batchId: string, combinations: number | 'all' = 'all'): UsageCommand => ({
  type: 'ReleaseQuota',
  ...base,
  batchId,
  combinations,
  reason: 'batch_deleted',
});

function run(commands: readonly UsageCommand[]) {
  let state = usageDecider.initialState;
  const outcomes: (readonly UsageEvent[] | string)[] = [];
  for (const command of commands) {
    const decided = usageDecider.decide(command, state);
    outcomes.push(isRefusal(decided) ? decided.code : decided);
    if (!isRefusal(decided)) state = decided.reduce(usageDecider.evolve, state);
  }
  return { state, outcomes };
}

describe('the quota of a month', () => {
  it('takes what fits and refuses what does not, with the usage for the page', () => {
    const { state, outcomes } = run([reserve('a', 60), reserve('b', 41), reserve('c', 40)]);
    expect(outcomes[1]).toBe('monthly_limit_exceeded');
    expect(state.used).toBe(100);
    expect(usageDecider.decide(reserve('d', 1), state)).toMatchObject({
      status: 403,
      detail: 'Monthly limit exceeded',
      data: {
        usage: {
          monthly_limit: 100,
          current_monthly_usage: 100,
          remaining: 0,
          remaining_after_backtests: -1,
        },
      },
    });
  });
  it('reserves for a batch once, and not again after it was given back', () => {
    const { state, outcomes } = run([reserve('a', 60), reserve('a', 60), release('a'), reserve('a', 60)]);
    expect(outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.length))).toEqual([
      1,
      0,
      1,
      'reservation_expired',
    ]);
    expect(state.used).toBe(0);
  });
  it('gives back at most what was held, once', () => {
    expect(run([reserve('a', 60), release('a', 99), release('a', 10), release('b')]).state.used).toBe(0);
    expect(run([reserve('a', 60), release('a', 20)]).state.used).toBe(40);
    // Stopped, and deleted later: what was computed stays used.
    const stopped = run([reserve('a', 60), release('a', 20), release('a')]);
    expect(stopped.outcomes[2]).toEqual([]);
    expect(stopped.state.used).toBe(40);
  });
  it('keeps thousands of batches apart, and every state as it was', () => {
    const ids = Array.from({ length: 3_000 }, (_, i) => derivedId(1, String(i)));
    const before = run(ids.map((id, i) => reserve(id, i % 7, 1e9))).state;
    const [first = ''] = ids;
    const after = run([...ids.map((id, i) => reserve(id, i % 7, 1e9)), release(ids[6] ?? '', 4)]).state;
    for (const [i, id] of ids.entries())
      expect(heldBy(before, id)).toEqual({ combinations: i % 7, released: false });
    expect(heldBy(after, ids[6] ?? '')).toEqual({ combinations: 2, released: true });
    const released = usageDecider.evolve(before, {
      type: 'QuotaReleased',
      data: { ...base, batchId: first, combinations: 0, reason: 'batch_deleted' },
    });
    expect([heldBy(before, first)?.released, heldBy(released, first)?.released]).toEqual([false, true]);
    expect(heldBy(before, 'nobody')).toBeUndefined();
  });
  it('refuses numbers that are none', () => {
    expect(run([reserve('a', 1.5), reserve('b', -1), reserve('c', Number.NaN)]).outcomes).toEqual(
      Array(3).fill('invalid_combinations'),
    );
  });
  it('never exceeds the limit nor falls below 0', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const amount = fc.integer({ min: 0, max: 70 });
    const command = fc.oneof(
      fc.tuple(id, amount).map(([batchId, n]) => reserve(batchId, n)),
      fc.tuple(id, fc.oneof(amount, fc.constant('all' as const))).map(([batchId, n]) => release(batchId, n)),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const { used } = run(commands).state;
        expect(used).toBeGreaterThanOrEqual(0);
        expect(used).toBeLessThanOrEqual(100);
      }),
    );
  });
});
