import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { USER_STREAM, userIdOf } from '@quantloom/domain/user/user';
import type { WriteDeps } from './deps.ts';

const DEMO_SUBJECT = 'quantloom|demo';
const DEMO_EMAIL = 'demo@quantloom.example';

function accepted<T extends object>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

/**
 * A machine client of a demo user on the API plan, as `BOOTSTRAP_API_CLIENT=id:secret` asks for. Run at each start: it makes what is missing
 * and leaves the rest. The demo user is nobody's sign-in and takes no part in who has the first account.
 *
 * @param putClient gives the client to the issuer
 * @returns the demo user's id
 */
export async function bootstrapApiClient(
  deps: Pick<WriteDeps, 'eventStore' | 'clock' | 'newId'>,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  putClient: (clientId: string, clientSecret: string, userId: string) => void | Promise<void>,
): Promise<string> {
  const { eventStore, clock, newId } = deps;
  const { clientId, clientSecret } = credentials;
  const userId = userIdOf(DEMO_SUBJECT);
  const context = (): CommandContext => {
    const commandId = newId();
    return {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'bootstrap' },
      now: clock.now().toISOString(),
    };
  };
  accepted(
    await handleCommand(
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
      context(),
    ),
  );
  await putClient(clientId, clientSecret, userId);
  const { state } = await loadState(eventStore, API_CLIENT_STREAM, userId);
  if (state.status === 'exists' && state.clientId !== clientId)
    accepted(
      await handleCommand(eventStore, API_CLIENT_STREAM, userId, { type: 'DeleteApiClient' }, context()),
    );
  accepted(
    await handleCommand(
      eventStore,
      API_CLIENT_STREAM,
      userId,
      { type: 'CreateApiClient', userId, clientId },
      context(),
    ),
  );
  return userId;
}
