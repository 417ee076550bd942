import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';
const KEY = 'theme';
const listeners = new Set<() => void>();
const dark = typeof window === 'undefined' ? null : window.matchMedia('(prefers-color-scheme: dark)');

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

function apply(): void {
  const choice = stored();
  document.documentElement.dataset.theme = choice === 'system' ? (dark?.matches ? 'dark' : 'light') : choice;
  for (const listener of listeners) listener();
}

/** Called once before the first render; follows the system from then on. */
export function startTheme(): void {
  apply();
  dark?.addEventListener('change', apply);
  // Paper is white, whatever the screen is.
  window.addEventListener('beforeprint', () => {
    document.documentElement.dataset.theme = 'light';
  });
  window.addEventListener('afterprint', apply);
}

export function setTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Private windows may refuse storage; the choice then lasts as long as the page.
  }
  apply();
}

/** The user's choice. */
export function useTheme(): ThemeChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
}
