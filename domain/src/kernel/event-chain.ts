import type { NewEvent } from './event.ts';

/**
 * What an event's link in the chain of the whole log is the SHA-256 of: the link before it and everything the
 * event says. The position is not part of it, so that a copy of a log in another store has the same chain.
 *
 * @param previous link of the event before in the log, lower-case hex; empty for the first one
 * @param metadata, data the event's as JSON text, as `JSON.stringify` writes it
 */
export function linkedText(
  previous: string,
  event: Pick<NewEvent, 'id' | 'type'> & { readonly stream: string; readonly revision: number },
  metadata: string,
  data: string,
): string {
  // Neither JSON nor hex holds a bare line feed: no two events have the same text.
  const { stream, revision, type, id } = event;
  return `${previous}\n${JSON.stringify([stream, revision, type, id])}\n${metadata}\n${data}`;
}
