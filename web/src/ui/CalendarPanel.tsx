import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ClassNames, DayPicker, type Labels } from 'react-day-picker';
import { formatDate, fromDay, toDay } from '../lib/format.ts';
import { today } from '../lib/today.ts';

const NAV =
  'flex size-7 items-center justify-center rounded text-muted hover:bg-hover aria-disabled:opacity-40';
const CLASSES: Partial<ClassNames> = {
  root: 'text-base',
  months: 'relative',
  month_caption: 'flex h-8 items-center justify-center px-8',
  dropdowns: 'flex gap-1',
  dropdown_root: 'relative',
  dropdown:
    'absolute inset-0 cursor-pointer opacity-0 [&:focus-visible+span]:outline-2 [&:focus-visible+span]:outline-focus',
  caption_label: 'flex h-7 items-center gap-1 rounded border border-line px-2 text-sm font-medium',
  nav:
    'absolute inset-x-0 top-0 flex h-8 items-center justify-between pointer-events-none ' +
    '[&>button]:pointer-events-auto',
  button_previous: NAV,
  button_next: NAV,
  month_grid: 'mt-1 border-collapse',
  weekday: 'size-8 text-center text-xs font-normal text-faint',
  day: 'num p-0 text-center',
  day_button: 'size-8 rounded text-sm hover:bg-hover disabled:cursor-not-allowed',
  selected: '[&>button]:bg-brand [&>button]:text-on-brand [&>button:hover]:bg-brand-hover',
  today: '[&>button]:font-semibold [&>button]:underline [&>button]:underline-offset-4',
  outside: '[&>button]:text-faint',
  disabled: '[&>button]:text-faint [&>button]:line-through [&>button]:hover:bg-transparent',
  hidden: 'invisible',
};

function CalendarChevron({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) {
  if (orientation === 'left') return <ChevronLeft size={16} aria-hidden />;
  if (orientation === 'right') return <ChevronRight size={16} aria-hidden />;
  return (
    <span aria-hidden className="text-faint">
      ▾
    </span>
  );
}
/** A day is called by the number that it shows, not by `1st`. */
const LABELS: Partial<Labels> = {
  labelDayButton: (date, { today: isToday, selected }) =>
    [
      isToday && 'Today',
      date.toLocaleDateString('en-US', { weekday: 'long' }),
      `${formatDate(date)}${selected ? ', selected' : ''}`,
    ]
      .filter(Boolean)
      .join(', '),
};
const COMPONENTS = { Chevron: CalendarChevron };

/** A calendar of one month with year and month lists (years from 1990); arrow keys move by day and week. */
export function CalendarPanel({
  value,
  onChange,
  min,
  max,
}: {
  value: string | null;
  onChange: (day: string) => void;
  /** First and last day that can be picked, `YYYY-MM-DD`. */
  min: string;
  max: string;
}) {
  const selected = value === null ? undefined : (fromDay(value) ?? undefined);
  const first = fromDay(min) ?? new Date(1990, 0, 1);
  const last = fromDay(max) ?? new Date();
  const now = fromDay(today());
  return (
    <DayPicker
      mode="single"
      {...(now && { today: now })}
      autoFocus
      required
      selected={selected}
      defaultMonth={selected ?? last}
      startMonth={first}
      endMonth={last}
      captionLayout="dropdown"
      disabled={[{ before: first }, { after: last }]}
      onSelect={(date: Date | undefined) => date && onChange(toDay(date))}
      classNames={CLASSES}
      components={COMPONENTS}
      labels={LABELS}
    />
  );
}
