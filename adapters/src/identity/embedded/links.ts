import { randomBytes } from 'node:crypto';
import { transaction } from '../../sqlite/database.ts';
import { hashOf, type IdentityStore } from './store.ts';

const MINUTE = 60_000;

/** How long a link of each kind works, in ms. */
const LIFETIMES = {
  verify: 7 * 24 * 60 * MINUTE,
  reset: 60 * MINUTE,
  unlock: 60 * MINUTE,
} as const;

export type LinkPurpose = keyof typeof LIFETIMES;

/** Whom a link was sent to. */
export interface LinkOwner {
  readonly subject: string;
  /**
   * The address it was sent to, in its compared form: a link to an address that the account has left is worth
   * nothing.
   */
  readonly emailKey: string;
}

/** Links that are sent by mail. Their hash alone is stored, so that a stolen file opens no account. */
export interface Links {
  /** A new link. Earlier ones go on working, or a stranger could spoil those of the owner by asking for more. */
  create(purpose: LinkPurpose, owner: LinkOwner): string;
  /** Whom it belongs to, without using it; `null`: used, expired, or never made. */
  find(purpose: LinkPurpose, token: string): LinkOwner | null;
  /**
   * As `find`, and neither it nor another one of this purpose works any more. Of two simultaneous uses one
   * gets `null`.
   */
  use(purpose: LinkPurpose, token: string): LinkOwner | null;
  removeExpired(): void;
}

interface LinkRow {
  readonly subject: string;
  readonly email_key: string;
}

/** Links in the issuer's file. */
export function createLinks({ database }: IdentityStore, now: () => number = () => Date.now()): Links {
  const connection = database.durable;
  const ownerOf = (row: LinkRow | undefined): LinkOwner | null =>
    row ? { subject: row.subject, emailKey: row.email_key } : null;
  const find = (purpose: LinkPurpose, token: string): LinkOwner | null =>
    ownerOf(
      connection
        .prepare(
          `SELECT subject, email_key FROM identity_links JOIN identity_accounts USING (subject, email_key)
           WHERE token_hash = ? AND purpose = ? AND expires_at > ?`,
        )
        .get(hashOf(token), purpose, now()) as unknown as LinkRow | undefined,
    );
  return {
    create(purpose, { subject, emailKey }) {
      const token = randomBytes(24).toString('base64url');
      connection
        .prepare(
          'INSERT INTO identity_links (token_hash, subject, purpose, email_key, expires_at) VALUES (?, ?, ?, ?, ?)',
        )
        .run(hashOf(token), subject, purpose, emailKey, now() + LIFETIMES[purpose]);
      return token;
    },
    find,
    use: (purpose, token) =>
      transaction(connection, () => {
        const owner = find(purpose, token);
        if (owner)
          connection
            .prepare('DELETE FROM identity_links WHERE subject = ? AND purpose = ?')
            .run(owner.subject, purpose);
        return owner;
      }),
    removeExpired: () => {
      database.relaxed.prepare('DELETE FROM identity_links WHERE expires_at <= ?').run(now());
    },
  };
}
