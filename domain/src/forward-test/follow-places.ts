import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { refuse } from '../kernel/refusal.ts';

/**
 * The events of a `follows-{userId}` stream: which of a plan's places are taken. One stream, so that of two
 * who come at once one is the last.
 */
export const FOLLOW_PLACE_EVENTS = defineStream({
  category: 'follows',
  events: {
    FollowPlaceTaken: exactly({ userId: Id, strategyId: Id, at: Id }),
    FollowPlaceFreed: exactly({ userId: Id, strategyId: Id }),
  },
});
export type FollowPlaceEvent = EventOf<typeof FOLLOW_PLACE_EVENTS>;

/**
 * By strategy: since when it has a place (ISO 8601); null: it had one. Follows of before there were places
 * are not in it.
 */
export type FollowPlaces = ReadonlyMap<string, string | null>;

export type FollowPlaceCommand =
  | {
      readonly type: 'TakeFollowPlace';
      readonly userId: string;
      readonly strategyId: string;
      /** What is followed as far as is known: of follows of before there were places this alone tells. */
      readonly followed: readonly string[];
      readonly plan: { readonly name: string; readonly followedStrategies: number };
      /** ISO 8601, now. */
      readonly at: string;
    }
  | { readonly type: 'FreeFollowPlace'; readonly userId: string; readonly strategyId: string };

/** Takes and frees places. What is beyond the number of a smaller plan stays; nothing new comes until there is room. */
export const followPlaceStream: StreamKind<FollowPlaceCommand, FollowPlaces, FollowPlaceEvent> = {
  ...FOLLOW_PLACE_EVENTS,
  decider: {
    initialState: new Map(),
    decide: (command, places) => {
      const { userId, strategyId } = command;
      if (command.type === 'FreeFollowPlace')
        return places.get(strategyId) === null
          ? []
          : [{ type: 'FollowPlaceFreed', data: { userId, strategyId } }];
      if (typeof places.get(strategyId) === 'string') return [];
      const { followed, plan, at } = command;
      const taken = new Set(followed.filter((id) => places.get(id) !== null));
      for (const [id, since] of places) if (since !== null) taken.add(id);
      taken.delete(strategyId);
      if (taken.size >= plan.followedStrategies)
        return refuse(
          403,
          'too_many_follows',
          `The plan ${plan.name} follows up to ${plan.followedStrategies} strategies at a time. ` +
            'Leave one of them first.',
        );
      return [{ type: 'FollowPlaceTaken', data: { userId, strategyId, at } }];
    },
    evolve: (places, { type, data }) =>
      new Map(places).set(data.strategyId, type === 'FollowPlaceTaken' ? data.at : null),
  },
};
