import { mainClient } from '@quantloom/domain/api-client/api-client';
import { type ApiClient, getApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { PLANS } from '@quantloom/domain/identity/plans';
import type { Identity, MachineCredentials } from '@quantloom/domain/ports/identity';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { askingIdentity } from '@quantloom/http/asking-identity';
import { requestsThisMonth } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';

type ApiClientDeps = ReadDeps & Pick<QueryApiDeps, 'identity' | 'rateLimits'>;

/**
 * Id and secret of a client; null where the provider does not know it. Rejects with `UnavailableError` while
 * the provider is away.
 */
export async function credentialsOf(
  identity: Pick<Identity, 'machineClient'>,
  clientId: string,
): Promise<MachineCredentials | null> {
  return await askingIdentity(identity.machineClient(clientId));
}

/** The machine client of a user (the oldest that works), with the secret that the identity provider keeps. */
export function mountApiClientQueries(app: FastifyInstance, deps: ApiClientDeps): void {
  mountRoute(app, getApiClient, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { userId, planId } = call.principal;
    const document = await deps.readModels.get<UserDocument>(usersProjection.collection.name, userId);
    const client = mainClient(document?.apiClients ?? [], deps.clock.now().toISOString());
    const credentials = client && (await credentialsOf(deps.identity, client.clientId));
    const answer: ApiClient = {
      id: credentials?.clientId ?? null,
      secret: credentials?.clientSecret ?? null,
      scopes: credentials ? [API_SCOPE] : [],
      created_at: credentials ? client.createdAt : null,
      requests_per_minute: PLANS[planId].requestsPerMinute,
      requests_this_month:
        credentials && deps.rateLimits
          ? await requestsThisMonth(deps.rateLimits, credentials.clientId, deps.clock.now())
          : 0,
    };
    return answer;
  });
}
