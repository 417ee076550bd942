import { useSyncExternalStore } from 'react';

/**
 * Small things that this browser remembers for a user: tours that were seen, and favourites of before 2027,
 * until the server has them. They are conveniences; losing them loses no work.
 */
interface Personal {
  readonly favorites: readonly string[];
  readonly seen: readonly string[];
}

const EMPTY: Personal = { favorites: [], seen: [] };
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
        favorites: Array.isArray(raw.favorites) ? raw.favorites.filter((id) => typeof id === 'string') : [],
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

/** Favourites that this browser alone knew, when favourites were kept in browsers. */
export function favoritesOfBefore(userId: string): readonly string[] {
  return read(userId).favorites;
}

/** The server has them now. */
export function forgetFavoritesOfBefore(userId: string): void {
  const old = read(userId);
  if (old.favorites.length > 0) write(userId, { ...old, favorites: [] });
}

/** Remembers that a tour or hint was seen. */
export function markSeen(userId: string, what: string): void {
  const old = read(userId);
  if (!old.seen.includes(what)) write(userId, { ...old, seen: [...old.seen, what] });
}
