import { html } from '../kernel/html.ts';
import { PRODUCT_NAME } from '../kernel/product.ts';
import { FEED_TITLE, type Feed, type FeedEntry, writable } from './feed-entry.ts';

type UuidOf = (...parts: readonly string[]) => string;

/**
 * A feed as Atom (RFC 4287).
 *
 * @param uuidOf a UUID that follows from its parts: the ids of Atom must never change, whatever the address
 *   of the installation
 */
export function atomFeed({ userId, createdAt, page, entries }: Feed, uuidOf: UuidOf): string {
  const updated = [createdAt, ...entries.map(({ at }) => at)].sort().at(-1) ?? createdAt;
  const body = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${uuidOf('feed', userId)}</id>
<title>${PRODUCT_NAME}: ${FEED_TITLE}</title>
<updated>${updated}</updated>
<author><name>${PRODUCT_NAME}</name></author>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.map((entry) => entryOf(entry, page, uuidOf))}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${body.text}`;
}

const entryOf = ({ about, at, title, text }: FeedEntry, page: string, uuidOf: UuidOf) => html`<entry>
<id>urn:uuid:${uuidOf(...about)}</id>
<title>${writable(title)}</title>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${page}"/>
<content type="text">${writable(text)}</content>
</entry>
`;
