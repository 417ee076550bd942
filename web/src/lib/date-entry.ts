import { parseDay } from '@quantloom/domain/market-data/day';
import { formatDate } from './format.ts';

/**
 * Dates as people type them. What is on no calendar, or can be read in two ways, is refused with a sentence;
 * nothing is moved to another day.
 */

export type DateEntry =
  | { readonly isRead: true /** `YYYY-MM-DD`. */; readonly day: string }
  | { readonly isRead: false; readonly reason: string };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const MONTH_DAY = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;
const DAY_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?\.?[ -]([a-z]+)\.?,?[ -](\d{4})$/i;

const two = (number: number): string => String(number).padStart(2, '0');

function monthOf(name: string): number {
  const short = name.toLowerCase();
  const at = MONTHS.findIndex((month) => short.startsWith(month));
  return short.length >= 3 && /^[a-z]+$/.test(short) ? at + 1 : 0;
}

/** Year, month and day as they were written; a sentence where there are two readings; null where there is none. */
function partsOf(text: string): readonly [year: number, month: number, day: number] | string | null {
  const yearFirst = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (yearFirst) return [Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])];
  const named = MONTH_DAY.exec(text);
  if (named) return [Number(named[3]), monthOf(named[1] ?? ''), Number(named[2])];
  const dayFirst = DAY_MONTH.exec(text);
  if (dayFirst) return [Number(dayFirst[3]), monthOf(dayFirst[2] ?? ''), Number(dayFirst[1])];
  const yearLast = YEAR_LAST.exec(text);
  if (!yearLast) return null;
  const [first, second, year] = [Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4])];
  // With points it is always the day that comes first.
  if (yearLast[2] === '.' || first > 12) return [year, second, first];
  if (second > 12 || first === second) return [year, first, second];
  const readings = [`${year}-${two(first)}-${two(second)}`, `${year}-${two(second)}-${two(first)}`];
  return (
    `“${text}” may be ${readings.map((day) => formatDate(day)).join(' or ')}: write ${readings[0]} ` +
    `or ${readings[1]}`
  );
}

/** The day that a text stands for, within the limits, or why it stands for none. */
export function readDate(entered: string, { min, max }: { min: string; max: string }): DateEntry {
  const text = entered.trim().replace(/\s+/g, ' ');
  const parts = partsOf(text);
  if (typeof parts === 'string') return { isRead: false, reason: parts };
  const day = parts && `${String(parts[0]).padStart(4, '0')}-${two(parts[1])}-${two(parts[2])}`;
  if (day === null) return { isRead: false, reason: `“${text}” is no date: write one like ${max}` };
  if (parseDay(day) === null) return { isRead: false, reason: `“${text}” is on no calendar` };
  if (day > max) return { isRead: false, reason: `No date after ${formatDate(max)}` };
  if (day < min) return { isRead: false, reason: `No date before ${formatDate(min)}` };
  return { isRead: true, day };
}
