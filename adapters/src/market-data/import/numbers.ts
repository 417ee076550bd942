/** Codes that may stand beside a price; pence and the like, which are no whole unit, are not among them. */
export const CURRENCY_CODES = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'JPY',
  'CAD',
  'AUD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
] as const;

/** How a file writes its prices: `1234.56`, `1,234.56` (or `$1,234.56`), or `1.234,56`. */
export type NumberForm = 'plain' | 'point' | 'comma';

/** Prices of a file by how they are written, as `numberEvidenceSql` counts them. */
export interface NumberEvidence {
  /** A decimal point that cannot be a thousands separator, or a comma that can only be one. */
  readonly point: number;
  /** The reverse. */
  readonly comma: number;
  /** `1,234`: a decimal comma or a thousands separator. */
  readonly unclear: number;
}

/** One row of three counts (`NumberEvidence`), over a column of texts. */
export function numberEvidenceSql(raw: string): string {
  const text = cleanSql(raw);
  const matches = (pattern: string) => `regexp_full_match(${text}, '${pattern}')`;
  const point = [
    String.raw`-?[0-9]{1,3}(,[0-9]{3})+\.[0-9]*`,
    '-?[0-9]{1,3}(,[0-9]{3}){2,}',
    String.raw`-?[0-9]*\.([0-9]{1,2}|[0-9]{4,})`,
    String.raw`-?([0-9]{4,}|0)\.[0-9]+`,
  ];
  const comma = [
    String.raw`-?[0-9]{1,3}(\.[0-9]{3})+,[0-9]*`,
    String.raw`-?[0-9]{1,3}(\.[0-9]{3}){2,}`,
    '-?[0-9]*,([0-9]{1,2}|[0-9]{4,})',
    '-?([0-9]{4,}|0),[0-9]+',
  ];
  const any = (patterns: readonly string[]) => `count(*) FILTER (${patterns.map(matches).join(' OR ')})`;
  return `${any(point)}, ${any(comma)}, ${any(['-?[1-9][0-9]{0,2},[0-9]{3}'])}`;
}

/** The form that the whole file agrees with; null where its commas can be either. */
export function numberForm(evidence: NumberEvidence, delimiter: string): NumberForm | null {
  if (evidence.comma > evidence.point) return 'comma';
  if (evidence.point > 0) return 'point';
  if (evidence.unclear === 0) return 'point';
  // Who writes semicolons between columns does so because the comma is taken.
  return delimiter === ';' ? 'comma' : null;
}

/** Whether a number is written as programs do. */
export function isPlainNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** A DuckDB expression for the price (a DOUBLE, NULL where the text is no number of that form). */
export function numberSql(form: NumberForm, raw: string): string {
  if (form === 'plain') return `TRY_CAST(${raw} AS DOUBLE)`;
  const text = cleanSql(raw);
  if (form === 'point')
    return String.raw`CASE WHEN regexp_full_match(${text}, '[+-]?([0-9]{1,3}(,[0-9]{3})+|[0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?')
      THEN TRY_CAST(replace(${text}, ',', '') AS DOUBLE) END`;
  return String.raw`CASE WHEN regexp_full_match(${text}, '[+-]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]*)(,[0-9]*)?([eE][+-]?[0-9]+)?')
    THEN TRY_CAST(replace(replace(${text}, '.', ''), ',', '.') AS DOUBLE) END`;
}

/** Without currencies, spaces and the apostrophes that Swiss numbers have between thousands. */
function cleanSql(raw: string): string {
  return String.raw`regexp_replace(${raw}, '[\s$€£¥''’\x{00A0}\x{202F}]|${CURRENCY_CODES.join('|')}', '', 'gi')`;
}
