import { PRODUCT_NAME } from '../kernel/product.ts';
import { FEED_TITLE, type Feed, type FeedEntry, writable } from './feed-entry.ts';

const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** A value of type TEXT (RFC 5545, 3.3.11). */
const escaped = (text: string): string =>
  writable(text)
    .replaceAll(/[\\;,]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n');

/** A content line of at most 75 octets each, no character cut in two (RFC 5545, 3.1). */
function folded(line: string): string {
  let written = '';
  let octets = 0;
  for (const char of line) {
    const size = encoder.encode(char).length;
    if (octets + size > MOST_OCTETS) {
      written += '\r\n ';
      octets = 1;
    }
    written += char;
    octets += size;
  }
  return `${written}\r\n`;
}

/** `20261120T213005Z` of ISO 8601 in UTC. */
const utc = (at: string): string => `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
const dateOf = (day: string): string => day.replaceAll('-', '');

/** A calendar without anything in it is none (RFC 5545, 3.6). */
const nothingYet = (createdAt: string): FeedEntry => ({
  about: ['decision', '', ''],
  day: createdAt.slice(0, 10),
  at: createdAt,
  title: 'No decisions so far',
  text: 'What the strategies that you follow decide appears in this calendar.',
});

/**
 * A feed as a calendar of whole days (RFC 5545): each entry on the day whose closes decided.
 *
 * @param uuidOf a UUID that follows from its parts: a calendar knows an event again by it
 */
export function calendarOf(
  { userId, createdAt, page, entries }: Feed,
  uuidOf: (...parts: readonly string[]) => string,
): string {
  const shown = entries.length > 0 ? entries : [nothingYet(createdAt)];
  const title = escaped(`${PRODUCT_NAME}: ${FEED_TITLE}`);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${PRODUCT_NAME}//Decisions//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // RFC 7986, and what programs of before it read.
    `NAME:${title}`,
    `X-WR-CALNAME:${title}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...shown.flatMap(({ about, day, at, title: summary, text }) => [
      'BEGIN:VEVENT',
      `UID:${uuidOf(userId, ...about)}`,
      `DTSTAMP:${utc(at)}`,
      `DTSTART;VALUE=DATE:${dateOf(day)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(text)}`,
      `URL:${page}`,
      // Nobody is busy all day because of it.
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('');
}
