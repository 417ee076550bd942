import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Something the user can do here: shown in the command menu and in the list of shortcuts, run by its keys. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Heading in both lists. */
  readonly group: string;
  readonly icon?: LucideIcon;
  /** `Mod+Enter`, `Mod+Shift+Z`, `?`, or a sequence `G D`. `Mod` is Ctrl, on a Mac ⌘. */
  readonly shortcut?: string;
  /** Works while the user types in a field, too. Default only for shortcuts with Mod. */
  readonly worksInFields?: boolean;
  readonly isDisabled?: boolean;
  /** Listed among the shortcuts, but not in the command menu. */
  readonly isHidden?: boolean;
  /** Only told: the keys are heard by what they belong to, such as a line of a tree. Not in the command menu either. */
  readonly isTold?: boolean;
  readonly keywords?: string;
  readonly run: () => void;
}

let registered: readonly (readonly Command[])[] = [];
let flat: readonly Command[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly (readonly Command[])[]): void {
  registered = next;
  flat = next.flat();
  for (const listener of listeners) listener();
}

/** Offers commands while the component is mounted; later ones win over earlier ones with the same keys. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const key = commands
    .map((one) => `${one.id}|${one.label}|${one.shortcut ?? ''}|${one.isDisabled ?? false}`)
    .join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` holds everything of `commands` but `run`, which is read late
  useEffect(() => {
    const mine = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    publish([...registered, mine]);
    return () => publish(registered.filter((one) => one !== mine));
  }, [key]);
}

/** Every command that is offered now. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => flat,
  );
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Writes a key press the way shortcuts are written. */
export function chordOf(
  event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>,
): string {
  const key =
    event.key.length === 1
      ? event.key.toUpperCase()
      : event.key.startsWith('Arrow')
        ? event.key.slice(5)
        : event.key;
  const isLetter = /^[A-Z]$/.test(key);
  return [
    (isMac ? event.metaKey : event.ctrlKey) && 'Mod',
    event.altKey && 'Alt',
    // Shift is part of the character for signs such as `?`.
    event.shiftKey && (isLetter || event.key.length > 1) && 'Shift',
    key,
  ]
    .filter(Boolean)
    .join('+');
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.role === 'combobox')
  );
}

/** Listens for the shortcuts of all commands. Mounted once; returns how to stop. */
export function listenForShortcuts(target: Document = document): () => void {
  let pending = '';
  let pendingSince = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      ['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)
    )
      return;
    const chord = chordOf(event);
    const typing = isTyping(event.target);
    // Asked where the keys mean something at all: it looks through the whole page.
    const inDialog = () =>
      target.querySelector('[role=dialog][data-open], [role=alertdialog][data-open]') !== null;
    const sequence = pending !== '' && event.timeStamp - pendingSince < 1200 ? `${pending} ${chord}` : chord;
    const find = (keys: string) =>
      flat.findLast(
        (one) =>
          one.shortcut === keys &&
          !one.isDisabled &&
          !one.isTold &&
          (!typing || (one.worksInFields ?? keys.includes('Mod'))),
      );
    const command = find(sequence) ?? find(chord);
    pending = '';
    if (command) {
      if (inDialog()) return;
      event.preventDefault();
      command.run();
    } else if (
      !typing &&
      flat.some((one) => !one.isTold && one.shortcut?.startsWith(`${chord} `)) &&
      !inDialog()
    ) {
      pending = chord;
      pendingSince = event.timeStamp;
    }
  };
  target.addEventListener('keydown', onKeyDown);
  return () => target.removeEventListener('keydown', onKeyDown);
}
