import { setTimeout as passed } from 'node:timers/promises';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { asset, batchOf, condition, filter, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { createWorkerPool, type WorkerPool } from '../pool/worker-pool.ts';
import { createBacktestRunner } from './backtest-runner.ts';

const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 1000 },
  AAA: { seed: 2, firstDay: 12_000, bars: 1000 },
  BBB: { seed: 3, firstDay: 12_000, bars: 1000 },
});
const manifest = {
  version: 'v1',
  createdAt: '2026-01-01T00:00:00Z',
  label: 'v1',
  isSimulated: false,
  lastDay: '2006-01-01',
  assetCount: prices.size,
};
const marketData: MarketData = {
  current: async () => manifest,
  versions: async () => [manifest],
  assets: async () => [],
  load: async () => prices,
};
const clock = { now: () => new Date('2026-11-21T10:00:00Z') };
const dates = { start_date: '2003-01-01', end_date: '2006-01-01' };
const quick = batchOf(
  root(ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('AAA')], [asset('BBB')])),
  { $W: [5, 10, 15, 20] },
  dates,
);
/** Choosing half of very many takes minutes. */
const choosingHalf = filter(
  { fn: 'cumulative-return', window: 20 },
  { fn: 'top', num: 4_000 },
  ...Array.from({ length: 8_000 }, (_, i) => asset(['AAA', 'BBB', 'SPY'][i % 3] as string)),
);

let pool: WorkerPool;
let leave: AbortController;
beforeEach(() => {
  pool = createWorkerPool({ threads: 1, cacheBytes: 64 << 20 });
  leave = new AbortController();
});
afterEach(async () => {
  await pool.close();
});

/** Somebody else's backtest has the only thread until `leave` fires. */
function heldPool(): Promise<unknown> {
  const held = pool.runBacktest(
    {
      request: { ...dates, trading_bot: root(choosingHalf) },
      prices,
      today: '2026-11-21',
      owner: 'eve',
      form: 'json',
      expectedMs: 10_000,
      deadlineMs: 600_000,
    },
    { signal: leave.signal },
  );
  return expect(held).rejects.toMatchObject({ name: 'AbortError' });
}

describe('a deadline', () => {
  test('of an estimate and of a small batch does not count the time that others hold the machine', async () => {
    const runner = createBacktestRunner({ pool, marketData, clock });
    const held = heldPool();
    const deadlineMs = 400;
    const estimate = runner.estimate(quick, { owner: 'bob', deadlineMs });
    const rows = runner.rows(quick, { owner: 'bob', deadlineMs });
    // The very point is that time goes by.
    await passed(3 * deadlineMs);
    leave.abort();
    await held;
    expect((await estimate).combinations).toBe(4);
    expect((await rows).rows).toHaveLength(4);
  });

  test('ends an estimate and a small batch whose own work is too long, and what they took is told', async () => {
    const runner = createBacktestRunner({ pool, marketData, clock });
    const slow = batchOf(
      root(ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [choosingHalf], [asset('BBB')])),
      { $W: [5, 10, 15, 20] },
      dates,
    );
    const tooLong = {
      refusal: { status: 422, code: 'took_too_long', detail: expect.stringContaining('longer than the 1 s') },
    };
    const bob = { owner: 'bob', deadlineMs: 1_000 };
    await expect(runner.estimate(slow, bob)).rejects.toMatchObject(tooLong);
    const spent: number[] = [];
    const told = { ...bob, onSpent: (milliseconds: number) => void spent.push(milliseconds) };
    await expect(runner.rows(slow, told)).rejects.toMatchObject(tooLong);
    expect(spent).toEqual([1_000]);
    await expect(runner.estimate(quick, bob)).resolves.toMatchObject({ combinations: 4 });
  });
});

describe('whoever waits', () => {
  test('for too long is asked to come again, and not told that his batch is at fault', async () => {
    const runner = createBacktestRunner({ pool, marketData, clock, patienceMs: 200 });
    const held = heldPool();
    const busy = { refusal: { status: 429, code: 'too_many_at_once', data: { retry_after: 10 } } };
    await expect(runner.estimate(quick, { owner: 'bob' })).rejects.toMatchObject(busy);
    await expect(runner.rows(quick, { owner: 'bob' })).rejects.toMatchObject(busy);
    leave.abort();
    await held;
  });

  test('has his estimate although somebody who asked for the same has left', async () => {
    const runner = createBacktestRunner({ pool, marketData, clock });
    const ranges = vi.spyOn(pool, 'runBatchRange');
    const held = heldPool();
    const gone = new AbortController();
    const first = expect(runner.estimate(quick, { owner: 'ann', signal: gone.signal })).rejects.toThrow(
      'gone',
    );
    await vi.waitFor(() => expect(ranges).toHaveBeenCalledTimes(1));
    const second = runner.estimate(quick, { owner: 'bob' });
    // Bob has joined once his prices are there.
    await new Promise(setImmediate);
    gone.abort(new Error('gone'));
    await first;
    leave.abort();
    await held;
    expect((await second).combinations).toBe(4);
    expect(ranges.mock.calls.every(([{ owner }]) => owner === 'ann')).toBe(true);
  });

  test('leaves no work behind when all have left', async () => {
    const runner = createBacktestRunner({ pool, marketData, clock });
    const held = heldPool();
    const gone = new AbortController();
    const ranges = vi.spyOn(pool, 'runBatchRange');
    const first = expect(runner.estimate(quick, { owner: 'ann', signal: gone.signal })).rejects.toThrow(
      'gone',
    );
    await vi.waitFor(() => expect(ranges).toHaveBeenCalledTimes(1));
    gone.abort(new Error('gone'));
    await first;
    const [range] = ranges.mock.results;
    await expect(range?.value).rejects.toThrow('gone');
    leave.abort();
    await held;
    // And it is measured anew for the next.
    expect((await runner.estimate(quick, { owner: 'ann' })).combinations).toBe(4);
  });
});
