import { API_CLIENT_MISSING, API_CLIENT_STREAM, isLiveClient } from '@quantloom/domain/api-client/api-client';
import {
  addApiClient,
  removeApiClient,
  replaceApiClient,
} from '@quantloom/domain/contracts/http/api-clients';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { askingIdentity } from '@quantloom/http/asking-identity';
import { mountRoute, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { refuseStale, runCommand } from '../command-call.ts';
import type { CommandApiDeps, WriteDeps } from '../deps.ts';

type ApiClientDeps = WriteDeps & Pick<CommandApiDeps, 'identity'>;

const DAY = 24 * 60 * 60 * 1000;
const INVALID_NAME = refuse(422, 'invalid_name', 'The name of an API client must not be empty.');
const INVALID_END = refuse(422, 'invalid_end', 'An API client must end on a day that is still to come.');

/** The moment after the last day; null: there is no such day, or it is over. */
function endAfter(day: string, now: Date): string | null {
  const start = new Date(`${day}T00:00:00.000Z`);
  // 30 February would silently become 2 March.
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) return null;
  const end = start.getTime() + DAY;
  return end > now.getTime() ? new Date(end).toISOString() : null;
}

/**
 * The machine clients of a user, each with a name, scopes and an end. Their secrets are kept by the identity
 * provider alone.
 */
export function mountNamedApiClients(app: FastifyInstance, deps: ApiClientDeps): void {
  const { identity, eventStore, clock } = deps;

  /** Makes a client at the provider and hands it to `record`; one that is not recorded goes again. */
  const make = async (
    call: Pick<RouteCall<typeof addApiClient>, 'principal'>,
    record: (clientId: string) => Promise<{ readonly holds: boolean } | Refusal>,
  ): Promise<{ id: string; secret: string } | Refusal> => {
    const { userId } = call.principal;
    const credentials = await askingIdentity(identity.createMachineClient({ userId, scopes: [API_SCOPE] }));
    const { clientId, clientSecret } = credentials;
    const result = await record(clientId);
    if (!isRefusal(result) && result.holds) return { id: clientId, secret: clientSecret };
    await askingIdentity(identity.deleteMachineClient(clientId));
    return isRefusal(result) ? result : API_CLIENT_MISSING;
  };

  /**
   * What has ended goes with the next change (the decider's part is the log): the provider need not keep its
   * secret.
   */
  const clearEnded = async (userId: string): Promise<void> => {
    const { state } = await loadState(eventStore, API_CLIENT_STREAM, userId, deps.stateCache);
    const now = clock.now().toISOString();
    for (const client of state.clients)
      if (!isLiveClient(client, now)) await askingIdentity(identity.deleteMachineClient(client.clientId));
  };

  mountRoute(app, addApiClient, async (call) => {
    const { userId } = call.principal;
    const name = call.body.name.trim();
    if (name === '') return INVALID_NAME;
    const { ends_on: day, scopes } = call.body;
    const endsAt = day === undefined ? null : endAfter(day, clock.now());
    if (day !== undefined && endsAt === null) return INVALID_END;
    await clearEnded(userId);
    return await make(call, async (clientId) => {
      const command = { type: 'CreateApiClient', userId, clientId, name, scopes, endsAt } as const;
      const now = clock.now().toISOString();
      const wanted = { ...command, isOnlyOne: false, now };
      const result = await runCommand(call, deps, API_CLIENT_STREAM, userId, wanted);
      if (isRefusal(result)) return result;
      return { holds: result.state.clients.some((client) => client.clientId === clientId) };
    });
  });

  mountRoute(app, replaceApiClient, async (call) => {
    const { userId } = call.principal;
    const { id } = call.params;
    const now = clock.now();
    const { state } = await loadState(eventStore, API_CLIENT_STREAM, userId, deps.stateCache);
    const successor = state.clients.find(({ clientId }) => clientId === id)?.successorId ?? null;
    // A repetition gets what the first call made: its answer may have been lost on the way.
    const made = successor === null ? null : await askingIdentity(identity.machineClient(successor));
    if (made) return { id: made.clientId, secret: made.clientSecret };
    await clearEnded(userId);
    return await make(call, async (successorId) => {
      const result = await runCommand(call, deps, API_CLIENT_STREAM, userId, {
        type: 'ReplaceApiClient',
        userId,
        clientId: id,
        successorId,
        endsAt: new Date(now.getTime() + DAY).toISOString(),
        now: now.toISOString(),
      });
      if (isRefusal(result)) return result;
      return { holds: result.state.clients.some(({ clientId }) => clientId === successorId) };
    });
  });

  mountRoute(app, removeApiClient, async (call) => {
    const { userId } = call.principal;
    const { id } = call.params;
    const { state, revision } = await loadState(eventStore, API_CLIENT_STREAM, userId, deps.stateCache);
    if (!state.clients.some(({ clientId }) => clientId === id)) return API_CLIENT_MISSING;
    const stale = refuseStale(call.request, revision);
    if (stale) return stale;
    // First the provider: a repetition after a crash finds the rest to do.
    await askingIdentity(identity.deleteMachineClient(id));
    const command = { type: 'DeleteApiClient', userId, clientId: id } as const;
    const result = await runCommand(call, deps, API_CLIENT_STREAM, userId, command);
    return isRefusal(result) ? result : { deleted: true };
  });
}
