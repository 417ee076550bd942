import { createUser, getCurrentUser } from '@quantloom/domain/contracts/http/calls';
import { ApiError } from '@quantloom/domain/contracts/http/client';
import { api } from '../api.ts';
import { type CurrentUser, type IdentityUser, parseUser } from './identity.ts';

/**
 * The current user; created first where the identity carries no product user id yet. Creating is safe to
 * repeat: a user that exists already is simply read. Rejects when the identity lacks e-mail or subject and no
 * user exists.
 */
export async function loadUser(identity: IdentityUser): Promise<CurrentUser> {
  if (identity.userId === null) {
    if (identity.email === null || identity.subject === null) {
      console.error('User email or ID is undefined');
      throw new Error('User email or ID is undefined');
    }
    try {
      await api().call(createUser, {
        body: { email: identity.email, auth0_id: identity.subject },
        idempotencyKey: `create-user-${identity.subject}`,
      });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
  }
  return parseUser(await api().call(getCurrentUser));
}
