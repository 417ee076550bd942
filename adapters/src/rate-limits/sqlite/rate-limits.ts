import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { SqliteDatabase } from '../../sqlite/database.ts';

const SCHEMA = [
  `CREATE TABLE rate_windows (
     key TEXT PRIMARY KEY,
     hits INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rate_windows_end ON rate_windows (ends_at);`,
];

/** Old windows are removed once in this many hits. */
const SWEEP_EVERY = 1_000;

/** Windows in the shared file: one upsert a hit, so processes on the same file never count past each other. */
export function createSqliteRateLimits(
  database: SqliteDatabase,
  now: () => number = () => Date.now(),
): RateLimits {
  database.migrate('rate-limits', SCHEMA);
  const upsert = database.relaxed.prepare(
    `INSERT INTO rate_windows (key, hits, ends_at) VALUES (:key, :hits, :now + :window)
     ON CONFLICT (key) DO UPDATE SET
       hits = CASE WHEN ends_at <= :now THEN :hits ELSE hits + :hits END,
       ends_at = CASE WHEN ends_at <= :now THEN :now + :window ELSE ends_at END
     RETURNING hits, ends_at`,
  );
  const look = database.relaxed.prepare(
    'SELECT hits, ends_at FROM rate_windows WHERE key = ? AND ends_at > ?',
  );
  const sweep = database.relaxed.prepare('DELETE FROM rate_windows WHERE ends_at <= ?');
  const remove = database.relaxed.prepare('DELETE FROM rate_windows WHERE key = ?');
  let untilSweep = SWEEP_EVERY;
  return {
    async hit(key, windowMs, hits = 1) {
      const time = now();
      if (hits === 0) {
        const known = look.get(key, time);
        return known
          ? { hits: Number(known.hits), endsInMs: Number(known.ends_at) - time }
          : { hits: 0, endsInMs: windowMs };
      }
      untilSweep -= 1;
      if (untilSweep <= 0) {
        untilSweep = SWEEP_EVERY;
        sweep.run(time);
      }
      const row = upsert.get({ key, hits, now: time, window: windowMs });
      return { hits: Number(row?.hits), endsInMs: Number(row?.ends_at) - time };
    },
    async reset(key) {
      remove.run(key);
    },
  };
}
