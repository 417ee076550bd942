import { transaction } from '../../sqlite/database.ts';
import type { IdentityStore } from './store.ts';

/** A browser that is signed in. */
export interface SessionRecord {
  readonly uid: string;
  readonly subject: string;
  /** Browser and system in words. */
  readonly device: string;
  /** IP address that it was last seen at. */
  readonly address: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number;
  readonly usedAt: number;
  /** When the person last proved to be who they are. */
  readonly confirmedAt: number;
}

export type SeenSession = Pick<SessionRecord, 'uid' | 'subject' | 'device' | 'address'> & {
  readonly loginAt: number | null;
};

/**
 * Browsers that one account is signed in with; one more signs out the one that was used longest ago. A script
 * signs in without end.
 */
export const MOST_SESSIONS = 100;

/** Longest life of an access token that anybody sets, in ms: after it nobody asks for an ended session. */
const REMEMBERED_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * Who is signed in where. A session that has ended takes its refresh tokens along, and its access tokens are
 * refused.
 */
export interface Sessions {
  /**
   * Notes a sign-in or a renewed token; `loginAt`: when the password was last given, `null` where that is not
   * known.
   */
  seen(session: SeenSession): void;
  find(uid: string): SessionRecord | null;
  /** Those of a person, the last used first. */
  list(subject: string): readonly SessionRecord[];
  confirm(uid: string): void;
  end(uid: string): void;
  /** Ends all of a person's sessions but one. */
  endOthers(subject: string, keptUid: string | null): void;
  isEnded(uid: string): boolean;
  /** Uids that ended at this time or later. */
  endedSince(time: number): readonly string[];
  removeOld(): void;
}

interface SessionRow {
  readonly uid: string;
  readonly subject: string;
  readonly device: string;
  readonly address: string;
  readonly created_at: number;
  readonly used_at: number;
  readonly confirmed_at: number;
}

const recordOf = (row: SessionRow): SessionRecord => ({
  uid: row.uid,
  subject: row.subject,
  device: row.device,
  address: row.address,
  createdAt: row.created_at,
  usedAt: row.used_at,
  confirmedAt: row.confirmed_at,
});

/** Sessions in the issuer's file, beside the items of `oidc-provider` that carry them. */
export function createSessions({ database }: IdentityStore, now: () => number = () => Date.now()): Sessions {
  const connection = database.durable;
  const rows = (sql: string, ...values: readonly string[]): readonly SessionRecord[] =>
    (connection.prepare(sql).all(...values) as unknown as readonly SessionRow[]).map(recordOf);

  const end = (uid: string): void =>
    transaction(connection, () => {
      connection.prepare(`DELETE FROM identity_items WHERE model = 'Session' AND uid = ?`).run(uid);
      connection.prepare('DELETE FROM identity_sessions WHERE uid = ?').run(uid);
      connection
        .prepare('INSERT INTO identity_ended_sessions (uid, ended_at) VALUES (?, ?) ON CONFLICT DO NOTHING')
        .run(uid, now());
    });

  return {
    seen({ uid, subject, device, address, loginAt }) {
      connection
        .prepare(
          `INSERT INTO identity_sessions (uid, subject, device, address, created_at, used_at, confirmed_at)
           SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM identity_ended_sessions WHERE uid = ?)
           ON CONFLICT (uid) DO UPDATE SET device = excluded.device, address = excluded.address,
             used_at = excluded.used_at, subject = excluded.subject,
             confirmed_at = max(identity_sessions.confirmed_at, excluded.confirmed_at)`,
        )
        .run(uid, subject, device, address, now(), now(), loginAt ?? 0, uid);
      const surplus = rows(
        'SELECT * FROM identity_sessions WHERE subject = ? AND uid <> ? ORDER BY used_at DESC ' +
          `LIMIT -1 OFFSET ${MOST_SESSIONS - 1}`,
        subject,
        uid,
      );
      for (const { uid: oldest } of surplus) end(oldest);
    },
    find: (uid) => rows('SELECT * FROM identity_sessions WHERE uid = ?', uid)[0] ?? null,
    list: (subject) =>
      rows(
        `SELECT s.* FROM identity_sessions AS s JOIN identity_items AS i ON i.model = 'Session' AND i.uid = s.uid
         WHERE s.subject = ? ORDER BY s.used_at DESC`,
        subject,
      ),
    confirm: (uid) => {
      connection.prepare('UPDATE identity_sessions SET confirmed_at = ? WHERE uid = ?').run(now(), uid);
    },
    end,
    endOthers(subject, keptUid) {
      const uids = connection
        .prepare(`SELECT uid FROM identity_items WHERE model = 'Session' AND account = ? AND uid IS NOT NULL`)
        .all(subject)
        .map((row) => String(row.uid));
      for (const uid of uids) if (uid !== keptUid) end(uid);
    },
    isEnded: (uid) =>
      connection.prepare('SELECT 1 FROM identity_ended_sessions WHERE uid = ?').get(uid) !== undefined,
    endedSince: (time) =>
      connection
        .prepare('SELECT uid FROM identity_ended_sessions WHERE ended_at >= ?')
        .all(time)
        .map((row) => String(row.uid)),
    removeOld: () => {
      database.relaxed
        .prepare('DELETE FROM identity_ended_sessions WHERE ended_at < ?')
        .run(now() - REMEMBERED_MS);
      database.relaxed
        .prepare(
          `DELETE FROM identity_sessions WHERE NOT EXISTS
             (SELECT 1 FROM identity_items WHERE model = 'Session' AND uid = identity_sessions.uid)`,
        )
        .run();
    },
  };
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system of a `User-Agent`, in words that a person recognises. */
export function deviceName(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'An unknown browser';
}
