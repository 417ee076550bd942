const SQLITE_FULL = 13;

/**
 * Whether an error, or one that caused it, says that nothing more can be written: the system's, SQLite's, or
 * DuckDB's in its text.
 */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, errcode } = cause as { code?: unknown; errcode?: unknown };
    if (code === 'ENOSPC' || code === 'EDQUOT') return true;
    if (code === 'ERR_SQLITE_ERROR' && errcode === SQLITE_FULL) return true;
    if (/No space left on device/i.test(cause.message)) return true;
  }
  return false;
}
