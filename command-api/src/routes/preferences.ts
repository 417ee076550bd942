import { changePreferences, preferencesAnswer } from '@quantloom/domain/contracts/http/preferences';
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
    const { amount, portfolio } = call.body;
    const command = {
      type: 'ChangePreferences',
      userId,
      amount,
      portfolio: portfolio && {
        members: portfolio.members.map(({ strategy_id: strategyId, percent }) => ({ strategyId, percent })),
        rebalance: portfolio.rebalance,
      },
    } as const;
    const result = await runCommand(call, deps, preferencesStream, userId, command);
    return isRefusal(result) ? result : preferencesAnswer(result.state);
  });
}
