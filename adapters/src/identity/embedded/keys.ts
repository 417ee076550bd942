import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { transaction } from '../../sqlite/database.ts';
import type { IdentityStore } from './store.ts';

export interface IssuerKeys {
  /** Private RS256 keys, the one that signs first; the others verify what they have signed. */
  readonly signing: readonly JWK[];
  /** The first one signs cookies. */
  readonly cookies: readonly string[];
}

/** A retired key is published this long, so that every token it has signed has expired before it goes. */
export const RETIREMENT_MS = 2 * 24 * 60 * 60 * 1000;

async function newSigningKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { ...jwk, kid, alg: 'RS256', use: 'sig' };
}

/** The keys as they are now. */
export function readKeys({ database, box }: IdentityStore): IssuerKeys {
  const rows = database.durable
    .prepare(
      'SELECT kid, kind, key_box FROM identity_keys ORDER BY retired_at IS NOT NULL, created_at DESC, kid',
    )
    .all();
  const opened = (kind: string): string[] =>
    rows.filter((row) => row.kind === kind).map((row) => box.open(String(row.key_box), `key:${row.kid}`));
  return { signing: opened('signing').map((text) => JSON.parse(text) as JWK), cookies: opened('cookie') };
}

/** The keys of the issuer; made at first start. Two processes that start at once end with the same keys. */
export async function loadKeys(store: IdentityStore): Promise<IssuerKeys> {
  const found = readKeys(store);
  if (found.signing.length > 0 && found.cookies.length > 0) return found;
  const signing = await newSigningKey();
  const cookie = randomBytes(32).toString('base64url');
  const { database, box } = store;
  transaction(database.durable, () => {
    if (database.durable.prepare('SELECT 1 FROM identity_keys').get()) return;
    const insert = database.durable.prepare(
      'INSERT INTO identity_keys (kid, kind, key_box, created_at) VALUES (?, ?, ?, ?)',
    );
    insert.run(signing.kid, 'signing', box.seal(JSON.stringify(signing), `key:${signing.kid}`), Date.now());
    insert.run('cookie-1', 'cookie', box.seal(cookie, 'key:cookie-1'), Date.now());
  });
  return readKeys(store);
}

/** A signing key is replaced when it is this old. */
export const ROTATION_MS = 90 * 24 * 60 * 60 * 1000;

/** Which keys there are, cheaply: it changes when any process has rotated them. */
export function keysVersion({ database }: IdentityStore): string {
  const row = database.durable
    .prepare('SELECT group_concat(kid) AS kids, max(created_at) AS newest FROM identity_keys')
    .get();
  return `${row?.newest}:${row?.kids}`;
}

/** Whether the signing key is due to be replaced. */
export function isRotationDue({ database }: IdentityStore, now: number): boolean {
  const row = database.durable
    .prepare("SELECT max(created_at) AS newest FROM identity_keys WHERE kind = 'signing'")
    .get();
  return now - Number(row?.newest ?? now) > ROTATION_MS;
}

/** Makes a new signing key, retires the present one, and forgets those that were retired long enough ago. */
export async function rotateSigningKey(store: IdentityStore): Promise<IssuerKeys> {
  const signing = await newSigningKey();
  const now = Date.now();
  const { database, box } = store;
  transaction(database.durable, () => {
    database.durable
      .prepare("DELETE FROM identity_keys WHERE kind = 'signing' AND retired_at < ?")
      .run(now - RETIREMENT_MS);
    database.durable
      .prepare("UPDATE identity_keys SET retired_at = ? WHERE kind = 'signing' AND retired_at IS NULL")
      .run(now);
    database.durable
      .prepare('INSERT INTO identity_keys (kid, kind, key_box, created_at) VALUES (?, ?, ?, ?)')
      .run(signing.kid, 'signing', box.seal(JSON.stringify(signing), `key:${signing.kid}`), now);
  });
  return readKeys(store);
}

/** The public halves, as `/.well-known/jwks.json` publishes them. */
export function publicJwks(keys: IssuerKeys): { keys: JWK[] } {
  return {
    keys: keys.signing.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK),
  };
}
