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
