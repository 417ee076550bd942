import { Type } from 'typebox';
import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';

/** The events of a `feed-{userId}` stream. */
export const FEED_ADDRESS_EVENTS = defineStream({
  category: 'feed',
  events: {
    /** The earlier address, if there was one, opens nothing from now on. */
    FeedAddressCreated: exactly({
      userId: Id,
      /** SHA-256, hex: whoever reads the log cannot read the feed with it. */
      tokenHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    FeedAddressRemoved: exactly({ userId: Id }),
  },
});
export type FeedAddressEvent = EventOf<typeof FEED_ADDRESS_EVENTS>;

export type FeedAddressCommand =
  | { readonly type: 'CreateFeedAddress'; readonly userId: string; readonly tokenHash: string }
  | { readonly type: 'RemoveFeedAddress'; readonly userId: string };

/** Hash of the token that opens the feed; null: nothing opens it. */
export type FeedAddressState = string | null;

const evolve = (event: FeedAddressEvent): FeedAddressState =>
  event.type === 'FeedAddressCreated' ? event.data.tokenHash : null;

export const feedAddressStream: StreamKind<FeedAddressCommand, FeedAddressState, FeedAddressEvent> = {
  ...FEED_ADDRESS_EVENTS,
  decider: {
    initialState: null,
    decide: (command, tokenHash) => {
      const { userId } = command;
      if (command.type === 'RemoveFeedAddress')
        return tokenHash === null ? [] : [{ type: 'FeedAddressRemoved', data: { userId } }];
      return [{ type: 'FeedAddressCreated', data: { userId, tokenHash: command.tokenHash } }];
    },
    evolve: (_, event) => evolve(event),
  },
};

/** What opens the feed of a user; `id` is the user's. Who has turned it off has none. */
export interface FeedAddressDocument extends ReadDocument {
  readonly tokenHash: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export const feedAddressesProjection: Projection<FeedAddressDocument> = defineProjection({
  name: 'feedAddresses',
  version: 1,
  collection: { name: 'feedAddresses_v1', indexes: [['tokenHash']] },
  events: [FEED_ADDRESS_EVENTS, only(USER_EVENTS, 'AccountErased')],
  keys: (event) => [event.data.userId],
  evolve: (_, event, id) => {
    if (event.type === 'AccountErased') return null;
    const tokenHash = evolve(event);
    return tokenHash === null ? null : { id, tokenHash, createdAt: event.metadata.recordedAt };
  },
});

/** Where the feeds are; whoever stands before the read side passes these addresses on. */
export const FEED_PATH = '/feeds/:file';

/** Paths of the feed and of the calendar that a token opens. */
export const feedPaths = (token: string) => ({
  atom: `/feeds/${token}.atom`,
  calendar: `/feeds/${token}.ics`,
});
