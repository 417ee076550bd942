import type { LucideIcon } from 'lucide-react';
import {
  cloneElement,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactElement,
  Suspense,
  useState,
} from 'react';

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
}

export type MenuEntry = MenuAction | 'separator' | { readonly heading: string };

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
  readonly label?: string;
}

const load = () => import('./MenuPopup.tsx');
const MenuPopup = lazy(() => load().then(({ MenuPopup: component }) => ({ default: component })));

interface TriggerProps {
  readonly onPointerEnter?: (event: unknown) => void;
  readonly onFocus?: (event: unknown) => void;
  readonly onClick?: (event: MouseEvent) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly 'aria-haspopup'?: 'menu';
  readonly 'aria-expanded'?: boolean;
}

/** A menu of actions below its trigger. Its code is fetched when the pointer or the focus comes near. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const trigger = props.trigger as ReactElement<TriggerProps>;
  const plain = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: (event) => {
      trigger.props.onPointerEnter?.(event);
      void load();
    },
    onFocus: (event) => {
      trigger.props.onFocus?.(event);
      void load();
    },
    onClick: (event) => {
      trigger.props.onClick?.(event);
      setWanted(true);
    },
    onKeyDown: (event) => {
      trigger.props.onKeyDown?.(event);
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setWanted(true);
    },
  });
  if (!isWanted) return plain;
  return (
    <Suspense fallback={plain}>
      <MenuPopup {...props} isOpenAtOnce />
    </Suspense>
  );
}
