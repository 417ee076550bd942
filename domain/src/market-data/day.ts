/** A day is a whole number: days since 1970-01-01 (UTC). */
const MILLISECONDS_PER_DAY = 86_400_000;

/** `YYYY-MM-DD` to a day, or null where the text is not a date that exists. */
export function parseDay(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const day = dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
  return formatDay(day) === text ? day : null;
}

/** A day of a constant in the code; throws where it does not exist. */
export function day(text: string): number {
  const value = parseDay(text);
  if (value === null) throw new RangeError(`${text} is not a date`);
  return value;
}

/** The day of a calendar date; month 1..12. */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  return Date.UTC(year, month - 1, dayOfMonth) / MILLISECONDS_PER_DAY;
}

export function formatDay(value: number): string {
  return new Date(value * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}

/** Unix seconds to `YYYY-MM-DD` (UTC). */
export function formatTimestamp(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}

export function yearOf(value: number): number {
  return new Date(value * MILLISECONDS_PER_DAY).getUTCFullYear();
}

/** 0 is Sunday, 6 is Saturday; 1970-01-01 was a Thursday. */
export function weekdayOf(value: number): number {
  return (((value + 4) % 7) + 7) % 7;
}

export function isWeekend(value: number): boolean {
  const weekday = weekdayOf(value);
  return weekday === 0 || weekday === 6;
}
