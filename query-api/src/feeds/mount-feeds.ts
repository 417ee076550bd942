import { createHash } from 'node:crypto';
import { atomFeed } from '@quantloom/domain/feeds/atom';
import { calendarOf } from '@quantloom/domain/feeds/calendar';
import {
  FEED_PATH,
  type FeedAddressDocument,
  feedAddressesProjection,
} from '@quantloom/domain/feeds/feed-address';
import type { Feed } from '@quantloom/domain/feeds/feed-entry';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { networkOf } from '@quantloom/domain/limits/network';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { sendRefusal } from '@quantloom/http/errors';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { QueryApiDeps } from '../query-api-deps.ts';
import { feedEntriesOf } from './feed-entries.ts';

type FeedDeps = Pick<QueryApiDeps, 'readModels' | 'rateLimits' | 'publicOrigin'>;

const MINUTE = 60_000;
/** Programs ask every quarter of an hour or less often; a person may have several of them. */
const PER_ADDRESS = { limit: 30, windowMs: 10 * MINUTE };
/** Whoever tries out addresses is stopped, too. */
const PER_NETWORK = { limit: 120, windowMs: MINUTE };

const NOT_FOUND = refuse(
  404,
  'feed_not_found',
  'There is no feed at this address. It may have been renewed or turned off.',
);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A UUID (RFC 9562, version 8) that follows from its parts. */
function uuidOf(...parts: readonly string[]): string {
  const hex = sha256(JSON.stringify(['feeds', ...parts]));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const FORMS = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: atomFeed },
  ics: { type: 'text/calendar; charset=utf-8', write: calendarOf },
} as const;

/** The feed and the calendar of a person, for programs that cannot sign in: who knows the secret address reads them. */
export function mountFeeds(app: FastifyInstance, deps: FeedDeps): void {
  const hidden = { schema: { hide: true } as object };
  app.get(FEED_PATH, hidden, async (request, reply) => {
    // A feed links to a page that needs no word of where its reader came from.
    reply.headers({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const tooMany = await refuseBeyond(deps.rateLimits, `feeds:${networkOf(request.ip)}`, PER_NETWORK);
    if (tooMany) return sendRefusal(reply, tooMany);
    const { file } = request.params as { readonly file: string };
    const [, token, form] = /^([\w-]{43})\.(atom|ics)$/.exec(file) ?? [];
    if (token === undefined) return sendRefusal(reply, NOT_FOUND);
    const tokenHash = sha256(token);
    const address = await openAddress(deps, tokenHash);
    if (!address) return sendRefusal(reply, NOT_FOUND);
    const tooOften = await refuseBeyond(deps.rateLimits, `feed:${tokenHash}`, PER_ADDRESS);
    if (tooOften) return sendRefusal(reply, tooOften);
    const origin = deps.publicOrigin ?? `${request.protocol}://${request.host}`;
    const feed: Feed = {
      userId: address.id,
      createdAt: address.createdAt,
      page: `${origin}/tomorrow`,
      entries: await feedEntriesOf(deps.readModels, address.id),
    };
    const { type, write } = FORMS[form as keyof typeof FORMS];
    const text = write(feed, uuidOf);
    const etag = `"${sha256(text).slice(0, 32)}"`;
    reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return await reply.code(304).send();
    return await reply.type(type).send(text);
  });
}

/** The address that a hash opens, unless its owner is gone, about to go, or kept out. */
async function openAddress(
  { readModels }: Pick<FeedDeps, 'readModels'>,
  tokenHash: string,
): Promise<FeedAddressDocument | null> {
  const { name } = feedAddressesProjection.collection;
  const [address] = await readModels.find<FeedAddressDocument>(name, { where: { tokenHash }, limit: 1 });
  if (!address) return null;
  const user = await readModels.get<UserDocument>(usersProjection.collection.name, address.id);
  return user && !user.isDisabled && !user.eraseAt ? address : null;
}

/** Whether a client has what it would get; proxies that compress make a tag a weak one. */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
