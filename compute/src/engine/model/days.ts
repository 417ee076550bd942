const MS_PER_DAY = 86_400_000;

/** `YYYY-MM-DD` of a day since 1970-01-01. */
export function dateOf(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Epoch seconds of midnight UTC. */
export function timestampOf(day: number): number {
  return day * 86_400;
}
