import { useSyncExternalStore } from 'react';

/**
 * Small things that this browser remembers for a user: favourites, the last backtest of a strategy, tours that were seen. They are
 * conveniences; losing them loses no work.
 */
interface LastBacktest {
  /** ISO 8601. */
  readonly at: string;
  /** As the engine answers them. */
  readonly metrics: Readonly<Record<string, number | null>>;
  /** The strategy's value, thinned out to at most 60 points. */
  readonly line: readonly number[];
  readonly firstDay: string;
  readonly lastDay: string;
  readonly isSimulated: boolean;
}

interface Personal {
  readonly favorites: readonly string[];
  readonly backtests: Readonly<Record<string, LastBacktest>>;
  readonly seen: readonly string[];
}

const EMPTY: Personal = { favorites: [], backtests: {}, seen: [] };
/** Backtests kept; the oldest go first. */
const KEPT = 200;
const listeners = new Set<() => void>();
const cache = new Map<string, Personal>();

const keyOf = (userId: string) => `personal:${userId}`;

function read(userId: string): Personal {
  const known = cache.get(userId);
  if (known) return known;
  let value = EMPTY;
  try {
    const raw = JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as Partial<Personal> | null;
    if (raw && typeof raw === 'object')
      value = {
        favorites: Array.isArray(raw.favorites) ? raw.favorites : [],
        backtests: raw.backtests && typeof raw.backtests === 'object' ? raw.backtests : {},
        seen: Array.isArray(raw.seen) ? raw.seen : [],
      };
  } catch {
    // Unreadable or refused storage counts as empty.
  }
  cache.set(userId, value);
  return value;
}

function write(userId: string, next: Personal): void {
  cache.set(userId, next);
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(next));
  } catch {
    // Full or refused storage: remembered for as long as the page lives.
  }
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (!event.key?.startsWith('personal:')) return;
    cache.delete(event.key.slice('personal:'.length));
    for (const listener of listeners) listener();
  });

/** What is remembered for a user; follows changes in other tabs. */
export function usePersonal(userId: string): Personal {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(userId),
  );
}

/** Adds a strategy to the favourites or takes it out. */
export function toggleFavorite(userId: string, strategyId: string): void {
  const old = read(userId);
  const favorites = old.favorites.includes(strategyId)
    ? old.favorites.filter((id) => id !== strategyId)
    : [...old.favorites, strategyId];
  write(userId, { ...old, favorites });
}

/** Remembers that a tour or hint was seen. */
export function markSeen(userId: string, what: string): void {
  const old = read(userId);
  if (!old.seen.includes(what)) write(userId, { ...old, seen: [...old.seen, what] });
}

/** Every `n`-th value so that at most `limit` stay, first and last included. */
export function thinOut(values: readonly number[], limit = 60): number[] {
  if (values.length <= limit) return [...values];
  return Array.from(
    { length: limit },
    (_, i) => values[Math.round((i * (values.length - 1)) / (limit - 1))] ?? Number.NaN,
  );
}

/** An answer of `POST /api/v1/backtests`, as far as this needs it. */
export interface BacktestAnswerLike {
  readonly metrics: object;
  readonly calculated_dates: { readonly first_day: string; readonly last_day: string };
  readonly history?: { readonly value: readonly number[] };
  readonly provenance?: { readonly is_simulated: boolean };
}

/** Called after every run of a saved strategy, so that lists can show its latest figures. */
export function rememberBacktest(
  userId: string,
  strategyId: string,
  answer: BacktestAnswerLike,
  now = new Date(),
): void {
  const old = read(userId);
  const entry: LastBacktest = {
    at: now.toISOString(),
    metrics: answer.metrics as LastBacktest['metrics'],
    line: thinOut(answer.history?.value ?? []),
    firstDay: answer.calculated_dates.first_day,
    lastDay: answer.calculated_dates.last_day,
    isSimulated: answer.provenance?.is_simulated ?? false,
  };
  const entries = Object.entries({ ...old.backtests, [strategyId]: entry })
    .sort(([, a], [, b]) => b.at.localeCompare(a.at))
    .slice(0, KEPT);
  write(userId, { ...old, backtests: Object.fromEntries(entries) });
}
