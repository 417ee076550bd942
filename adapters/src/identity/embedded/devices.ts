import { randomBytes } from 'node:crypto';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import { hashOf, type IdentityStore } from './store.ts';

/** Devices that are remembered for one account; the one that was used longest ago goes first. */
const DEVICES_OF_ACCOUNT = 20;

/** Which browsers have signed in to which account, by a secret in a cookie. Its hash alone is stored. */
export interface Devices {
  /** The accounts of this address that somebody has signed in to with this browser. */
  accountsOf(device: string, email: string): readonly string[];
  /** Remembers a sign-in. */
  remember(device: string, subject: string): void;
}

/** The secret of a browser that has none yet. */
export const newDevice = (): string => randomBytes(24).toString('base64url');

/** Devices in the issuer's file. */
export function createDevices({ database }: IdentityStore, now: () => number = () => Date.now()): Devices {
  const connection = database.durable;
  return {
    accountsOf: (device, email) =>
      connection
        .prepare(
          `SELECT subject FROM identity_devices JOIN identity_accounts USING (subject)
           WHERE device_hash = ? AND email_key = ?`,
        )
        .all(hashOf(device), normalizeEmail(email))
        .map((row) => String(row.subject)),
    remember: (device, subject) => {
      connection
        .prepare(
          `INSERT INTO identity_devices (subject, device_hash, used_at) VALUES (?, ?, ?)
           ON CONFLICT (subject, device_hash) DO UPDATE SET used_at = excluded.used_at`,
        )
        .run(subject, hashOf(device), now());
      connection
        .prepare(
          `DELETE FROM identity_devices WHERE subject = ? AND device_hash NOT IN (
             SELECT device_hash FROM identity_devices WHERE subject = ? ORDER BY used_at DESC LIMIT ?)`,
        )
        .run(subject, subject, DEVICES_OF_ACCOUNT);
    },
  };
}

/** How often an operator has unlocked the account of an address: attempts are counted anew after each. */
export function unlocksOf({ database }: IdentityStore, email: string): number {
  const row = database.durable
    .prepare('SELECT unlocks FROM identity_unlocks WHERE email_key = ?')
    .get(normalizeEmail(email)) as unknown as { readonly unlocks: number } | undefined;
  return row?.unlocks ?? 0;
}

/**
 * Forgets all failed attempts on an account, wherever they came from; false where there is no account of this
 * address.
 */
export function unlockAccount({ database }: IdentityStore, email: string): boolean {
  const key = normalizeEmail(email);
  const { changes } = database.durable
    .prepare(
      `INSERT INTO identity_unlocks (email_key, unlocks)
       SELECT DISTINCT email_key, 1 FROM identity_accounts WHERE email_key = ?
       ON CONFLICT (email_key) DO UPDATE SET unlocks = unlocks + 1`,
    )
    .run(key);
  return Number(changes) > 0;
}
