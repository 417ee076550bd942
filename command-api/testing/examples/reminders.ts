import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { reminderStream } from '@quantloom/domain/testing/examples/reminder';
import { setReminder } from '@quantloom/domain/testing/examples/reminders';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../../src/command-call.ts';
import type { WriteDeps } from '../../src/deps.ts';

/** On which day somebody wants to look at a strategy again. */
export function mountReminders(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, setReminder, async (call) => {
    const { id: strategyId } = call.params;
    const { state } = await loadState(deps.eventStore, strategyStream, strategyId, deps.stateCache);
    // Others than its owner do not even learn that it is there.
    if (state.status === 'none' || state.status === 'deleted' || state.ownerId !== call.principal.userId)
      return STRATEGY_NOT_FOUND;
    const { day } = call.body;
    const today = deps.clock.now().toISOString().slice(0, 10);
    const command = { type: 'SetReminder', strategyId, day, today } as const;
    const result = await runCommand(call, deps, reminderStream, strategyId, command);
    return isRefusal(result) ? result : { strategy_id: strategyId, day };
  });
}
