import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Secret, TOTP } from 'otpauth';
import { hashOf, type IdentityStore } from './store.ts';

const STEP_SECONDS = 30;
const RECOVERY_CODES = 10;
/** Without letters that are taken for others. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const RECOVERY_LENGTH = 10;

/** What a person types into an authenticator app. */
export interface Enrolment {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://` address, for a picture to scan. */
  readonly uri: string;
}

/**
 * Codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), and recovery codes for the day on which
 * the phone is gone.
 */
export interface SecondFactor {
  isEnabled(subject: string): boolean;
  /**
   * A secret that does not count yet: `enable` follows with its first code. A page that is shown again shows
   * the same secret.
   */
  begin(subject: string, email: string): Enrolment;
  /** Turns it on and answers the recovery codes, which are shown once; `null`: the code is wrong. */
  enable(subject: string, code: string): readonly string[] | null;
  disable(subject: string): void;
  /** A code of the app or a recovery code, which an account with passkeys has as well. Each works once. */
  check(subject: string, code: string): boolean;
  /** New recovery codes; the old ones stop working. */
  renewRecoveryCodes(subject: string): readonly string[];
  recoveryCodesLeft(subject: string): number;
}

interface TotpRow {
  readonly secret_box: string;
  readonly enabled_at: number | null;
  readonly last_step: number;
}

const plain = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Recovery codes stand for an app or a passkey that is lost: they go with the last of them. */
export function forgetIdleRecoveryCodes(connection: DatabaseSync, subject: string): void {
  connection
    .prepare(
      `DELETE FROM identity_recovery_codes WHERE subject = ?1
         AND NOT EXISTS (SELECT 1 FROM identity_totp WHERE subject = ?1 AND enabled_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM identity_passkeys WHERE subject = ?1)`,
    )
    .run(subject);
}

/** Second factors in the issuer's file: secrets sealed, recovery codes as hashes. */
export function createSecondFactor(
  { database, box }: IdentityStore,
  issuerName: string,
  now: () => number = () => Date.now(),
): SecondFactor {
  const connection = database.durable;
  const rowOf = (subject: string): TotpRow | undefined =>
    connection.prepare('SELECT * FROM identity_totp WHERE subject = ?').get(subject) as unknown as
      | TotpRow
      | undefined;
  const secretOf = (subject: string, row: TotpRow): Secret =>
    Secret.fromBase32(box.open(row.secret_box, `totp:${subject}`));
  const recoveryHash = (subject: string, code: string) => hashOf(`${subject}:${plain(code)}`);

  /** The step of a right code that was not used yet; `null` otherwise. One step of the clock to each side is taken. */
  const stepOf = (subject: string, row: TotpRow, code: string): number | null => {
    const digits = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return null;
    const timestamp = now();
    const delta = new TOTP({ secret: secretOf(subject, row), period: STEP_SECONDS }).validate({
      token: digits,
      timestamp,
      window: 1,
    });
    if (delta === null) return null;
    const step = Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
    return step > row.last_step ? step : null;
  };
  /** True for the first of two simultaneous uses. */
  const take = (subject: string, step: number): boolean =>
    connection
      .prepare('UPDATE identity_totp SET last_step = ? WHERE subject = ? AND last_step < ? RETURNING subject')
      .get(step, subject, step) !== undefined;

  const renew = (subject: string): readonly string[] => {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      Array.from(
        { length: RECOVERY_LENGTH },
        () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
      ).join(''),
    );
    connection.prepare('DELETE FROM identity_recovery_codes WHERE subject = ?').run(subject);
    const insert = connection.prepare(
      'INSERT INTO identity_recovery_codes (subject, code_hash) VALUES (?, ?)',
    );
    for (const code of codes) insert.run(subject, recoveryHash(subject, code));
    return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
  };

  return {
    isEnabled: (subject) => typeof rowOf(subject)?.enabled_at === 'number',
    begin(subject, email) {
      let row = rowOf(subject);
      if (!row) {
        const sealed = box.seal(new Secret({ size: 20 }).base32, `totp:${subject}`);
        connection
          .prepare(
            `INSERT INTO identity_totp (subject, secret_box, enabled_at, last_step) VALUES (?, ?, NULL, 0)
             ON CONFLICT (subject) DO NOTHING`,
          )
          .run(subject, sealed);
        row = rowOf(subject);
      }
      if (!row || row.enabled_at !== null) throw new Error('The second factor is on already');
      const secret = secretOf(subject, row);
      return {
        secret: secret.base32,
        uri: new TOTP({ issuer: issuerName, label: email, secret, period: STEP_SECONDS }).toString(),
      };
    },
    enable(subject, code) {
      const row = rowOf(subject);
      if (!row || row.enabled_at !== null) return null;
      const step = stepOf(subject, row, code);
      if (step === null || !take(subject, step)) return null;
      connection.prepare('UPDATE identity_totp SET enabled_at = ? WHERE subject = ?').run(now(), subject);
      return renew(subject);
    },
    disable(subject) {
      connection.prepare('DELETE FROM identity_totp WHERE subject = ?').run(subject);
      forgetIdleRecoveryCodes(connection, subject);
    },
    check(subject, code) {
      const row = rowOf(subject);
      const step = row && row.enabled_at !== null ? stepOf(subject, row, code) : null;
      if (step !== null) return take(subject, step);
      return (
        connection
          .prepare(
            'DELETE FROM identity_recovery_codes WHERE subject = ? AND code_hash = ? RETURNING subject',
          )
          .get(subject, recoveryHash(subject, code)) !== undefined
      );
    },
    renewRecoveryCodes: renew,
    recoveryCodesLeft: (subject) =>
      Number(
        connection
          .prepare('SELECT COUNT(*) AS left_over FROM identity_recovery_codes WHERE subject = ?')
          .get(subject)?.left_over ?? 0,
      ),
  };
}
