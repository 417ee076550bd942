import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from './classes.ts';

export interface TabSpec<Value extends string = string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content?: ReactNode;
}

const TAB =
  'flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-1 text-base text-muted hover:text-ink';
const LIST = 'flex gap-4 overflow-x-auto border-b border-line';

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
      <Base.List aria-label={label} className={LIST}>
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className={cx(
              TAB,
              '-mb-px data-active:border-brand data-active:font-medium data-active:text-ink',
            )}
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

/** The same look for pages that have addresses of their own. */
export function LinkTabs({
  tabs,
  current,
  label,
}: {
  tabs: readonly { to: string; label: ReactNode }[];
  current: string;
  label: string;
}) {
  return (
    <nav aria-label={label} className={LIST}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={tab.to === current ? 'page' : undefined}
          className={cx(
            TAB,
            '-mb-px aria-[current]:border-brand aria-[current]:font-medium aria-[current]:text-ink',
          )}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
