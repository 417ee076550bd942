/** When a strategy trades (`docs/engine.md`, section 12). */
export const REBALANCE_RULES = [
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
  'never',
  'corridor',
] as const;

/** The day of its week, month, quarter or year on which a strategy trades. */
export const REBALANCE_DAYS = ['first', 'last'] as const;

/** Percentage points. */
export const MAX_CORRIDOR = 100;
export const DEFAULT_CORRIDOR = 5;
