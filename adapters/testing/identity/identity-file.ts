import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import { type IdentityStore, openIdentityStore } from '../../src/identity/embedded/store.ts';
import { createSecretBox } from '../../src/identity/secret-box.ts';
import { openSqliteDatabase } from '../../src/sqlite/database.ts';

export interface IdentityFile {
  readonly store: IdentityStore;
  /** An account without a password, under a subject of the test's own. */
  addAccount(subject: string, email: string): void;
  /** A browser's session as `oidc-provider` keeps it: without it nobody is signed in. */
  addSession(subject: string, uid: string): void;
  close(): void;
}

/** The issuer's file alone, for what keeps its rows there. */
export function openIdentityFile(): IdentityFile {
  const folder = mkdtempSync(path.join(tmpdir(), 'identity-file-'));
  const database = openSqliteDatabase(path.join(folder, 'identity.sqlite'));
  const store = openIdentityStore(database, createSecretBox('c3'.repeat(32), 'identity'));
  return {
    store,
    addAccount(subject, email) {
      database.durable
        .prepare('INSERT INTO identity_accounts (subject, email, email_key, created_at) VALUES (?, ?, ?, 0)')
        .run(subject, email, normalizeEmail(email));
    },
    addSession(subject, uid) {
      database.durable
        .prepare(
          "INSERT INTO identity_items (model, key, payload_box, uid, account) VALUES ('Session', ?, '', ?, ?)",
        )
        .run(uid, uid, subject);
    },
    close() {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
