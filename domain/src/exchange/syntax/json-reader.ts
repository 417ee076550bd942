import type { Datum } from './datum.ts';
import { jsonFault } from './json-fault.ts';
import { tidyJson } from './json-tidy.ts';
import { checkCount, checkDepth, lineAndColumn, SourceError } from './source-limits.ts';

/** A value of JSON, and what had to be put right before it could be read. */
export interface ReadJson {
  readonly datum: Datum;
  readonly changes: readonly string[];
}

/**
 * Reads JSON, with what `JSON.parse` lets pass as an error: nesting without bounds, and a key that stands
 * twice in one object, of which one value would be lost unseen. Comments and commas too many are taken out;
 * one value a line is a list.
 * @throws SourceError
 */
export function readJson(text: string): ReadJson {
  checkKeys(text);
  const plain = parsed(text);
  if (plain) return { datum: plain.datum, changes: [] };
  const tidy = tidyJson(text);
  if (tidy.changes.length > 0) checkKeys(tidy.text);
  const again = tidy.changes.length > 0 ? parsed(tidy.text) : null;
  if (again) return { datum: again.datum, changes: tidy.changes };
  const lines = valuesByLine(text);
  if (lines) return { datum: lines, changes: [] };
  throw new SourceError(jsonFault(tidy.text));
}

function parsed(text: string): { readonly datum: Datum } | null {
  try {
    return { datum: JSON.parse(text) as unknown };
  } catch {
    // What is wrong is told by `jsonFault`, with its place.
    return null;
  }
}

/** One object a line, as logs and exports have it; null where that is not what the text is. */
function valuesByLine(text: string): Datum[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.every((line) => /^\s*\{.*\}\s*$/.test(line))) return null;
  const values = lines.map(parsed);
  return values.every((value) => value !== null) ? values.map((value) => value.datum) : null;
}

/** One pass over the brackets and keys; what else is wrong is left to the parser. */
function checkKeys(text: string): void {
  /** Keys of the open objects; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        isKey = true;
        checkDepth(open.length);
        break;
      case 0x5b: // [
        open.push(null);
        isKey = false;
        checkDepth(open.length);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        isKey = false;
        break;
      case 0x2c: // ,
        values += 1;
        isKey = (open.at(-1) ?? null) !== null;
        break;
      case 0x22: {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (isKey && keys) {
          const key = keyOf(text.slice(at, end + 1));
          if (keys.has(key)) {
            const where = lineAndColumn(text, at);
            throw new SourceError(
              `${JSON.stringify(key)} stands twice in one object (${where}): which one counts?`,
            );
          }
          keys.add(key);
        }
        isKey = false;
        at = end;
        break;
      }
    }
  }
  checkCount(values);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return text.length;
}

function keyOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    // The parser will say what is wrong with it.
    return literal;
  }
}

/**
 * Whether a value that arrived as JSON already is within the bounds; without recursion, since it may be
 * nested without bounds.
 * @throws SourceError
 */
export function checkValue(value: unknown): void {
  const queue: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = queue.pop(), count = 0; next !== undefined; next = queue.pop(), count += 1) {
    checkCount(count);
    if (typeof next.value !== 'object' || next.value === null) continue;
    checkDepth(next.depth);
    for (const item of Object.values(next.value)) queue.push({ value: item, depth: next.depth + 1 });
  }
}
