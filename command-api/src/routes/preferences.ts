import { changePreferences } from '@quantloom/domain/contracts/http/preferences';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { preferencesStream } from '@quantloom/domain/preferences/preferences';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/** What a user types once for all devices. */
export function mountPreferences(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, changePreferences, async (call) => {
    const { userId } = call.principal;
    const { amount } = call.body;
    const command = { type: 'PreferAmount', userId, amount } as const;
    const result = await runCommand(call, deps, preferencesStream, userId, command);
    return isRefusal(result) ? result : { amount: result.state.amount };
  });
}
