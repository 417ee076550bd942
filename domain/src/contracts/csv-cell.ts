/** What a cell may hold; nothing stands for an absent value. */
export type Cell = string | number | boolean | null | undefined;

const NEEDS_QUOTES = /[",\n\r]/;
/** As OWASP lists them ("CSV Injection"), with the full-width forms that some spreadsheets fold. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * One cell of a CSV file: quoted where it holds a comma, a quote or a line break, quotes doubled. A text that
 * a spreadsheet would run as a formula gets a leading apostrophe; numbers (−1.5, +3e4) stay numbers.
 */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const harmless = LOOKS_LIKE_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
