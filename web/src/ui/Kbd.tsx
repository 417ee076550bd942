import { cx } from './classes.ts';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Shift: isMac ? '⇧' : 'Shift',
  Alt: isMac ? '⌥' : 'Alt',
  Enter: '↵',
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  Escape: 'Esc',
  Plus: '+',
  Minus: '−',
};

/** One key. */
function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line ' +
          'bg-surface px-1 font-sans text-xs text-muted',
        className,
      )}
    >
      {children}
    </kbd>
  );
}

/** `Mod+Shift+K`, or a sequence `G D`, written for the user's machine. */
export function Shortcut({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5">
      {keys.split(/[+ ]/).map((key) => (
        <Kbd key={key}>{NAMES[key] ?? key}</Kbd>
      ))}
    </span>
  );
}
