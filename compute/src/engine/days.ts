const MS_PER_DAY = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days since 1970-01-01 of a `YYYY-MM-DD` date; null for anything else, dates that do not exist included. */
export function dayOf(date: unknown): number | null {
  if (typeof date !== 'string' || !DATE.test(date)) return null;
  const ms = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms)) return null;
  const day = ms / MS_PER_DAY;
  return dateOf(day) === date ? day : null;
}

/** `YYYY-MM-DD` of a day since 1970-01-01. */
export function dateOf(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Epoch seconds of midnight UTC. */
export function timestampOf(day: number): number {
  return day * 86_400;
}
