import { isIP } from 'node:net';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import {
  CHALLENGE_HOLDS_MS,
  type ChallengeScope,
  createChallenges,
  createSignInChallenges,
  SIGN_IN_HOLDS_MS,
} from './challenges.ts';
import { forgetIdleRecoveryCodes } from './second-factor.ts';
import { hashOf, type IdentityStore } from './store.ts';

export const MAX_PASSKEYS = 10;
export const MAX_NAME_LENGTH = 60;
/** Ed25519, ECDSA with P-256, RSA: what authenticators have, and what checks fast. */
const ALGORITHMS = [-8, -7, -257];
/** An RSA key of 4096 bits has 540 bytes; longer ones only cost time. */
const MAX_KEY_BYTES = 1024;
/** What the page's script sends in place of a signature where its challenge is too old to ask for one. */
const LATE = 'late';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly usedAt: number | null;
  /** Whether it can be offered before anybody has said who they are; null where the browser did not tell. */
  readonly isDiscoverable: boolean | null;
}

/** `late`: the page was open for too long, or its answer was sent twice. */
export type PasskeyVerdict = 'ok' | 'late' | 'refused';
export type AddedPasskey = PasskeyVerdict | 'full' | 'known';

/** Passkeys (WebAuthn) of accounts. */
export interface Passkeys {
  /** False where browsers have none: an address of numbers is no name that a passkey could belong to. */
  readonly isAvailable: boolean;
  list(subject: string): readonly Passkey[];
  /** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`, as JSON. */
  beginAdding(subject: string, email: string, boundTo: string): Promise<string>;
  /** @param answer what the browser made of the options, as JSON */
  add(subject: string, boundTo: string, name: string, answer: string): Promise<AddedPasskey>;
  /** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`, as JSON. */
  beginProof(scope: ChallengeScope): Promise<string>;
  /**
   * Whether a passkey of this account has signed the options that were made for this scope.
   *
   * @param isAlone nothing else is asked for: its owner must have been verified by fingerprint, face or PIN
   */
  check(scope: ChallengeScope, answer: string, isAlone?: boolean): Promise<PasskeyVerdict>;
  /** Options for any passkey that the browser has for this place, as JSON. */
  beginSignIn(boundTo: string): Promise<string>;
  /** Whose passkey the answer names. Nothing is checked yet. */
  namedBy(answer: string): string | null;
  /** The account whose passkey has signed the options of this sign-in, with its owner verified. */
  signIn(
    boundTo: string,
    answer: string,
  ): Promise<{ readonly subject: string } | Exclude<PasskeyVerdict, 'ok'>>;
  /** The name of the one that is gone; null where there was none. */
  remove(subject: string, id: string): string | null;
}

interface PasskeyRow {
  readonly credential_id: string;
  readonly subject: string;
  readonly public_key: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly name: string;
  readonly created_at: number;
  readonly used_at: number | null;
  readonly is_discoverable: number | null;
}

/** A name for the list: one line, not endless. */
export function passkeyName(text: string, fallback: string): string {
  const line = text.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...(line || fallback)].slice(0, MAX_NAME_LENGTH).join('');
}

/** Other attestations bring certificates, whose lists of revoked ones would be fetched from wherever they say. */
function isWithoutCertificates(answer: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
  const fmt = attestation.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/**
 * Passkeys in the issuer's file. Keys that are checked here are public: a stolen file signs nobody in.
 *
 * @param issuer public address; passkeys belong to its host, and signatures made for another origin are refused
 */
export function createPasskeys(
  { database }: IdentityStore,
  issuer: string,
  now: () => number = () => Date.now(),
): Passkeys {
  const connection = database.durable;
  const { hostname, origin } = new URL(issuer);
  const challenges = createChallenges(now);
  const signInChallenges = createSignInChallenges(now);
  /** Stays on the authenticator: it must tell nothing about the person, and be the same each time. */
  const handleOf = (subject: string): string => hashOf(`passkey:${subject}`);
  const rowsOf = (subject: string): readonly PasskeyRow[] =>
    connection
      .prepare('SELECT * FROM identity_passkeys WHERE subject = ? ORDER BY created_at, credential_id')
      .all(subject) as unknown as readonly PasskeyRow[];
  const rowOf = (id: string): PasskeyRow | undefined =>
    connection.prepare('SELECT * FROM identity_passkeys WHERE credential_id = ?').get(id) as unknown as
      | PasskeyRow
      | undefined;
  const taking = (scope: ChallengeScope) => (challenge: string) => challenges.take(challenge, scope);

  /**
   * Runs the checks of the library, which throws a plain error for each thing that is wrong with what a
   * browser sent.
   */
  const judge = async (
    take: (challenge: string) => boolean,
    answer: string,
    check: (parsed: unknown) => Promise<AddedPasskey>,
  ): Promise<AddedPasskey> => {
    if (answer === LATE) return 'late';
    try {
      const parsed = JSON.parse(answer) as { response: { clientDataJSON: string } };
      const { challenge } = decodeClientDataJSON(parsed.response.clientDataJSON);
      if (!take(challenge)) return 'late';
      return await check(parsed);
    } catch (error) {
      if (error instanceof Error && !('errcode' in error)) return 'refused';
      // The file failed, not the visitor.
      throw error;
    }
  };
  const expected = {
    expectedOrigin: origin,
    expectedRPID: hostname,
    // It was compared and used up above.
    expectedChallenge: () => true,
    // Preferred, not required, where it stands beside a password.
    requireUserVerification: false,
  };

  const insert = (
    subject: string,
    name: string,
    { id, publicKey, counter }: { id: string; publicKey: Uint8Array; counter: number },
    isDiscoverable: boolean | null,
  ): AddedPasskey => {
    if (rowOf(id)) return 'known';
    const { changes } = connection
      .prepare(
        `INSERT INTO identity_passkeys (credential_id, subject, public_key, counter, name, created_at, is_discoverable)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
         WHERE (SELECT COUNT(*) FROM identity_passkeys WHERE subject = ?2) < ?8`,
      )
      .run(
        id,
        subject,
        publicKey,
        counter,
        name,
        now(),
        isDiscoverable === null ? null : Number(isDiscoverable),
        MAX_PASSKEYS,
      );
    return changes === 0 ? 'full' : 'ok';
  };
  /** False where another answer of the same passkey came in between. */
  const noteUse = (row: PasskeyRow, counter: number): boolean =>
    connection
      .prepare(
        `UPDATE identity_passkeys SET counter = ?, used_at = ?
         WHERE credential_id = ? AND subject = ? AND counter = ? RETURNING subject`,
      )
      .get(counter, now(), row.credential_id, row.subject, row.counter) !== undefined;

  /** Whether the answer was made with this passkey, which notes the use of it. */
  const isSigned = async (
    row: PasskeyRow,
    response: AuthenticationResponseJSON,
    requireUserVerification: boolean,
  ): Promise<boolean> => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      requireUserVerification,
      response,
      // A counter that does not grow is refused there: a copy of the key has been used.
      credential: { id: row.credential_id, publicKey: row.public_key, counter: row.counter },
    });
    return verified && noteUse(row, authenticationInfo.newCounter);
  };

  return {
    isAvailable: isIP(hostname.replaceAll(/[[\]]/g, '')) === 0,
    list: (subject) =>
      rowsOf(subject).map((row) => ({
        id: row.credential_id,
        name: row.name,
        createdAt: row.created_at,
        usedAt: row.used_at,
        isDiscoverable: row.is_discoverable === null ? null : row.is_discoverable === 1,
      })),
    beginAdding: async (subject, email, boundTo) =>
      JSON.stringify(
        await generateRegistrationOptions({
          rpName: PRODUCT_NAME,
          rpID: hostname,
          userName: email,
          userDisplayName: email,
          userID: new Uint8Array(Buffer.from(handleOf(subject), 'base64url')),
          challenge: new Uint8Array(
            Buffer.from(challenges.create({ subject, purpose: 'register', boundTo }), 'base64url'),
          ),
          attestationType: 'none',
          timeout: CHALLENGE_HOLDS_MS,
          excludeCredentials: rowsOf(subject).map((row) => ({ id: row.credential_id })),
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      ),
    add: (subject, boundTo, name, answer) =>
      judge(taking({ subject, purpose: 'register', boundTo }), answer, async (parsed) => {
        const response = parsed as RegistrationResponseJSON;
        if (!isWithoutCertificates(response)) return 'refused';
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          response,
          supportedAlgorithmIDs: ALGORITHMS,
        });
        if (!verified || !registrationInfo) return 'refused';
        if (registrationInfo.credential.publicKey.length > MAX_KEY_BYTES) return 'refused';
        const { credProps } = response.clientExtensionResults ?? {};
        const isDiscoverable = typeof credProps?.rk === 'boolean' ? credProps.rk : null;
        return insert(subject, name, registrationInfo.credential, isDiscoverable);
      }),
    beginProof: async (scope) =>
      JSON.stringify(
        await generateAuthenticationOptions({
          rpID: hostname,
          challenge: new Uint8Array(Buffer.from(challenges.create(scope), 'base64url')),
          timeout: CHALLENGE_HOLDS_MS,
          allowCredentials: rowsOf(scope.subject).map((row) => ({ id: row.credential_id })),
          userVerification: 'preferred',
        }),
      ),
    async check(scope, answer, isAlone = false) {
      const verdict = await judge(taking(scope), answer, async (parsed) => {
        const response = parsed as AuthenticationResponseJSON;
        const row = rowsOf(scope.subject).find(({ credential_id: id }) => id === response.id);
        return row && (await isSigned(row, response, isAlone)) ? 'ok' : 'refused';
      });
      return verdict === 'ok' || verdict === 'late' ? verdict : 'refused';
    },
    beginSignIn: async (boundTo) =>
      JSON.stringify(
        await generateAuthenticationOptions({
          rpID: hostname,
          challenge: new Uint8Array(Buffer.from(signInChallenges.create(boundTo), 'base64url')),
          timeout: SIGN_IN_HOLDS_MS,
          userVerification: 'required',
        }),
      ),
    namedBy(answer) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(answer);
      } catch (error) {
        if (error instanceof SyntaxError) return null;
        throw error;
      }
      const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : null;
      return typeof id === 'string' ? (rowOf(id)?.subject ?? null) : null;
    },
    async signIn(boundTo, answer) {
      let subject: string | null = null;
      const verdict = await judge(
        (challenge) => signInChallenges.take(challenge, boundTo),
        answer,
        async (parsed) => {
          const response = parsed as AuthenticationResponseJSON;
          const row = rowOf(response.id);
          // The passkey says itself whose it is: that must be the account that it was added to.
          if (!row || response.response.userHandle !== handleOf(row.subject)) return 'refused';
          if (!(await isSigned(row, response, true))) return 'refused';
          subject = row.subject;
          return 'ok';
        },
      );
      if (verdict === 'ok' && subject !== null) return { subject };
      return verdict === 'late' ? 'late' : 'refused';
    },
    remove(subject, id) {
      const row = connection
        .prepare('DELETE FROM identity_passkeys WHERE subject = ? AND credential_id = ? RETURNING name')
        .get(subject, id);
      forgetIdleRecoveryCodes(connection, subject);
      return row ? String(row.name) : null;
    },
  };
}
