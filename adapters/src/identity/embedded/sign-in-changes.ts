import { randomUUID } from 'node:crypto';
import type { SignInChange } from '@quantloom/domain/sign-in/sign-in';
import type { IdentityStore } from './store.ts';

const LOOK_EVERY_MS = 5_000;
/** Changes that are read at once. */
const BATCH = 50;
/** After so many in one look the log is taken to be away. */
const MOST_FAILURES = 5;
const DAY_MS = 24 * 60 * 60_000;
/** Of one account in 24 hours: more than anybody makes, and too few for a script to fill a log with. */
export const MOST_CHANGES_A_DAY = 200;

/** One change, as it is told outside. `id` stays the same however often it is told. */
export interface ToldChange {
  readonly id: string;
  readonly change: SignInChange;
  readonly userId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Changes that wait to be told, in the issuer's file: an outage of the log or a restart loses none. */
export interface SignInChanges {
  /** Keeps a change until it has been told. Of an account that has no user yet it waits for one, a day long. */
  note(subject: string, change: SignInChange): void;
  /** Removes everything about an account. */
  forget(subject: string): void;
  /** Resolves once what waits has been tried. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface ChangeRow {
  readonly id: string;
  readonly change: SignInChange;
  readonly user_id: string;
  readonly noted_at: number;
}

/**
 * @param tell takes a change over; it may come twice, and is told again later where this rejects. Null:
 *   another process of this issuer tells them
 * @param onError why one could not be told
 */
export function createSignInChanges(
  { database }: IdentityStore,
  tell: ((change: ToldChange) => Promise<void>) | null,
  onError: (error: unknown) => void,
  now: () => number = () => Date.now(),
): SignInChanges {
  const connection = database.durable;
  let running: Promise<void> | null = null;
  let isClosed = false;

  /** Those that were told are kept for a day, to be counted; so are those of an account that never gets a user. */
  const forgetOld = () =>
    connection
      .prepare(
        `DELETE FROM identity_changes WHERE noted_at < ? AND (told_at IS NOT NULL
         OR NOT EXISTS (SELECT 1 FROM identity_accounts a WHERE a.subject = identity_changes.subject AND a.user_id IS NOT NULL))`,
      )
      .run(now() - DAY_MS);

  const work = async (told: NonNullable<typeof tell>): Promise<void> => {
    forgetOld();
    const failures: unknown[] = [];
    let [lastTime, lastId] = [-1, ''];
    for (;;) {
      const waiting = connection
        .prepare(
          `SELECT c.id, c.change, c.noted_at, a.user_id FROM identity_changes c
           JOIN identity_accounts a ON a.subject = c.subject
           WHERE c.told_at IS NULL AND a.user_id IS NOT NULL AND (c.noted_at, c.id) > (?, ?)
           ORDER BY c.noted_at, c.id LIMIT ?`,
        )
        .all(lastTime, lastId, BATCH) as unknown as readonly ChangeRow[];
      for (const { id, change, user_id: userId, noted_at: notedAt } of waiting) {
        if (isClosed || failures.length === MOST_FAILURES) break;
        [lastTime, lastId] = [notedAt, id];
        try {
          await told({ id, change, userId, at: new Date(notedAt).toISOString() });
          connection.prepare('UPDATE identity_changes SET told_at = ? WHERE id = ?').run(now(), id);
        } catch (error) {
          // One that cannot be told holds up nobody else's.
          failures.push(error);
        }
      }
      if (waiting.length < BATCH || isClosed || failures.length === MOST_FAILURES) break;
    }
    if (failures.length > 0) throw failures[0];
  };
  const flush = (): Promise<void> => {
    if (tell === null) return Promise.resolve();
    running ??= work(tell).finally(() => {
      running = null;
    });
    return running;
  };
  const look = () => {
    if (!isClosed)
      void flush().catch((cause: unknown) =>
        onError(new Error('A change of how somebody signs in could not be recorded yet', { cause })),
      );
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();

  return {
    note(subject, change) {
      connection
        .prepare(
          `INSERT INTO identity_changes (id, subject, change, noted_at) SELECT ?1, ?2, ?3, ?4
           WHERE (SELECT COUNT(*) FROM identity_changes WHERE subject = ?2 AND noted_at > ?5) < ?6`,
        )
        .run(randomUUID(), subject, change, now(), now() - DAY_MS, MOST_CHANGES_A_DAY);
      setImmediate(look);
    },
    forget(subject) {
      connection.prepare('DELETE FROM identity_changes WHERE subject = ?').run(subject);
    },
    flush,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      // What is being told ends first; the rest waits in the file.
      await running?.catch(() => undefined);
    },
  };
}
