import { clientIdOfSubject, SESSION_CLAIM, USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import { IdentityError, type TokenClaims } from '@quantloom/domain/ports/identity';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

/** Seconds by which clocks may differ. */
export const LEEWAY_SECONDS = 60;

export interface TokenVerifierOptions {
  /** Exactly as in the tokens, slash at the end included. */
  readonly issuer: string;
  readonly audience: string;
  /** The one client that people sign in with, where the issuer has no others for them. */
  readonly webClientId?: string;
  /** A local or remote JWKS of `jose`. */
  readonly keys: JWTVerifyGetKey;
  readonly now?: () => Date;
}

/** Tokens whose signature is remembered: those of everybody who works at the same time. */
const REMEMBERED = 5_000;

/** A token whose signature was found right, and how its key was looked up. */
interface Checked {
  readonly claims: TokenClaims;
  readonly key: unknown;
  readonly lookUp: Parameters<JWTVerifyGetKey>;
}

/**
 * Verifies an access token: RS256 only, issuer, audience, expiry and not-before with 60 s leeway, subject
 * present, the party that it was issued to. Rejects with an `IdentityError` of code `invalid_token`, or
 * `unavailable` where the keys can't be fetched.
 *
 * A signature is computed once, since the same token under the same key is right again. The key is looked up
 * each time, so that one that was withdrawn counts no more, and so is the expiry.
 */
export function createTokenVerifier({ issuer, audience, webClientId, keys, now }: TokenVerifierOptions) {
  const checked = new LRUCache<string, Checked>({ max: REMEMBERED });
  const remembered = async (accessToken: string): Promise<TokenClaims | null> => {
    const found = checked.get(accessToken);
    if (!found) return null;
    const seconds = Math.floor((now?.() ?? new Date()).getTime() / 1000);
    if (found.claims.expiresAt <= seconds - LEEWAY_SECONDS) return null;
    // Where the key is not to be had, the whole verification says why.
    const key = await Promise.resolve(keys(...found.lookUp)).catch(() => null);
    return key === found.key ? found.claims : null;
  };
  return async (accessToken: string): Promise<TokenClaims> => {
    const known = await remembered(accessToken);
    if (known) return known;
    checked.delete(accessToken);
    let lookUp: Checked['lookUp'] | null = null;
    const keyOf: JWTVerifyGetKey = (...asked) => {
      lookUp = asked;
      return keys(...asked);
    };
    try {
      const { payload, key } = await jwtVerify(accessToken, keyOf, {
        issuer,
        audience,
        algorithms: ['RS256'],
        clockTolerance: LEEWAY_SECONDS,
        requiredClaims: ['sub', 'exp', 'iat'],
        ...(now && { currentDate: now() }),
      });
      const subject = payload.sub as string;
      const userId = payload[USER_ID_CLAIM];
      const sessionId = payload[SESSION_CLAIM];
      const clientId = clientIdOfSubject(subject);
      const party = clientId ?? webClientId;
      if (party !== undefined && payload.azp !== undefined && payload.azp !== party)
        throw new errors.JWTClaimValidationFailed('unexpected "azp"', payload, 'azp', 'check_failed');
      const claims: TokenClaims = {
        subject,
        userId: typeof userId === 'string' ? userId : null,
        clientId,
        scopes: typeof payload.scope === 'string' ? payload.scope.split(' ').filter(Boolean) : [],
        sessionId: typeof sessionId === 'string' ? sessionId : null,
        expiresAt: payload.exp as number,
      };
      if (lookUp) checked.set(accessToken, { claims, key, lookUp });
      return claims;
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError))
        throw new IdentityError('unavailable', 'The keys of the identity provider can not be read', {
          cause: error,
        });
      const reason =
        error instanceof errors.JWTExpired ? 'The access token has expired' : 'The access token is not valid';
      throw new IdentityError('invalid_token', reason, { cause: error });
    }
  };
}
