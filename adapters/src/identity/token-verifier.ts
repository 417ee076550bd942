import { clientIdOfSubject, SESSION_CLAIM, USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import { IdentityError, type TokenClaims } from '@quantloom/domain/ports/identity';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** Seconds by which clocks may differ. */
export const LEEWAY_SECONDS = 60;

export interface TokenVerifierOptions {
  /** Exactly as in the tokens, slash at the end included. */
  readonly issuer: string;
  readonly audience: string;
  /** A local or remote JWKS of `jose`. */
  readonly keys: JWTVerifyGetKey;
  readonly now?: () => Date;
}

/**
 * Verifies an access token: RS256 only, issuer, audience, expiry and not-before with 60 s leeway, subject present. Rejects with an
 * `IdentityError` of code `invalid_token`, or `unavailable` where the keys can't be fetched.
 */
export function createTokenVerifier({ issuer, audience, keys, now }: TokenVerifierOptions) {
  return async (accessToken: string): Promise<TokenClaims> => {
    try {
      const { payload } = await jwtVerify(accessToken, keys, {
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
      return {
        subject,
        userId: typeof userId === 'string' ? userId : null,
        clientId: clientIdOfSubject(subject),
        scopes: typeof payload.scope === 'string' ? payload.scope.split(' ').filter(Boolean) : [],
        sessionId: typeof sessionId === 'string' ? sessionId : null,
        expiresAt: payload.exp as number,
      };
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
