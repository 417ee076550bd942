import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { refuse } from '../kernel/refusal.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';

/** The events of a `favorites-{userId}` stream: which strategies somebody marked with a star. */
export const FAVORITE_EVENTS = defineStream({
  category: 'favorites',
  events: {
    FavoriteAdded: exactly({ userId: Id, strategyId: Id }),
    FavoriteRemoved: exactly({ userId: Id, strategyId: Id }),
  },
});
export type FavoriteEvent = EventOf<typeof FAVORITE_EVENTS>;

export interface FavoriteCommand {
  readonly type: 'AddFavorite' | 'RemoveFavorite';
  readonly userId: string;
  readonly strategyId: string;
}

export interface FavoritesState {
  /** In the order in which they were marked. */
  readonly strategyIds: readonly string[];
}

/** More than anybody keeps in sight, and few enough to be read at once. */
export const MOST_FAVORITES = 1000;
const NONE: FavoritesState = { strategyIds: [] };
const TOO_MANY = refuse(
  422,
  'too_many_favorites',
  `There can be at most ${MOST_FAVORITES.toLocaleString('en-US')} favorites. Remove one of them first.`,
);

function evolve({ strategyIds }: FavoritesState, { type, data }: FavoriteEvent): FavoritesState {
  const others = strategyIds.filter((id) => id !== data.strategyId);
  return { strategyIds: type === 'FavoriteAdded' ? [...others, data.strategyId] : others };
}

/** Marking twice, or removing what is not marked, changes nothing. */
export const favoritesStream: StreamKind<FavoriteCommand, FavoritesState, FavoriteEvent> = {
  ...FAVORITE_EVENTS,
  decider: {
    initialState: NONE,
    decide: ({ type, userId, strategyId }, { strategyIds }) => {
      const isMarked = strategyIds.includes(strategyId);
      if (type === 'RemoveFavorite')
        return isMarked ? [{ type: 'FavoriteRemoved', data: { userId, strategyId } }] : [];
      if (isMarked) return [];
      if (strategyIds.length >= MOST_FAVORITES) return TOO_MANY;
      return [{ type: 'FavoriteAdded', data: { userId, strategyId } }];
    },
    evolve,
  },
};

/** What a user has marked; `id` is the user's. */
export interface FavoritesDocument extends ReadDocument, FavoritesState {}

export const favoritesProjection: Projection<FavoritesDocument> = defineProjection({
  name: 'favorites',
  version: 1,
  collection: { name: 'favorites_v1', indexes: [] },
  events: [FAVORITE_EVENTS, only(USER_EVENTS, 'AccountErased')],
  keys: (event) => [event.data.userId],
  evolve: (document, event, id) =>
    event.type === 'AccountErased' ? null : { id, ...evolve(document ?? NONE, event) },
});
