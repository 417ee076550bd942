/** A comma alone between two digits: it may be a decimal one as well as one that sets numbers apart. */
const BARE_COMMA = /\d,\d/;

/**
 * Why a part of a list with a comma alone in it is refused: both readings of `12,5`, or how to write what has
 * more of them.
 */
export function ambiguousCommaWords(part: string): string {
  const sides = part.split(',').filter((side) => side !== '');
  const several = sides.join('; ');
  return sides.length === 2
    ? `“${part}” may be ${sides.join('.')} or ${sides.join(' and ')}: write ${sides.join('.')}, or ${several}`
    : `“${part}” can be read in several ways: put a semicolon between two of them, such as ${several}`;
}

/**
 * The values of a list, as they were typed, with semicolons, ends of lines, or commas and spaces between
 * them; or why they cannot be told apart.
 */
export type ListEntry =
  | { readonly isRead: true; readonly values: readonly string[] }
  | { readonly isRead: false; readonly reason: string };

export function readList(entered: string): ListEntry {
  const parts = entered.split(/[;\n]+/).map((part) => part.trim());
  // With semicolons between them, commas can only be decimal ones.
  const isSetApart = parts.filter((part) => part !== '').length > 1;
  const values: string[] = [];
  for (const part of parts)
    for (const value of part.split(/,(?=\s|$)|(?<!\d),|,(?!\d)/).map((one) => one.trim())) {
      if (value === '') continue;
      const isAmong = value !== part;
      if (BARE_COMMA.test(value) && (isAmong || !isSetApart))
        return { isRead: false, reason: ambiguousCommaWords(value) };
      values.push(value);
    }
  return { isRead: true, values };
}
