import { normalizeEmail } from '@quantloom/domain/identity/email';
import { secondsUntil } from '@quantloom/domain/limits/limits';
import { networkOf } from '@quantloom/domain/limits/network';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { LinkPurpose } from './links.ts';
import { hashOf } from './store.ts';

const MINUTE = 60_000;

/** Attempts within a time, by what they are counted for. */
const LIMITS = {
  /** Somebody who has forgotten a password gets through; a list of passwords doesn't. */
  account: { hits: 10, windowMs: 15 * MINUTE },
  /** The same account from many addresses. */
  accountAnywhere: { hits: 100, windowMs: 60 * MINUTE },
  /** The same account from a browser that has signed in to it before: nobody else's attempts count here. */
  device: { hits: 10, windowMs: 15 * MINUTE },
  /** The same, right passwords included: each look at one is two hashes, made to be slow. */
  deviceHour: { hits: 120, windowMs: 60 * MINUTE },
  /** New passwords of one account: another such hash, and a message in the log. */
  newPassword: { hits: 20, windowMs: 60 * MINUTE },
  /** Sign-ins by a passkey from such a browser: somebody who tries one after the other gets through. */
  passkey: { hits: 60, windowMs: 15 * MINUTE },
  /** One password for many accounts. */
  address: { hits: 300, windowMs: 60 * MINUTE },
  signUp: { hits: 60, windowMs: 60 * MINUTE },
  /** Every account has room of its own: a script must not come to more and more of it. */
  signUpDay: { hits: 200, windowMs: 24 * 60 * MINUTE },
  /**
   * A sign-up with the password of an account signs in to it: this is how often that can be guessed from one
   * address,
   */
  signUpEmail: { hits: 10, windowMs: 15 * MINUTE },
  /** and from many. */
  signUpAnywhere: { hits: 30, windowMs: 60 * MINUTE },
  client: { hits: 60, windowMs: 15 * MINUTE },
  /**
   * Whatever one place asks the issuer for. A sign-in is some ten requests, and an office stands behind one
   * address.
   */
  visit: { hits: 2_400, windowMs: MINUTE },
  /** Wrong tokens for the management API, whose one client is known. */
  manager: { hits: 60, windowMs: MINUTE },
  /** New tokens of one session. A page asks once an hour and whenever it is opened; each one is written to the disk. */
  refresh: { hits: 60, windowMs: 60 * MINUTE },
  redeem: { hits: 300, windowMs: 60 * MINUTE },
  /** Six digits, guessed by somebody who has the password. */
  code: { hits: 10, windowMs: 15 * MINUTE },
  /** Messages that anybody can have sent to one address. */
  letter: { hits: 3, windowMs: 60 * MINUTE },
  /** Messages that one account has sent to addresses that it names, one after the other. */
  accountLetters: { hits: 20, windowMs: 24 * 60 * MINUTE },
  /** Sign-ins that one place begins: each is kept for an hour, whether or not anybody goes on with it. */
  begin: { hits: 1_200, windowMs: 15 * MINUTE },
  /** Sessions that pages of one place ask for silently: each leaves a code for a day. */
  silent: { hits: 3_000, windowMs: 15 * MINUTE },
  /** Addresses that one place asks links for. */
  reset: { hits: 20, windowMs: 60 * MINUTE },
} as const;

/** What a message is about, as it is counted. */
export type LetterPurpose =
  | LinkPurpose
  | 'signUp'
  | 'address'
  | 'addressChanged'
  | 'codes'
  | 'newSignIn'
  | 'passkey'
  | 'passwordChanged';

/** Seconds to wait; `null`: go on. */
export type Verdict = number | null;

/** Who tries to sign in, to which account. */
export interface LoginAttempt {
  readonly address: string;
  readonly email: string;
  /** Secret of a browser that has signed in to this very account before; null for all others. */
  readonly knownDevice: string | null;
}

/**
 * Limits on guessing. An attempt is counted before it is looked at, so that simultaneous ones can't slip
 * through together. One that is refused for its address is not counted against the account, and one from a
 * device known to the account is counted for that device alone: strangers can neither use up the attempts of
 * an account nor lock its owner out. Addresses are counted by their network (`networkOf`).
 */
export interface Attempts {
  login(attempt: LoginAttempt): Promise<Verdict>;
  /** Ends the count of a known device; elsewhere takes back the attempt itself. */
  loginSucceeded(attempt: LoginAttempt): Promise<void>;
  signUp(address: string, email: string): Promise<Verdict>;
  /**
   * A sign-in by a passkey alone. A signature can't be guessed, so that none is counted against an account:
   * the limits keep one place from having them computed without end.
   */
  passkey(attempt: LoginAttempt): Promise<Verdict>;
  /** Another password for an account whose owner has said who he is. */
  newPassword(subject: string): Promise<Verdict>;
  /** A code of a second factor. */
  code(subject: string): Promise<Verdict>;
  /**
   * A message of one kind to one address, whether or not it has an account. Nobody has confirmed most
   * addresses: whoever signs up with that of a stranger must not have messages sent there without end, by
   * whatever he does with the account.
   */
  letter(purpose: LetterPurpose, email: string): Promise<Verdict>;
  /** A message to an address that this account has named. */
  accountLetter(subject: string): Promise<Verdict>;
  /** A sign-in that begins. */
  begin(address: string): Promise<Verdict>;
  /** A page that asks whether there is a session. */
  silent(address: string): Promise<Verdict>;
  /** Any request to the issuer. */
  visit(address: string): Promise<Verdict>;
  /** A refused call of the management API; `isFailure` false only looks. */
  manager(address: string, isFailure: boolean): Promise<Verdict>;
  /** New tokens for a session, by its refresh token or by a code. */
  renew(kind: 'refresh' | 'redeem', grantId: string): Promise<Verdict>;
  /** A request for a link to a new password. */
  reset(address: string): Promise<Verdict>;
  /** Refused authentication of a client that exists; `isFailure` false only looks. */
  client(address: string, clientId: string, isFailure: boolean): Promise<Verdict>;
}

/**
 * Counts attempts in the shared store of rate limits.
 *
 * @param unlocksOf how often the account of an address was unlocked: each time all counts on it begin anew
 */
export function createAttempts(limits: RateLimits, unlocksOf: (email: string) => number): Attempts {
  const count = async (kind: keyof typeof LIMITS, key: string, hits = 1): Promise<Verdict> => {
    const limit = LIMITS[kind];
    const window = await limits.hit(`attempt:${kind}:${key}`, limit.windowMs, hits);
    const isOver = hits === 0 ? window.hits >= limit.hits : window.hits > limit.hits;
    return isOver ? secondsUntil(window.endsInMs) : null;
  };
  // Hashed: the counts outlive an account that was erased.
  const keyOf = (email: string) => hashOf(normalizeEmail(email));
  const accountKey = (email: string) => {
    const unlocks = unlocksOf(email);
    return unlocks === 0 ? keyOf(email) : `${keyOf(email)}#${unlocks}`;
  };
  const deviceKey = (device: string, email: string) => `${hashOf(device)}:${accountKey(email)}`;
  return {
    async login({ address, email, knownDevice }) {
      if (knownDevice !== null)
        return (
          (await count('device', deviceKey(knownDevice, email))) ??
          (await count('deviceHour', deviceKey(knownDevice, email)))
        );
      return (
        (await count('address', networkOf(address))) ??
        (await count('account', `${networkOf(address)}:${accountKey(email)}`)) ??
        (await count('accountAnywhere', accountKey(email)))
      );
    },
    async loginSucceeded({ address, email, knownDevice }) {
      if (knownDevice !== null) await limits.reset(`attempt:device:${deviceKey(knownDevice, email)}`);
      // Given back, not forgotten: with an account of one's own that names the same address, one could guess
      // without end.
      else await count('account', `${networkOf(address)}:${accountKey(email)}`, -1);
    },
    signUp: async (address, email) =>
      (await count('signUp', networkOf(address))) ??
      (await count('signUpDay', networkOf(address))) ??
      (await count('signUpEmail', `${networkOf(address)}:${keyOf(email)}`)) ??
      (await count('signUpAnywhere', keyOf(email))),
    passkey: async ({ address, email, knownDevice }) =>
      knownDevice === null
        ? await count('address', networkOf(address))
        : await count('passkey', deviceKey(knownDevice, email)),
    newPassword: (subject) => count('newPassword', subject),
    code: (subject) => count('code', subject),
    letter: (purpose, email) => count('letter', `${purpose}:${keyOf(email)}`),
    accountLetter: (subject) => count('accountLetters', subject),
    begin: (address) => count('begin', networkOf(address)),
    reset: (address) => count('reset', networkOf(address)),
    silent: (address) => count('silent', networkOf(address)),
    visit: (address) => count('visit', networkOf(address)),
    manager: (address, isFailure) => count('manager', networkOf(address), isFailure ? 1 : 0),
    renew: (kind, grantId) => count(kind, hashOf(grantId)),
    // Hashed: whoever asks chooses the text, and how long it is.
    client: (address, clientId, isFailure) =>
      count('client', `${networkOf(address)}:${hashOf(clientId)}`, isFailure ? 1 : 0),
  };
}
