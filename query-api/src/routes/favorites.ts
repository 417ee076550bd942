import { listFavorites } from '@quantloom/domain/contracts/http/favorites';
import { type FavoritesDocument, favoritesProjection } from '@quantloom/domain/favorites/favorites';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** What the caller has marked as favorites. */
export function mountFavoriteQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listFavorites, async (call) => {
    await awaitOwnWrites(call, deps.consistency, favoritesProjection);
    const { name } = favoritesProjection.collection;
    const found = await deps.readModels.get<FavoritesDocument>(name, call.principal.userId);
    return { strategy_ids: [...(found?.strategyIds ?? [])] };
  });
}
