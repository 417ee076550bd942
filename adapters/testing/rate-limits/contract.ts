import { randomUUID } from 'node:crypto';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { describe, expect, it } from 'vitest';

/**
 * What every store of rate limits must do. `open` is called with the clock to use; two calls with the same
 * `shared` share one store.
 */
export function rateLimitsContract(
  name: string,
  open: (options: { now: () => number; shared: string }) => Promise<RateLimits>,
): void {
  describe(`rate limits: ${name}`, () => {
    const rig = async () => {
      const clock = { time: 1_700_000_000_000 };
      const shared = randomUUID();
      const limits = await open({ now: () => clock.time, shared });
      return { clock, limits, shared };
    };

    it('counts hits until the window that began with the first one ends', async () => {
      const { clock, limits } = await rig();
      expect(await limits.hit('a', 1_000)).toEqual({ hits: 1, endsInMs: 1_000 });
      clock.time += 400;
      expect(await limits.hit('a', 1_000)).toEqual({ hits: 2, endsInMs: 600 });
      clock.time += 599;
      expect(await limits.hit('a', 1_000)).toEqual({ hits: 3, endsInMs: 1 });
      clock.time += 1;
      expect(await limits.hit('a', 1_000)).toEqual({ hits: 1, endsInMs: 1_000 });
    });

    it('keeps keys apart, and forgets one that is reset', async () => {
      const { limits } = await rig();
      await limits.hit('a', 1_000);
      await limits.hit('b', 1_000, 5);
      await limits.reset('a');
      expect((await limits.hit('a', 1_000)).hits).toBe(1);
      expect((await limits.hit('b', 1_000)).hits).toBe(6);
    });

    it('only looks when no hit is added, and keeps nothing of it', async () => {
      const { clock, limits } = await rig();
      expect((await limits.hit('a', 1_000, 0)).hits).toBe(0);
      clock.time += 400;
      expect(await limits.hit('a', 1_000)).toEqual({ hits: 1, endsInMs: 1_000 });
      expect((await limits.hit('a', 1_000, 0)).hits).toBe(1);
      clock.time += 999;
      expect(await limits.hit('a', 1_000, 0)).toEqual({ hits: 1, endsInMs: 1 });
      // A window that has ended is none, for whoever looks as for whoever comes.
      clock.time += 1;
      expect(await limits.hit('a', 1_000, 0)).toEqual({ hits: 0, endsInMs: 1_000 });
    });

    it('gives back what was taken', async () => {
      const { limits } = await rig();
      await limits.hit('a', 1_000, 500);
      expect((await limits.hit('a', 1_000, -200)).hits).toBe(300);
    });

    it('loses no hit that comes at the same time', async () => {
      const { limits } = await rig();
      const windows = await Promise.all(Array.from({ length: 50 }, () => limits.hit('a', 60_000)));
      expect(windows.map((window) => window.hits).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });

    it('is one count for all who share the store', async () => {
      const { clock, limits, shared } = await rig();
      const other = await open({ now: () => clock.time, shared });
      await limits.hit('a', 1_000);
      expect((await other.hit('a', 1_000)).hits).toBe(2);
    });
  });
}
