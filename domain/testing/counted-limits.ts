import type { RateLimits } from '../src/ports/rate-limits.ts';

/** Windows that never end, and what was counted in them. */
export function countedLimits(): RateLimits & { readonly hits: Map<string, number> } {
  const hits = new Map<string, number>();
  return {
    hits,
    hit: async (key, _window, more = 1) => {
      hits.set(key, (hits.get(key) ?? 0) + more);
      return { hits: hits.get(key) ?? 0, endsInMs: 30_000 };
    },
    reset: async (key) => void hits.delete(key),
  };
}
