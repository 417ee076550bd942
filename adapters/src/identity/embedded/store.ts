import { createHash } from 'node:crypto';
import type { SqliteDatabase } from '../../sqlite/database.ts';
import type { SecretBox } from '../secret-box.ts';

const SCHEMA = [
  `CREATE TABLE identity_accounts (
     subject TEXT PRIMARY KEY,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL UNIQUE,
     password_hash TEXT,
     user_id TEXT,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE identity_clients (
     client_id TEXT PRIMARY KEY,
     secret_box TEXT NOT NULL,
     user_id TEXT NOT NULL,
     scopes TEXT NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE identity_items (
     model TEXT NOT NULL,
     key TEXT NOT NULL,
     payload_box TEXT NOT NULL,
     grant_id TEXT,
     uid TEXT,
     account TEXT,
     expires_at INTEGER,
     consumed_at INTEGER,
     PRIMARY KEY (model, key)
   ) STRICT;
   CREATE INDEX identity_items_grant ON identity_items (grant_id) WHERE grant_id IS NOT NULL;
   CREATE INDEX identity_items_uid ON identity_items (uid) WHERE uid IS NOT NULL;
   CREATE INDEX identity_items_expiry ON identity_items (expires_at) WHERE expires_at IS NOT NULL;
   CREATE TABLE identity_keys (
     kid TEXT PRIMARY KEY,
     kind TEXT NOT NULL CHECK (kind IN ('signing', 'cookie')),
     key_box TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     retired_at INTEGER
   ) STRICT;`,
  `CREATE TABLE identity_devices (
     subject TEXT NOT NULL,
     device_hash TEXT NOT NULL,
     used_at INTEGER NOT NULL,
     PRIMARY KEY (subject, device_hash)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE identity_unlocks (
     email_key TEXT PRIMARY KEY,
     unlocks INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE identity_accounts ADD COLUMN email_verified_at INTEGER;
   ALTER TABLE identity_accounts ADD COLUMN password_changed_at INTEGER;
   CREATE TABLE identity_links (
     token_hash TEXT PRIMARY KEY,
     subject TEXT NOT NULL,
     purpose TEXT NOT NULL,
     email_key TEXT NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_links_subject ON identity_links (subject, purpose);
   CREATE TABLE identity_sessions (
     uid TEXT PRIMARY KEY,
     subject TEXT NOT NULL,
     device TEXT NOT NULL,
     address TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     used_at INTEGER NOT NULL,
     confirmed_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_sessions_subject ON identity_sessions (subject);
   CREATE TABLE identity_ended_sessions (
     uid TEXT PRIMARY KEY,
     ended_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_ended_sessions_time ON identity_ended_sessions (ended_at);
   CREATE TABLE identity_totp (
     subject TEXT PRIMARY KEY,
     secret_box TEXT NOT NULL,
     enabled_at INTEGER,
     last_step INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE identity_recovery_codes (
     subject TEXT NOT NULL,
     code_hash TEXT NOT NULL,
     PRIMARY KEY (subject, code_hash)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE identity_passkeys (
     credential_id TEXT PRIMARY KEY,
     subject TEXT NOT NULL,
     public_key BLOB NOT NULL,
     counter INTEGER NOT NULL,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     used_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_passkeys_subject ON identity_passkeys (subject);
   CREATE TABLE identity_mails (
     id TEXT PRIMARY KEY,
     message_box TEXT NOT NULL,
     tries INTEGER NOT NULL,
     next_at INTEGER NOT NULL,
     created_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_mails_next ON identity_mails (next_at);`,
  // An address may be named by several accounts; one of them at most has confirmed it.
  `CREATE TABLE identity_accounts_next (
     subject TEXT PRIMARY KEY,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL,
     password_hash TEXT,
     user_id TEXT,
     created_at INTEGER NOT NULL,
     email_verified_at INTEGER,
     password_changed_at INTEGER
   ) STRICT;
   INSERT INTO identity_accounts_next (subject, email, email_key, password_hash, user_id, created_at, email_verified_at, password_changed_at)
     SELECT subject, email, email_key, password_hash, user_id, created_at, email_verified_at, password_changed_at
     FROM identity_accounts ORDER BY rowid;
   DROP TABLE identity_accounts;
   ALTER TABLE identity_accounts_next RENAME TO identity_accounts;
   CREATE INDEX identity_accounts_email ON identity_accounts (email_key);
   CREATE UNIQUE INDEX identity_accounts_verified ON identity_accounts (email_key) WHERE email_verified_at IS NOT NULL;`,
  // Kept for a day after they were told, to be counted.
  `CREATE TABLE identity_changes (
     id TEXT PRIMARY KEY,
     subject TEXT NOT NULL,
     change TEXT NOT NULL,
     noted_at INTEGER NOT NULL,
     told_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX identity_changes_subject ON identity_changes (subject, noted_at);
   CREATE INDEX identity_changes_waiting ON identity_changes (noted_at) WHERE told_at IS NULL;`,
  'ALTER TABLE identity_passkeys ADD COLUMN is_discoverable INTEGER;',
];

/** What the tables of the issuer share: the file and the key that seals its secrets. */
export interface IdentityStore {
  readonly database: SqliteDatabase;
  readonly box: SecretBox;
}

/** Creates the tables of the issuer in the file. */
export function openIdentityStore(database: SqliteDatabase, box: SecretBox): IdentityStore {
  database.migrate('identity', SCHEMA);
  return { database, box };
}

/** Secrets such as refresh tokens are found by their hash, so that a stolen file holds none of them. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
