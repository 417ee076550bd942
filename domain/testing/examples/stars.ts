import { FAVORITE_EVENTS } from '../../src/favorites/favorites.ts';
import { defineProjection, type Projection } from '../../src/kernel/projection.ts';
import type { ReadDocument } from '../../src/ports/read-models.ts';

/** How many people have marked a strategy with a star; `id` is the strategy's. */
export interface StarsDocument extends ReadDocument {
  readonly stars: number;
}

export const starsProjection: Projection<StarsDocument> = defineProjection({
  name: 'stars',
  version: 1,
  collection: { name: 'stars_v1', indexes: [['stars']] },
  events: [FAVORITE_EVENTS],
  keys: (event) => [event.data.strategyId],
  evolve: (document, event, id) => {
    const stars = (document?.stars ?? 0) + (event.type === 'FavoriteAdded' ? 1 : -1);
    return stars === 0 ? null : { id, stars };
  },
});
