import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { isEmail, normalizeEmail } from '@quantloom/domain/identity/email';
import { type IdentityAccount, IdentityError } from '@quantloom/domain/ports/identity';
import { transaction } from '../../sqlite/database.ts';
import type { IdentityStore } from './store.ts';

/**
 * OWASP's first choice for Argon2id: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). The package's
 * default algorithm is Argon2id.
 */
const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** An account without what is looked up apart. */
export type StoredAccount = Omit<IdentityAccount, 'isEmailVerified' | 'hasSecondFactor'>;

/**
 * People who can sign in. An address belongs to the account that has confirmed it, else to the first one that
 * names it; others may name it too, so that neither a sign-up nor a change of address tells whether an
 * address has an account (`docs/decisions/0235-an-address-belongs-to-who-confirms-it.md`).
 */
export interface Accounts {
  /** Rejects with code `invalid_email`. The password has been checked by the caller. */
  create(email: string, password: string): Promise<StoredAccount>;
  /**
   * The accounts of this address with this password, the owner's first. None: no such account, or another
   * password. It takes the same time whether there is an account, several of them, or none.
   */
  authenticate(email: string, password: string): Promise<readonly StoredAccount[]>;
  find(subject: string): StoredAccount | null;
  /** The account that the address belongs to. */
  findByEmail(email: string): StoredAccount | null;
  /** Whether the account's address belongs to it: only then messages about the account go there. */
  ownsItsEmail(subject: string): boolean;
  /** The password has been checked by the caller. */
  setPassword(subject: string, password: string): Promise<void>;
  /** Whether its owner has confirmed the present address. */
  isVerified(subject: string): boolean;
  /**
   * Notes that the address is confirmed. False where the account has left it, or another one has confirmed it
   * before.
   */
  verifyEmail(subject: string, emailKey: string): boolean;
  /** Rejects with code `invalid_email` or `unknown_subject`. Another address is not confirmed. */
  changeEmail(subject: string, email: string): void;
  linkUser(subject: string, userId: string): void;
  /** Removes the account and everything that names it. The file is written anew, so that none of it is left there. */
  remove(subject: string): void;
}

interface AccountRow {
  readonly subject: string;
  readonly email: string;
  readonly user_id: string | null;
  readonly password_hash: string | null;
}

/** The salt in a hash of the form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const saltOf = (passwordHash: string): string => passwordHash.split('$')[4] ?? '';

const hashWith = (password: string, salt: string): Promise<string> =>
  hash(password, { ...HASHING, salt: Buffer.from(salt, 'base64') });

const newSalt = (): string => randomBytes(16).toString('base64').replaceAll('=', '');

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** Accounts in the issuer's file. */
export function createAccounts({ database }: IdentityStore): Accounts {
  const connection = database.durable;
  const toAccount = (row: AccountRow): StoredAccount => ({
    subject: row.subject,
    email: row.email,
    userId: row.user_id,
  });
  const checked = (email: string): string => {
    const trimmed = email.trim();
    if (!isEmail(trimmed)) throw new IdentityError('invalid_email', 'This is not an e-mail address');
    return trimmed;
  };
  const bySubject = (subject: string): AccountRow | undefined =>
    connection.prepare('SELECT * FROM identity_accounts WHERE subject = ?').get(subject) as unknown as
      | AccountRow
      | undefined;

  /** The owner's first: who has confirmed the address, else who came first. */
  const byEmail = (email: string): readonly AccountRow[] =>
    connection
      .prepare(
        `SELECT * FROM identity_accounts WHERE email_key = ?
         ORDER BY email_verified_at IS NULL, created_at, rowid`,
      )
      .all(normalizeEmail(email)) as unknown as readonly AccountRow[];
  /** Accounts of one address share a salt, so that one look at a password costs one hash however many there are. */
  const saltFor = (email: string): string => {
    const known = byEmail(email).find(({ password_hash: passwordHash }) => passwordHash !== null);
    return known?.password_hash ? saltOf(known.password_hash) : newSalt();
  };

  return {
    async create(email, password) {
      const address = checked(email);
      const subject = `quantloom|${randomBytes(15).toString('base64url')}`;
      const passwordHash = await hashWith(password, saltFor(address));
      connection
        .prepare(
          'INSERT INTO identity_accounts (subject, email, email_key, password_hash, created_at) VALUES (?, ?, ?, ?, ?)',
        )
        .run(subject, address, normalizeEmail(address), passwordHash, Date.now());
      return { subject, email: address, userId: null };
    },
    async authenticate(email, password) {
      const rows = byEmail(email);
      const salts = new Set(
        rows.flatMap(({ password_hash: passwordHash }) => (passwordHash ? [saltOf(passwordHash)] : [])),
      );
      // An account that came from another address brought another salt, until its next new password: two
      // hashes are the rule, then.
      while (salts.size < 2) salts.add(newSalt());
      const hashes = await Promise.all([...salts].map((salt) => hashWith(password, salt)));
      return rows
        .filter(
          ({ password_hash: stored }) => stored !== null && hashes.some((found) => isSame(found, stored)),
        )
        .map(toAccount);
    },
    find(subject) {
      const row = bySubject(subject);
      return row ? toAccount(row) : null;
    },
    findByEmail(email) {
      const [row] = byEmail(email);
      return row ? toAccount(row) : null;
    },
    ownsItsEmail(subject) {
      const row = bySubject(subject);
      return row !== undefined && byEmail(row.email)[0]?.subject === subject;
    },
    async setPassword(subject, password) {
      const row = bySubject(subject);
      if (!row) throw new IdentityError('unknown_subject', 'There is no such account');
      connection
        .prepare('UPDATE identity_accounts SET password_hash = ?, password_changed_at = ? WHERE subject = ?')
        .run(await hashWith(password, saltFor(row.email)), Date.now(), subject);
    },
    isVerified: (subject) =>
      connection
        .prepare('SELECT 1 FROM identity_accounts WHERE subject = ? AND email_verified_at IS NOT NULL')
        .get(subject) !== undefined,
    verifyEmail(subject, emailKey) {
      const { changes } = connection
        .prepare(
          `UPDATE identity_accounts SET email_verified_at = coalesce(email_verified_at, ?1)
           WHERE subject = ?2 AND email_key = ?3 AND NOT EXISTS (
             SELECT 1 FROM identity_accounts WHERE email_key = ?3 AND subject <> ?2 AND email_verified_at IS NOT NULL)`,
        )
        .run(Date.now(), subject, emailKey);
      return Number(changes) > 0;
    },
    changeEmail(subject, email) {
      const address = checked(email);
      const { changes } = connection
        .prepare(
          `UPDATE identity_accounts SET email = ?1, email_key = ?2,
             email_verified_at = CASE WHEN email_key = ?2 THEN email_verified_at END WHERE subject = ?3`,
        )
        .run(address, normalizeEmail(address), subject);
      if (changes === 0) throw new IdentityError('unknown_subject', 'There is no such account');
    },
    linkUser(subject, userId) {
      const row = bySubject(subject);
      if (!row) throw new IdentityError('unknown_subject', 'There is no such account');
      // Asked at every sign-in, and by scripts more often: a write that changes nothing would wait for the
      // disk all the same.
      if (row.user_id === userId) return;
      connection.prepare('UPDATE identity_accounts SET user_id = ? WHERE subject = ?').run(userId, subject);
    },
    remove(subject) {
      transaction(connection, () => {
        for (const table of TABLES_OF_ACCOUNT)
          connection.prepare(`DELETE FROM ${table} WHERE subject = ?`).run(subject);
        connection.prepare('DELETE FROM identity_items WHERE account = ?').run(subject);
        connection
          .prepare(
            'DELETE FROM identity_unlocks WHERE email_key NOT IN (SELECT email_key FROM identity_accounts)',
          )
          .run();
      });
    },
  };
}

/** Tables with one row or several for an account. */
const TABLES_OF_ACCOUNT = [
  'identity_accounts',
  'identity_devices',
  'identity_links',
  'identity_sessions',
  'identity_totp',
  'identity_recovery_codes',
  'identity_passkeys',
] as const;
