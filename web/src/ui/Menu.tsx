import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { FetchedPopup, fetchedPart } from './fetched.tsx';

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

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
  readonly label?: string;
}

const popup = fetchedPart(async () => (await import('./MenuPopup.tsx')).MenuPopup);
const KEYS = ['ArrowDown', 'ArrowUp'];

/** A menu of actions below its trigger. */
export function Menu(props: MenuProps) {
  return <FetchedPopup part={popup} props={props} kind="menu" keys={KEYS} />;
}
