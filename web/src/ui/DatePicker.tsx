import { dayOf, formatDay } from '@quantloom/domain/market-data/day';
import { Calendar } from 'lucide-react';
import { cloneElement, Suspense, useState } from 'react';
import { readDate } from '../lib/date-entry.ts';
import { formatDate } from '../lib/format.ts';
import { lastDayToPick, today } from '../lib/today.ts';
import { CONTROL, cx } from './classes.ts';
import { Field, type FieldProps } from './Field.tsx';
import { Fetched, fetchedPart, onFirstUse } from './fetched.tsx';

/** First day that any picker offers. */
const FIRST_DAY = '1990-01-01';

const popover = fetchedPart(async () => (await import('./CalendarPopover.tsx')).CalendarPopover);
onFirstUse(popover.fetch);

/**
 * A day as `YYYY-MM-DD`. It can be typed, or picked from a calendar; no day after `max` (default: today, here
 * or at the exchange) or before `min` (1990).
 */
export function DatePicker({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  value,
  onChange,
  min = FIRST_DAY,
  max = lastDayToPick(),
  disabled = false,
}: FieldProps & {
  value: string | null;
  onChange: (day: string | null) => void;
  min?: string;
  max?: string;
  disabled?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  if (open && !isWanted) setWanted(true);
  const [typed, setTyped] = useState<string | null>(null);
  // A value from elsewhere (a shortcut) takes the place of what was refused.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(null);
  }
  /** Why what was typed last was not taken. */
  const [refused, setRefused] = useState<string | null>(null);
  const commit = () => {
    if (typed === null) return;
    if (typed.trim() === '') {
      setTyped(null);
      onChange(null);
      return;
    }
    const entry = readDate(typed, { min, max });
    if (!entry.isRead) {
      // It stays as it was typed, marked; the value is the one before.
      setRefused(value === null ? entry.reason : `${entry.reason}. It stays ${formatDate(value)}`);
      return;
    }
    setTyped(null);
    if (entry.day !== value) onChange(entry.day);
  };
  const trigger = (
    <button
      type="button"
      disabled={disabled}
      aria-label={`Open calendar${typeof label === 'string' ? ` for ${label}` : ''}`}
      onPointerEnter={popover.fetch}
      onFocus={popover.fetch}
      className="absolute right-1 top-1 flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover"
    >
      <Calendar size={15} aria-hidden />
    </button>
  );
  const plain = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onClick: () => setOpen(true),
  });
  return (
    <Field {...{ label, isLabelHidden, hint, error: error ?? (typed === null ? null : refused), className }}>
      {(ids) => (
        <div className="relative">
          <input
            {...ids}
            disabled={disabled}
            value={typed ?? (value === null ? '' : formatDate(value))}
            placeholder="YYYY-MM-DD"
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setTyped(event.target.value);
              setRefused(null);
            }}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                commit();
              }
              if (event.key === 'Escape' && typed !== null) {
                setTyped(null);
                setRefused(null);
              }
              if (event.key === 'ArrowDown') setOpen(true);
            }}
            className={cx(CONTROL, 'num pr-9')}
          />
          {isWanted ? (
            <Suspense fallback={plain}>
              <Fetched
                part={popover}
                props={{
                  trigger,
                  open,
                  onOpenChange: setOpen,
                  value,
                  min,
                  max,
                  onChange: (day) => {
                    onChange(day);
                    setTyped(null);
                    setRefused(null);
                    setOpen(false);
                  },
                }}
              />
            </Suspense>
          ) : (
            plain
          )}
        </div>
      )}
    </Field>
  );
}

export interface DateRange {
  /** `YYYY-MM-DD`. */
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** Shortcuts of a date range, in months before the last day that there is anything for. */
export const RANGE_SHORTCUTS = [
  { label: '1m', months: 1 },
  { label: '3m', months: 3 },
  { label: '1y', months: 12 },
  { label: '3y', months: 36 },
  { label: '5y', months: 60 },
  { label: 'Max', months: null },
] as const;

/** The range that a shortcut stands for: months back from `end`, never before 1990; `Max` starts at 1990-01-01. */
export function shortcutRange(months: number | null, end: string): { startDate: string; endDate: string } {
  if (months === null) return { startDate: FIRST_DAY, endDate: end };
  const [year = 0, month = 1, dayOfMonth = 1] = end.split('-').map(Number);
  const first = dayOf(year, month - months, 1);
  const daysOfMonth = dayOf(year, month - months + 1, 1) - first;
  const start = formatDay(first + Math.min(dayOfMonth, daysOfMonth) - 1);
  return { startDate: start < FIRST_DAY ? FIRST_DAY : start, endDate: end };
}

/**
 * Start and end with the shortcuts 1m 3m 1y 3y 5y Max. `onShortcut` (default `onChange`) is told when a
 * shortcut was used. Months are counted back from `lastDay` (default: today), which is where prices end
 * earlier, a month before `max` would hold less than a month of them.
 */
export function DateRangePicker({
  value,
  onChange,
  onShortcut = onChange,
  max = lastDayToPick(),
  lastDay = today(),
  errors,
}: {
  value: DateRange;
  onChange: (range: DateRange) => void;
  onShortcut?: (range: DateRange) => void;
  max?: string;
  lastDay?: string;
  errors?: { readonly start?: string | null; readonly end?: string | null };
}) {
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <DatePicker
        label="Start Date"
        className="w-48"
        value={value.startDate}
        max={max}
        error={errors?.start}
        onChange={(startDate) => onChange({ ...value, startDate })}
      />
      <DatePicker
        label="End Date"
        className="w-48"
        value={value.endDate}
        max={max}
        error={errors?.end}
        onChange={(endDate) => onChange({ ...value, endDate })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a frame to a row of buttons */}
      <div role="group" aria-label="Date range shortcuts" className="flex h-8 items-center gap-0.5">
        {RANGE_SHORTCUTS.map(({ label, months }) => {
          const range = shortcutRange(months, months === null ? today() : lastDay);
          const isOn = range.startDate === value.startDate && range.endDate === value.endDate;
          return (
            <button
              key={label}
              type="button"
              aria-pressed={isOn}
              onClick={() => onShortcut(range)}
              className="num h-7 rounded px-2 text-sm text-muted hover:bg-hover hover:text-ink aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-accent"
            >
              {label}
            </button>
          );
        })}
      </div>
    </div>
  );
}
