import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { isEmail, normalizeEmail } from '@quantloom/domain/identity/email';
import { type IdentityAccount, IdentityError } from '@quantloom/domain/ports/identity';
import type { IdentityStore } from './store.ts';

/** OWASP's first choice for Argon2id: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). The package's default algorithm is Argon2id. */
const HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** People who can sign in. An e-mail address is unique without regard to case. */
export interface Accounts {
  /** Rejects with code `email_taken` or `invalid_email`. The password has been checked by the caller. */
  create(email: string, password: string): Promise<IdentityAccount>;
  /** `null`: no such account, or another password; both take the same time. */
  authenticate(email: string, password: string): Promise<IdentityAccount | null>;
  find(subject: string): IdentityAccount | null;
  findByEmail(email: string): IdentityAccount | null;
  /** The password has been checked by the caller. */
  setPassword(subject: string, password: string): Promise<void>;
  /** Whether its owner has confirmed the present address. */
  isVerified(subject: string): boolean;
  /** Notes that the address is confirmed, if the account still has it. */
  verifyEmail(subject: string, emailKey: string): void;
  changeEmail(subject: string, email: string): void;
  linkUser(subject: string, userId: string): void;
}

interface AccountRow {
  readonly subject: string;
  readonly email: string;
  readonly user_id: string | null;
  readonly password_hash: string | null;
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed: identity_accounts.email_key');

/** Accounts in the issuer's file. */
export function createAccounts({ database }: IdentityStore): Accounts {
  const connection = database.durable;
  const unknownHash = hash(randomBytes(16), HASHING);
  const toAccount = (row: AccountRow): IdentityAccount => ({
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

  return {
    async create(email, password) {
      const address = checked(email);
      const subject = `quantloom|${randomBytes(15).toString('base64url')}`;
      const passwordHash = await hash(password, HASHING);
      try {
        connection
          .prepare(
            'INSERT INTO identity_accounts (subject, email, email_key, password_hash, created_at) VALUES (?, ?, ?, ?, ?)',
          )
          .run(subject, address, normalizeEmail(address), passwordHash, Date.now());
      } catch (error) {
        if (isUniqueViolation(error))
          throw new IdentityError('email_taken', 'There is an account with this e-mail address already');
        throw error;
      }
      return { subject, email: address, userId: null };
    },
    async authenticate(email, password) {
      const row = connection
        .prepare('SELECT * FROM identity_accounts WHERE email_key = ?')
        .get(normalizeEmail(email)) as unknown as AccountRow | undefined;
      const isRight = await verify(row?.password_hash ?? (await unknownHash), password);
      return row?.password_hash && isRight ? toAccount(row) : null;
    },
    find(subject) {
      const row = bySubject(subject);
      return row ? toAccount(row) : null;
    },
    findByEmail(email) {
      const row = connection
        .prepare('SELECT * FROM identity_accounts WHERE email_key = ?')
        .get(normalizeEmail(email)) as unknown as AccountRow | undefined;
      return row ? toAccount(row) : null;
    },
    async setPassword(subject, password) {
      const { changes } = connection
        .prepare('UPDATE identity_accounts SET password_hash = ?, password_changed_at = ? WHERE subject = ?')
        .run(await hash(password, HASHING), Date.now(), subject);
      if (changes === 0) throw new IdentityError('unknown_subject', 'There is no such account');
    },
    isVerified: (subject) =>
      connection
        .prepare('SELECT 1 FROM identity_accounts WHERE subject = ? AND email_verified_at IS NOT NULL')
        .get(subject) !== undefined,
    verifyEmail(subject, emailKey) {
      connection
        .prepare('UPDATE identity_accounts SET email_verified_at = ? WHERE subject = ? AND email_key = ?')
        .run(Date.now(), subject, emailKey);
    },
    changeEmail(subject, email) {
      const address = checked(email);
      try {
        const { changes } = connection
          .prepare(
            `UPDATE identity_accounts SET email = ?1, email_key = ?2,
               email_verified_at = CASE WHEN email_key = ?2 THEN email_verified_at END WHERE subject = ?3`,
          )
          .run(address, normalizeEmail(address), subject);
        if (changes === 0) throw new IdentityError('unknown_subject', 'There is no such account');
      } catch (error) {
        if (isUniqueViolation(error))
          throw new IdentityError('email_taken', 'This e-mail address belongs to another account');
        throw error;
      }
    },
    linkUser(subject, userId) {
      const { changes } = connection
        .prepare('UPDATE identity_accounts SET user_id = ? WHERE subject = ?')
        .run(userId, subject);
      if (changes === 0) throw new IdentityError('unknown_subject', 'There is no such account');
    },
  };
}
