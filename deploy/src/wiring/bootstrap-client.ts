import type { EmbeddedIdentity } from '@quantloom/adapters/identity/embedded/embedded-identity';
import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { USER_STREAM, userIdOf } from '@quantloom/domain/user/user';

const DEMO_SUBJECT = 'bootstrap|demo';
const DEMO_EMAIL = 'demo@quantloom.invalid';

/**
 * Makes `BOOTSTRAP_API_CLIENT` (id:secret) work: a demo user on the API plan, who never takes the first account's place, and his machine client.
 * Every step may be repeated, so every start does.
 */
export async function bootstrapApiClient(
  credentials: string,
  deps: {
    readonly eventStore: EventStore;
    readonly identity: Pick<EmbeddedIdentity, 'bootstrapClient'>;
    readonly clock: Clock;
  },
): Promise<void> {
  const { eventStore, identity, clock } = deps;
  const [clientId = '', secret = ''] = splitOnce(credentials);
  const userId = userIdOf(DEMO_SUBJECT);
  const context = (step: string): CommandContext => ({
    commandId: derivedId(0, 'bootstrap', step, clientId),
    correlationId: `bootstrap-${clientId}`,
    actor: { kind: 'system', name: 'bootstrap' },
    now: clock.now().toISOString(),
    mayRepeat: true,
  });
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
  if (client.state.status === 'exists' && client.state.clientId === clientId) return;
  if (client.state.status === 'exists') {
    const deleted = await handleCommand(
      eventStore,
      API_CLIENT_STREAM,
      userId,
      { type: 'DeleteApiClient' },
      { ...context(`replace-${client.revision}`), expectedRevision: client.revision },
    );
    if (isRefusal(deleted)) throw new Error(`The earlier bootstrap client stays: ${deleted.detail}`);
  }
  const created = await handleCommand(
    eventStore,
    API_CLIENT_STREAM,
    userId,
    { type: 'CreateApiClient', userId, clientId },
    context(`client-${client.revision}`),
  );
  if (isRefusal(created)) throw new Error(`The bootstrap client was refused: ${created.detail}`);
}

function splitOnce(credentials: string): readonly string[] {
  const at = credentials.indexOf(':');
  return [credentials.slice(0, at), credentials.slice(at + 1)];
}
