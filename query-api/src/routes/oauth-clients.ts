import { type ApiClient, getApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { PLANS } from '@quantloom/domain/identity/plans';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { UnavailableError } from '@quantloom/http/principal';
import { requestsThisMonth } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { QueryApiDeps, ReadDeps } from '../deps.ts';

type ApiClientDeps = ReadDeps & Pick<QueryApiDeps, 'identity' | 'rateLimits'>;

/** The machine client of a user, with the secret that the identity provider keeps. */
export function mountApiClientQueries(app: FastifyInstance, deps: ApiClientDeps): void {
  mountRoute(app, getApiClient, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { userId, planId } = call.principal;
    const document = await deps.readModels.get<UserDocument>(usersProjection.collection.name, userId);
    const clientId = document?.apiClient?.clientId ?? null;
    const credentials =
      clientId === null
        ? null
        : await deps.identity.machineClient(clientId).catch((error: unknown) => {
            if (isIdentityError(error, 'unavailable'))
              throw new UnavailableError(error.message, { cause: error });
            throw error;
          });
    const answer: ApiClient = {
      id: credentials?.clientId ?? null,
      secret: credentials?.clientSecret ?? null,
      scopes: credentials ? [API_SCOPE] : [],
      created_at: credentials ? (document?.apiClient?.createdAt ?? null) : null,
      requests_per_minute: PLANS[planId].requestsPerMinute,
      requests_this_month:
        credentials && deps.rateLimits
          ? await requestsThisMonth(deps.rateLimits, credentials.clientId, deps.clock.now())
          : 0,
    };
    return answer;
  });
}
