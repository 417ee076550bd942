/** Fields whose values are keywords in EDN. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...[
    'step',
    'rebalance',
    'comparator',
    'lhs-fn',
    'rhs-fn',
    'sort-by-fn',
    'select-fn',
    'fn',
    'condition-type',
  ],
  'operator',
]);
const KEYWORD = /^[A-Za-z][A-Za-z0-9*!_?.-]*$/;

/** A value of JSON as EDN; names of blocks, functions and rules become keywords, as that tool writes them. */
export function writeEdn(value: unknown, name = ''): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return KEYWORDS.has(name) && KEYWORD.test(value) ? `:${value}` : text(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeEdn(item)).join(' ')}]`;
  const entries = Object.entries(value as Record<string, unknown>);
  return `{${entries.map(([key, item]) => `:${key} ${writeEdn(item, key)}`).join(', ')}}`;
}

function text(value: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '"': '\\"',
    '\\': '\\\\',
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
  };
  const escaped = value.replace(/["\\\n\t\r]/g, (character) => escapes[character] ?? character);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a text of EDN.
  return `"${escaped.replace(/[\u0000-\u001f\u007f]/g, ' ')}"`;
}
