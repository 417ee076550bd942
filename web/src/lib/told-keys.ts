import type { Command } from './commands.ts';

/** Keys that something on the page hears by itself, for the list of shortcuts: label and keys of each. */
export function toldKeys(
  group: string,
  keys: readonly (readonly [label: string, shortcut: string])[],
): Command[] {
  return keys.map(([label, shortcut]) => ({
    id: `${group}: ${label}`,
    label,
    group,
    shortcut,
    isTold: true,
    isHidden: true,
    run: () => {},
  }));
}
