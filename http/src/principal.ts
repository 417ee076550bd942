import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import type { Feature, PlanId } from '@quantloom/domain/identity/plans';
import type { Actor } from '@quantloom/domain/kernel/event';
import { type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { type Identity, isIdentityError, type TokenClaims } from '@quantloom/domain/ports/identity';
import { ACCOUNT_DISABLED, userIdOf } from '@quantloom/domain/user/user';
import type { UserDirectory } from './user-directory.ts';

/** The caller of a request, after verification: a person or a machine client acting for one. */
export interface Principal {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly planId: PlanId;
  readonly features: readonly Feature[];
  readonly clientId: string | null;
  /** Of a person’s sign-in; null or absent for a machine client, and where the issuer names none. */
  readonly sessionId?: string | null;
  /**
   * Of a machine client: `api:backtester` where the token carries it, and what its owner allows the client
   * (`ApiScope`).
   */
  readonly scopes: readonly string[];
  readonly actor: Actor;
  /** That its request comes from, as it is counted (`networkOf`); null or absent for a private one. */
  readonly network?: string | null;
}

/**
 * Turns an `Authorization` header into the caller. `null`: no header. Rejects with a `RefusalError` of status
 * 401 for a token that does not verify, of status 403 (`account_disabled`) where an administrator disabled
 * the account, and with an `UnknownUserError` (403 `user_unknown`) where the identity has no user yet
 * (`POST /api/v1/users` creates it).
 */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | null>;

/** A valid token of a person who is not a user yet. */
export class UnknownUserError extends RefusalError {
  readonly claims: TokenClaims;
  constructor(claims: TokenClaims) {
    super(refuse(403, 'user_unknown', 'There is no user for this identity yet. Please log in again.'));
    this.claims = claims;
  }
}

/** Something that this service needs does not answer; the caller may try again. */
export class UnavailableError extends Error {
  readonly code = 'unavailable';
}

/** True when the caller has every feature. */
export function hasFeatures(principal: Principal, features: readonly Feature[]): boolean {
  return features.every((feature) => principal.features.includes(feature));
}

const invalidToken = (detail: string): Refusal => refuse(401, 'invalid_token', detail);

/**
 * Builds the authentication of an API: the token is verified by the identity port, everything else is read
 * from the user.
 */
export function createAuthenticate(deps: {
  readonly identity: Pick<Identity, 'verify'>;
  readonly users: UserDirectory;
}): Authenticate {
  const { identity, users } = deps;
  const verify = async (token: string): Promise<TokenClaims> => {
    try {
      return await identity.verify(token);
    } catch (error) {
      if (isIdentityError(error, 'invalid_token')) throw new RefusalError(invalidToken(`${error.message}.`));
      if (isIdentityError(error)) throw new UnavailableError(error.message, { cause: error });
      throw error;
    }
  };
  return async (authorization) => {
    if (authorization === undefined) return null;
    const token = /^bearer ([\w~+/.=-]+)$/i.exec(authorization)?.[1];
    if (token === undefined)
      throw new RefusalError(invalidToken('The Authorization header must hold a bearer token.'));
    const claims = await verify(token);
    const { subject, clientId, scopes } = claims;
    if (clientId !== null) {
      const owner = await users.byClient(clientId, claims.userId);
      if (!owner) throw new RefusalError(invalidToken('This API client does not exist any more.'));
      const actor: Actor = { kind: 'apiClient', userId: owner.userId, clientId };
      const { clientScopes, isDisabled, ...user } = owner;
      if (isDisabled) throw new RefusalError(ACCOUNT_DISABLED);
      // What a client may do stands in the log: the token's own scopes only say that it is one of ours.
      const granted = scopes.includes(API_SCOPE) ? [API_SCOPE, ...clientScopes] : [];
      return { ...user, subject, clientId, scopes: granted, actor };
    }
    // The subject decides, not the claim: a user is linked by his identity.
    const user = await users.byId(userIdOf(subject));
    if (!user) throw new UnknownUserError(claims);
    const { isDisabled, ...known } = user;
    if (isDisabled) throw new RefusalError(ACCOUNT_DISABLED);
    const { sessionId } = claims;
    return { ...known, clientId: null, sessionId, scopes, actor: { kind: 'user', userId: known.userId } };
  };
}
