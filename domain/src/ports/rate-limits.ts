/** Where a caller stands in the current window, after the hit has been counted. */
export interface RateWindow {
  /** Hits in this window, this one included. */
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/**
 * Counts hits by key in fixed windows that begin with the first hit. One store for all processes, so that a
 * limit holds whichever of them answers.
 */
export interface RateLimits {
  /**
   * Adds `hits` (default 1; 0 only looks and begins no window, fewer gives back what was taken). A window
   * keeps the length that it began with.
   */
  hit(key: string, windowMs: number, hits?: number): Promise<RateWindow>;
  /** Forgets a key, for example the failed attempts of somebody who has signed in. */
  reset(key: string): Promise<void>;
}
