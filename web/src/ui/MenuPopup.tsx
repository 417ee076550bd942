import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { Link } from 'react-router';
import { cx, FLOATING, OPTION } from './classes.ts';
import { Shortcut } from './Kbd.tsx';
import type { MenuAction, MenuChoice, MenuEntry } from './menu-entries.ts';
import { onPhone } from './on-phone.ts';

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
  readonly label?: string;
}

/** The lines of a menu, for `MenuPopup`. */
export function MenuLines({
  entries,
  onChosen,
}: {
  entries: readonly MenuEntry[];
  onChosen?: (entry: MenuAction) => void;
}) {
  return entries.map((entry, index) => {
    if (entry === 'separator')
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity
      return <Base.Separator key={`separator-${index}`} className="my-1 h-px bg-line" />;
    if ('heading' in entry)
      return (
        <div key={entry.heading} className="truncate px-2 py-1 text-xs text-muted">
          {entry.heading}
        </div>
      );
    if ('choices' in entry) return <Choices key={entry.label} {...entry} />;
    const { icon: Icon } = entry;
    const content = (
      <>
        {Icon && <Icon size={15} aria-hidden className={entry.isDangerous ? '' : 'text-muted'} />}
        <span className="min-w-0 flex-1">
          {entry.label}
          {entry.description && <span className="block text-sm text-muted">{entry.description}</span>}
        </span>
        {entry.shortcut && (
          <span className="pointer-coarse:hidden">
            <Shortcut keys={entry.shortcut} />
          </span>
        )}
      </>
    );
    const className = cx(OPTION, entry.isDangerous && 'text-danger');
    return entry.to === undefined ? (
      <Base.Item
        key={entry.label}
        className={className}
        disabled={entry.isDisabled ?? false}
        onClick={() => {
          onChosen?.(entry);
          entry.onSelect?.();
        }}
      >
        {content}
      </Base.Item>
    ) : (
      <Base.LinkItem key={entry.label} className={className} closeOnClick render={<Link to={entry.to} />}>
        {content}
      </Base.LinkItem>
    );
  });
}

function Choices({ label, choices, value, onChoose }: MenuChoice) {
  return (
    <Base.RadioGroup aria-label={label} value={value} onValueChange={onChoose}>
      {choices.map((choice) => (
        <Base.RadioItem key={choice.value} value={choice.value} closeOnClick className={OPTION}>
          <span className="min-w-0 flex-1">
            {choice.label}
            {choice.description && <span className="block text-sm text-muted">{choice.description}</span>}
          </span>
          <Base.RadioItemIndicator className="flex size-4 shrink-0 text-accent" keepMounted>
            {choice.value === value && <Check size={15} aria-hidden />}
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** A menu of actions below its trigger. `isOpenAtOnce`: it was asked for before it was loaded. */
export function MenuPopup({
  trigger,
  entries,
  align = 'start',
  label,
  isOpenAtOnce,
}: MenuProps & { isOpenAtOnce: boolean }) {
  const chosen = useRef<MenuAction | null>(null);
  return (
    <Base.Root
      defaultOpen={isOpenAtOnce}
      onOpenChange={(isOpen) => {
        if (isOpen) chosen.current = null;
      }}
    >
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} collisionPadding={8} className="z-30" {...onPhone()}>
          <Base.Popup
            aria-label={label}
            className={cx(FLOATING, 'max-h-(--available-height) min-w-44 max-w-80 overflow-y-auto p-1')}
            finalFocus={() => !chosen.current?.movesFocus}
          >
            <MenuLines
              entries={entries}
              onChosen={(entry) => {
                chosen.current = entry;
              }}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
