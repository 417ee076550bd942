import { API_CLIENT_MISSING } from '@quantloom/domain/api-client/api-client';
import { getApiClientSecret, listApiClients } from '@quantloom/domain/contracts/http/api-clients';
import { PLANS } from '@quantloom/domain/identity/plans';
import { type KnownApiClient, type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { lastUseOf, requestsThisMonth } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';
import { credentialsOf } from './oauth-clients.ts';

type ApiClientDeps = ReadDeps & Pick<QueryApiDeps, 'identity' | 'rateLimits'>;

/** The machine clients of the caller, and each one's secret when it is asked for. */
export function mountNamedApiClientQueries(app: FastifyInstance, deps: ApiClientDeps): void {
  const clientsOf = async (userId: string): Promise<readonly KnownApiClient[]> =>
    (await deps.readModels.get<UserDocument>(usersProjection.collection.name, userId))?.apiClients ?? [];

  mountRoute(app, listApiClients, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { userId, planId } = call.principal;
    const { rateLimits } = deps;
    const now = deps.clock.now();
    const clients = (await clientsOf(userId)).map(async (client) => {
      const lastUse = rateLimits && (await lastUseOf(rateLimits, client.clientId, now));
      return {
        id: client.clientId,
        name: client.name,
        scopes: [...client.scopes],
        created_at: client.createdAt,
        ends_at: client.endsAt,
        replaced_by: client.successorId,
        last_used_at: lastUse?.toISOString() ?? null,
        requests_this_month: rateLimits ? await requestsThisMonth(rateLimits, client.clientId, now) : 0,
      };
    });
    return { clients: await Promise.all(clients), requests_per_minute: PLANS[planId].requestsPerMinute };
  });

  mountRoute(app, getApiClientSecret, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const known = (await clientsOf(call.principal.userId)).find(
      ({ clientId }) => clientId === call.params.id,
    );
    const credentials = known && (await credentialsOf(deps.identity, known.clientId));
    return credentials ? { id: credentials.clientId, secret: credentials.clientSecret } : API_CLIENT_MISSING;
  });
}
