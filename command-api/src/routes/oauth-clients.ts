import {
  API_CLIENT_MISSING,
  API_CLIENT_STREAM,
  currentClients,
  mainClient,
  UNRESTRICTED,
} from '@quantloom/domain/api-client/api-client';
import {
  type ApiClient,
  createApiClient,
  deleteApiClient,
} from '@quantloom/domain/contracts/http/oauth-clients';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { PLANS } from '@quantloom/domain/identity/plans';
import { loadState, streamName } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { MachineCredentials } from '@quantloom/domain/ports/identity';
import { askingIdentity } from '@quantloom/http/asking-identity';
import type { Principal } from '@quantloom/http/principal';
import { requestsThisMonth } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandHeaders, refuseStale, runCommand } from '../command-call.ts';
import type { CommandApiDeps, WriteDeps } from '../deps.ts';

type ApiClientDeps = WriteDeps & Pick<CommandApiDeps, 'identity' | 'rateLimits'>;

const SCOPES = [API_SCOPE];

/**
 * The machine client of a user, for programs that know of a single one: the oldest that works. Its secret is
 * kept by the identity provider alone.
 */
export function mountApiClients(app: FastifyInstance, deps: ApiClientDeps): void {
  const { identity, eventStore, rateLimits } = deps;

  const createdAt = async (userId: string, clientId: string): Promise<string | null> => {
    const stream = streamName(API_CLIENT_STREAM, userId);
    for await (const { type, data, metadata } of eventStore.readStream(stream, { direction: 'backwards' }))
      if (type === 'ApiClientCreated' && (data as { readonly clientId: string }).clientId === clientId)
        return metadata.recordedAt;
    return null;
  };

  const answer = async (
    { userId, planId }: Principal,
    credentials: MachineCredentials,
  ): Promise<ApiClient> => ({
    id: credentials.clientId,
    secret: credentials.clientSecret,
    scopes: SCOPES,
    created_at: await createdAt(userId, credentials.clientId),
    requests_per_minute: PLANS[planId].requestsPerMinute,
    requests_this_month: rateLimits
      ? await requestsThisMonth(rateLimits, credentials.clientId, deps.clock.now())
      : 0,
  });

  mountRoute(app, createApiClient, async (call) => {
    const { userId } = call.principal;
    const known = await loadState(eventStore, API_CLIENT_STREAM, userId, deps.stateCache);
    const now = deps.clock.now().toISOString();
    // One that the provider has lost lets nobody in: it must not stand in the way of a new one for ever.
    const lost: string[] = [];
    for (const current of currentClients(known.state.clients, now)) {
      const existing = await askingIdentity(identity.machineClient(current.clientId));
      if (existing) {
        commandHeaders(call.reply, known);
        return await answer(call.principal, existing);
      }
      lost.push(current.clientId);
    }
    const credentials = await askingIdentity(identity.createMachineClient({ userId, scopes: SCOPES }));
    const { clientId } = credentials;
    const result = await runCommand(call, deps, API_CLIENT_STREAM, userId, {
      type: 'CreateApiClient',
      userId,
      clientId,
      ...UNRESTRICTED,
      isOnlyOne: true,
      lost,
      now,
    });
    if (!isRefusal(result) && result.state.clients.some((client) => client.clientId === clientId))
      return await answer(call.principal, credentials);
    // Another request was faster, or this one is a repetition: the client made here has no owner and goes.
    await askingIdentity(identity.deleteMachineClient(clientId));
    const winner = await loadState(eventStore, API_CLIENT_STREAM, userId);
    const first = mainClient(winner.state.clients, now);
    const existing = first && (await askingIdentity(identity.machineClient(first.clientId)));
    if (existing) return await answer(call.principal, existing);
    return isRefusal(result) ? result : API_CLIENT_MISSING;
  });

  mountRoute(app, deleteApiClient, async (call) => {
    const { userId } = call.principal;
    const { state, revision } = await loadState(eventStore, API_CLIENT_STREAM, userId, deps.stateCache);
    const main = mainClient(state.clients, deps.clock.now().toISOString());
    if (!main) return API_CLIENT_MISSING;
    const { clientId } = main;
    const stale = refuseStale(call.request, revision);
    if (stale) return stale;
    // First the provider: a repetition after a crash finds the rest to do.
    await askingIdentity(identity.deleteMachineClient(clientId));
    const result = await runCommand(call, deps, API_CLIENT_STREAM, userId, {
      type: 'DeleteApiClient',
      userId,
      clientId,
    });
    return isRefusal(result) ? result : { deleted: true };
  });
}
