/**
 * MongoDB gives `$` at the beginning of a field and `.` anywhere in it a meaning of its own, while documents
 * have fields such as `$TICKER`. Both are stored as their full-width twins, which no name of ours contains.
 */
const TO_STORED: Readonly<Record<string, string>> = { $: '＄', '.': '．' };
const TO_PLAIN: Readonly<Record<string, string>> = { '＄': '$', '．': '.' };

/** One key as it is stored. */
export const storedKey = (key: string): string => key.replaceAll(/[$.]/g, (c) => TO_STORED[c] ?? c);

const plainKey = (key: string): string => key.replaceAll(/[＄．]/g, (c) => TO_PLAIN[c] ?? c);

/** A copy for storing, without `undefined` and with dates as text: what JSON makes of it. */
export function toStored(document: unknown): unknown {
  return renamed(JSON.parse(JSON.stringify(document)), storedKey);
}

/** The document as it was before `toStored`. */
export function toPlain(stored: unknown): unknown {
  return renamed(stored, plainKey);
}

function renamed(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [rename(key), renamed(each, rename)]));
}
