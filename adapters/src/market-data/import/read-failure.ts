import { MarketDataError } from '../files/market-data-error.ts';

const REASONS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/ENOENT/, 'there is no such file'],
  [/EACCES|EPERM/, 'it may not be read by this user'],
  [/EISDIR/, 'it is a folder'],
  [/ENOSPC|No space left|EFBIG|File too large|could not write/i, 'the disk is full'],
  [/unexpected end of file|Z_BUF_ERROR/i, 'it is cut off'],
  [
    /incorrect header check|Z_DATA_ERROR|invalid .*(?:block|code|distance|stored)/i,
    'it is no gzip file, or is damaged',
  ],
  [/ZSTD/i, 'it is no zstd file, or is damaged'],
  [/end of central directory|central directory|not a zip/i, 'it is no ZIP archive, or is cut off'],
  [/crypt|password/i, 'it is encrypted'],
  [/parquet|magic bytes|thrift|snappy/i, 'it is no Parquet file, or is damaged'],
  [
    /out of memory|max_temp_directory_size|failed to (?:pin|allocate)/i,
    'there is not enough memory or disk for it',
  ],
  [/maximum.line.size|line size/i, 'one of its lines is longer than a line of prices can be'],
  [/utf-?8|unicode/i, 'its text is in no encoding that is known here'],
];

/**
 * What is wrong with a file in words for people, whatever DuckDB, Node or a library says about it; null for
 * what is not known.
 */
export function reasonInWords(cause: unknown): string | null {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const text = `${typeof code === 'string' ? code : ''} ${typeof message === 'string' ? message : ''}`;
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** `x.csv cannot be read: …` as a refusal; a refusal stays what it is. */
export function cannotBeRead(name: string, cause: unknown): MarketDataError {
  if (cause instanceof MarketDataError) return cause;
  const reason = reasonInWords(cause) ?? 'its content is not what its name says, or is damaged';
  return new MarketDataError('import_refused', `${name} cannot be read: ${reason}`, { cause });
}

/** Whether a failure has to do with the disk or the memory, and with none of the files. */
export function isFullDisk(cause: unknown): boolean {
  const reason = reasonInWords(cause);
  return reason === 'the disk is full' || reason === 'there is not enough memory or disk for it';
}
