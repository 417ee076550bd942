import type { EventFilter } from '@quantloom/domain/ports/event-store';
import type { ServerFilter } from './server-client.ts';

/** All but the server's own: their types begin with a dollar sign. */
const NOT_OF_THE_SERVER = '^[^$].*';

/**
 * The part of a filter that the server applies: it takes one condition, so types are left to the client where
 * streams are given too. `window` is how many events that do not match the server passes over before it
 * reports how far it is.
 */
export function serverFilter(
  filter: EventFilter | undefined,
  window: number,
  checkpointReached: ServerFilter['checkpointReached'],
): ServerFilter {
  const options = { checkpointInterval: 1, maxSearchWindow: window, checkpointReached };
  const { streamPrefixes, eventTypes } = filter ?? {};
  if (streamPrefixes?.length === 0 || eventTypes?.length === 0) {
    // An expression that never matches.
    return { ...options, filterOn: 'eventType', regex: '(?!)' };
  }
  if (streamPrefixes) return { ...options, filterOn: 'streamName', prefixes: [...streamPrefixes] };
  if (eventTypes) {
    // Not the server's prefixes: `BatchCreated` must not let `BatchCreatedAgain` through.
    const names = eventTypes.map((type) => type.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { ...options, filterOn: 'eventType', regex: `^(${names.join('|')})$` };
  }
  return { ...options, filterOn: 'eventType', regex: NOT_OF_THE_SERVER };
}

/** Both conditions, for what the server did not check. */
export function matches(filter: EventFilter | undefined, event: { type: string; streamId: string }): boolean {
  const { streamPrefixes, eventTypes } = filter ?? {};
  return (
    (eventTypes?.includes(event.type) ?? true) &&
    (streamPrefixes?.some((prefix) => event.streamId.startsWith(prefix)) ?? true)
  );
}
