import type { EmbeddedIdentity } from '@quantloom/adapters/identity/embedded/embedded-identity';
import { API_CLIENT_STREAM, UNRESTRICTED } from '@quantloom/domain/api-client/api-client';
import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Identity } from '@quantloom/domain/ports/identity';
import { USER_STREAM, userIdOf } from '@quantloom/domain/user/user';
import type { OpenIdentity } from './identity.ts';

const DEMO_SUBJECT = 'bootstrap|demo';
const DEMO_EMAIL = 'demo@quantloom.invalid';

/**
 * Makes the client that `BOOTSTRAP_API_CLIENT` names, or ends an earlier one where the variable is gone. With
 * an external issuer there is none.
 */
export async function settleBootstrapClient(
  credentials: string | undefined,
  {
    eventStore,
    issuer,
    clock,
  }: { readonly eventStore: EventStore; readonly issuer: OpenIdentity; readonly clock: Clock },
): Promise<void> {
  const { bootstrapClient } = issuer;
  if (!bootstrapClient) return;
  const identity = {
    bootstrapClient,
    deleteMachineClient: (clientId: string) => issuer.identity.deleteMachineClient(clientId),
  };
  if (credentials) await bootstrapApiClient(credentials, { eventStore, identity, clock });
  else await endBootstrapApiClient({ eventStore, identity, clock });
}

/**
 * Makes `BOOTSTRAP_API_CLIENT` (id:secret) work: a demo user on the API plan, who never takes the first
 * account's place, and his machine client. Every step may be repeated, so every start does.
 */
async function bootstrapApiClient(
  credentials: string,
  deps: {
    readonly eventStore: EventStore;
    readonly identity: Pick<EmbeddedIdentity, 'bootstrapClient'> & Pick<Identity, 'deleteMachineClient'>;
    readonly clock: Clock;
  },
): Promise<void> {
  const { eventStore, identity, clock } = deps;
  const [clientId = '', secret = ''] = splitOnce(credentials);
  const userId = userIdOf(DEMO_SUBJECT);
  const context = (step: string) => contextOf(step, clientId, clock);
  const user = await loadState(eventStore, USER_STREAM, userId);
  if (user.state.status === 'none') {
    const registered = await handleCommand(
      eventStore,
      USER_STREAM,
      userId,
      {
        type: 'RegisterUser',
        userId,
        subject: DEMO_SUBJECT,
        email: DEMO_EMAIL,
        planId: 'api',
        grantedFeatures: [],
      },
      context('user'),
    );
    if (isRefusal(registered)) throw new Error(`The demo user was refused: ${registered.detail}`);
  }
  identity.bootstrapClient(clientId, secret, userId);
  const client = await loadState(eventStore, API_CLIENT_STREAM, userId);
  const [earlier] = client.state.clients;
  if (earlier?.clientId === clientId) return;
  if (earlier) {
    await identity.deleteMachineClient(earlier.clientId);
    const deleted = await handleCommand(
      eventStore,
      API_CLIENT_STREAM,
      userId,
      { type: 'DeleteApiClient', userId, clientId: earlier.clientId },
      { ...context(`replace-${client.revision}`), expectedRevision: client.revision },
    );
    if (isRefusal(deleted)) throw new Error(`The earlier bootstrap client stays: ${deleted.detail}`);
  }
  const created = await handleCommand(
    eventStore,
    API_CLIENT_STREAM,
    userId,
    { type: 'CreateApiClient', userId, clientId, ...UNRESTRICTED, now: clock.now().toISOString() },
    context(`client-${client.revision}`),
  );
  if (isRefusal(created)) throw new Error(`The bootstrap client was refused: ${created.detail}`);
}

/**
 * Ends the machine client of an earlier `BOOTSTRAP_API_CLIENT` where the variable is gone: whoever knows its
 * secret gets no more tokens. The demo user and what he has made stay. Does nothing where there was none.
 */
async function endBootstrapApiClient(deps: {
  readonly eventStore: EventStore;
  readonly identity: Pick<Identity, 'deleteMachineClient'>;
  readonly clock: Clock;
}): Promise<void> {
  const { eventStore, identity, clock } = deps;
  const userId = userIdOf(DEMO_SUBJECT);
  const { state, revision } = await loadState(eventStore, API_CLIENT_STREAM, userId);
  const [client] = state.clients;
  if (!client) return;
  const { clientId } = client;
  await identity.deleteMachineClient(clientId);
  const deleted = await handleCommand(
    eventStore,
    API_CLIENT_STREAM,
    userId,
    { type: 'DeleteApiClient', userId, clientId },
    {
      ...contextOf('end', clientId, clock),
      commandId: derivedId(0, 'bootstrap', 'end', clientId, String(revision)),
    },
  );
  if (isRefusal(deleted)) throw new Error(`The bootstrap client stays: ${deleted.detail}`);
}

function contextOf(step: string, clientId: string, clock: Clock): CommandContext {
  return {
    commandId: derivedId(0, 'bootstrap', step, clientId),
    correlationId: `bootstrap-${clientId}`,
    actor: { kind: 'system', name: 'bootstrap' },
    now: clock.now().toISOString(),
    mayRepeat: true,
  };
}

function splitOnce(credentials: string): readonly string[] {
  const at = credentials.indexOf(':');
  return [credentials.slice(0, at), credentials.slice(at + 1)];
}
