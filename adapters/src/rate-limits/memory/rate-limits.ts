import type { RateLimits } from '@quantloom/domain/ports/rate-limits';

/** Windows of one process. */
export function createMemoryRateLimits(now: () => number = () => Date.now()): RateLimits {
  const windows = new Map<string, { hits: number; endsAt: number }>();
  return {
    async hit(key, windowMs, hits = 1) {
      const time = now();
      let window = windows.get(key);
      if (!window || window.endsAt <= time) {
        if (hits === 0) return { hits: 0, endsInMs: windowMs };
        if (windows.size > 10_000)
          for (const [old, { endsAt }] of windows) if (endsAt <= time) windows.delete(old);
        window = { hits: 0, endsAt: time + windowMs };
        windows.set(key, window);
      }
      window.hits += hits;
      return { hits: window.hits, endsInMs: window.endsAt - time };
    },
    async reset(key) {
      windows.delete(key);
    },
  };
}
