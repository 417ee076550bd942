import { addFavorite, removeFavorite } from '@quantloom/domain/contracts/http/favorites';
import { favoritesStream } from '@quantloom/domain/favorites/favorites';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { maySeeStrategy, STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/** Which strategies a user marks as favorites. */
export function mountFavorites(app: FastifyInstance, deps: WriteDeps): void {
  const { eventStore, stateCache } = deps;
  const maySee = async (id: string, userId: string) => {
    const { state } = await loadState(eventStore, strategyStream, id, stateCache);
    return (
      state.status !== 'none' && maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, userId)
    );
  };

  mountRoute(app, addFavorite, async (call) => {
    const { id: strategyId } = call.params;
    const { userId } = call.principal;
    if (!(await maySee(strategyId, userId))) return STRATEGY_NOT_FOUND;
    const command = { type: 'AddFavorite', userId, strategyId } as const;
    const result = await runCommand(call, deps, favoritesStream, userId, command);
    return isRefusal(result) ? result : { strategy_id: strategyId, is_favorite: true };
  });

  mountRoute(app, removeFavorite, async (call) => {
    const { id: strategyId } = call.params;
    const { userId } = call.principal;
    const { state } = await loadState(eventStore, favoritesStream, userId, stateCache);
    // What was marked can be unmarked, also when it may not be seen any more.
    if (!state.strategyIds.includes(strategyId) && !(await maySee(strategyId, userId)))
      return STRATEGY_NOT_FOUND;
    const command = { type: 'RemoveFavorite', userId, strategyId } as const;
    const result = await runCommand(call, deps, favoritesStream, userId, command);
    return isRefusal(result) ? result : { strategy_id: strategyId, is_favorite: false };
  });
}
