import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cx } from './classes.ts';
import { TAB, TAB_LIST } from './LinkTabs.tsx';

export interface TabSpec<Value extends string = string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content?: ReactNode;
  /** The pointer or the focus has come to the tab: time to fetch what it shows. */
  readonly onApproach?: () => void;
}

/** Tabs of one page; arrow keys move between them. Only the chosen panel is mounted. */
export function Tabs<Value extends string>({
  tabs,
  value,
  onChange,
  label,
  className,
  panelClassName,
}: {
  tabs: readonly TabSpec<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  label: string;
  className?: string;
  panelClassName?: string;
}) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={cx('flex min-h-0 flex-col', className)}
    >
      <Base.List aria-label={label} className={TAB_LIST}>
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            onPointerEnter={tab.onApproach}
            onFocus={tab.onApproach}
            className={cx(TAB, 'data-active:border-brand data-active:font-medium data-active:text-ink')}
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) =>
        tab.content === undefined ? null : (
          <Base.Panel
            key={tab.value}
            value={tab.value}
            className={cx('min-h-0 flex-1 pt-4 outline-offset-4', panelClassName)}
          >
            {tab.content}
          </Base.Panel>
        ),
      )}
    </Base.Root>
  );
}
