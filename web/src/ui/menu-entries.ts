import type { LucideIcon } from 'lucide-react';

export interface MenuAction {
  readonly label: string;
  /** Second line: what it does. */
  readonly description?: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** A path inside the application; otherwise `onSelect`. */
  readonly to?: string;
  readonly onSelect?: () => void;
  /** `onSelect` gives the focus to something else: the menu does not take it back to its trigger. */
  readonly movesFocus?: boolean;
}

/** One of a few, the current one marked. */
export interface MenuChoice {
  readonly label: string;
  readonly choices: readonly {
    readonly value: string;
    readonly label: string;
    readonly description?: string;
  }[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

export type MenuEntry = MenuAction | MenuChoice | 'separator' | { readonly heading: string };
