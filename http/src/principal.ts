import type { Feature, PlanId } from '@quantloom/domain/identity/plans';
import type { Actor } from '@quantloom/domain/kernel/event';

/** The caller of a request, after verification: a person or a machine client acting for one. */
export interface Principal {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly planId: PlanId;
  readonly features: readonly Feature[];
  readonly clientId: string | null;
  readonly scopes: readonly string[];
  readonly actor: Actor;
}

/**
 * Turns an `Authorization` header into the caller. `null`: no header. Rejects with a `RefusalError` of status 401 for a token that does not
 * verify, and 403 `user_unknown` where the identity has no user yet (`POST /api/v1/users` creates it).
 */
export type Authenticate = (authorization: string | undefined) => Promise<Principal | null>;

/** True when the caller has every feature. */
export function hasFeatures(principal: Principal, features: readonly Feature[]): boolean {
  return features.every((feature) => principal.features.includes(feature));
}
