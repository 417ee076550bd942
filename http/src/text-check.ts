import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';

/**
 * Half of a character that takes two UTF-16 units, or NUL: neither can be stored everywhere, shown, or
 * written to a file.
 */
const isUsable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** The only ways in which JSON can write such a text. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i;

/** Whether a JSON text, read from UTF-8, surely holds no such text. False: it has to be looked at. */
export function isUsableJson(text: string): boolean {
  return !ESCAPED.test(text);
}

function unusablePlace(body: unknown): string | null {
  // No recursion: a body may be nested deeper than the stack.
  const rest: [value: unknown, path: string][] = [[body, '']];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && !isUsable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isUsable(name)) return path;
      if (typeof inner === 'string' || typeof inner === 'object') rest.push([inner, `${path}/${name}`]);
    }
  }
  return null;
}

/**
 * Throws the refusal of a body in which a text or the name of a field holds NUL or half a character. Bytes
 * are not looked at.
 */
export function refuseUnusableText(body: unknown): void {
  if (body instanceof Uint8Array) return;
  const path = unusablePlace(body);
  if (path === null) return;
  const message = `body${path} holds a character that is none (NUL, or half of a pair)`;
  throw new RefusalError(
    refuse(400, 'invalid_text', message, { problems: [{ code: 'invalid_text', message, path }] }),
  );
}
