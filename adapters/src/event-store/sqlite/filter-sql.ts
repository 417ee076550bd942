import type { EventFilter } from '@quantloom/domain/ports/event-store';

/**
 * The filter as SQL that begins with ` AND`, or nothing. An empty list matches nothing, as an absent one
 * matches all.
 */
export function filterSql(filter: EventFilter | undefined): { where: string; parameters: string[] } {
  const parts: string[] = [];
  const parameters: string[] = [];
  if (filter?.eventTypes) {
    parts.push(filter.eventTypes.length ? `type IN (${filter.eventTypes.map(() => '?').join()})` : 'FALSE');
    parameters.push(...filter.eventTypes);
  }
  if (filter?.streamPrefixes) {
    const prefixes = filter.streamPrefixes.map(() => 'substr(stream, 1, length(?)) = ?');
    parts.push(prefixes.length ? `(${prefixes.join(' OR ')})` : 'FALSE');
    parameters.push(...filter.streamPrefixes.flatMap((prefix) => [prefix, prefix]));
  }
  return { where: parts.map((part) => ` AND ${part}`).join(''), parameters };
}
