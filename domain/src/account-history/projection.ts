import type { Actor, RecordedEvent } from '../kernel/event.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

/** One event as a line of the history of an account that it touched. `id` is `<event id>.<user id>`. */
export interface AccountHistoryDocument extends ReadDocument {
  readonly userId: string;
  /** The log position, padded so that text order is log order. */
  readonly order: string;
  readonly eventId: string;
  readonly at: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly actor: Actor;
  readonly correlationId: string;
}

const DIGITS = 20;

/** A log position as text that sorts like the number. */
export function orderOf(position: bigint): string {
  return position.toString().padStart(DIGITS, '0');
}

/** "StrategyVisibilityChanged" → "Strategy visibility changed", "ApiClientDeleted" → "API client deleted". */
export function eventSentence(type: string): string {
  const words = type
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bapi\b/g, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The users whose account an event touches: who did it, and whose thing it was done to. */
export function usersOf(event: RecordedEvent): string[] {
  const { actor } = event.metadata;
  const data = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as Record<
    string,
    unknown
  >;
  const users = [actor.kind === 'system' ? null : actor.userId, data.userId, data.ownerId];
  return [...new Set(users.filter((user): user is string => typeof user === 'string' && user !== ''))];
}

/** Everything that was done with an account, one document per event and user. */
export const accountHistoryProjection: Projection<AccountHistoryDocument> = defineProjection({
  name: 'accountHistory',
  version: 1,
  collection: { name: 'accountHistory_v1', indexes: [['userId', 'order']] },
  events: '*',
  keys: (event) => usersOf(event).map((userId) => `${event.id}.${userId}`),
  evolve: (_, event, id) => ({
    id,
    userId: id.slice(event.id.length + 1),
    order: orderOf(event.position),
    eventId: event.id,
    at: event.metadata.recordedAt,
    type: event.type,
    stream: event.stream,
    revision: event.revision,
    actor: event.metadata.actor,
    correlationId: event.metadata.correlationId,
  }),
});
