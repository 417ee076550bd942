import { batchesProjection } from '@quantloom/domain/batch/projections';
import { downloadArchive, getArchive } from '@quantloom/domain/contracts/http/archive';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { costOfBytes, costOfRows } from '@quantloom/domain/limits/cost';
import { storedBy, storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ARCHIVED, type ArchivedPerson, accountFiles } from '../archive/account-files.ts';
import { zipOf } from '../archive/zip-files.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ResultReadDeps } from '../deps.ts';
import { payForLinkUse } from '../link-uses.ts';
import { isSignedArchiveLink, signArchiveLink } from '../signed-links.ts';

/**
 * Long enough for the browser that asked for it, and too short to be passed on: it opens everything that
 * somebody has.
 */
const LINK_SECONDS = 60;
const UNDER_WAY = refuse(
  429,
  'too_many_at_once',
  'Your archive is being downloaded already. Please wait until that download has ended, or stop it.',
  { data: { retry_after: 60 } },
);
const INVALID_LINK = refuse(403, 'invalid_link', 'This download link is not valid');

/** Everything that a person has made, as one ZIP file. */
export function mountArchive(app: FastifyInstance, deps: ResultReadDeps): void {
  const { readModels } = deps;
  /** Whose archive this process is writing. */
  const underWay = new Set<string>();

  const send = (reply: FastifyReply, user: ArchivedPerson): FastifyReply => {
    const zip = zipOf(accountFiles(deps, user));
    underWay.add(user.id);
    zip.once('close', () => underWay.delete(user.id));
    // Whoever has left is not worked for any longer.
    reply.raw.once('close', () => zip.destroy());
    const day = deps.clock.now().toISOString().slice(0, 10);
    // Not `application/zip`, which generators of clients do not know; the name says what it is.
    reply.header('content-type', 'application/octet-stream');
    reply.header('content-disposition', `attachment; filename="quantloom-${day}.zip"`);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    return reply.send(zip);
  };

  /** Reading and writing what is stored, and the rows of all batches. */
  const costOf = async (userId: string): Promise<number> => {
    const bytes = await readModels.sum(storedBytesProjection.collection.name, 'bytes', storedBy(userId));
    const rows = await readModels.sum(batchesProjection.collection.name, 'combinations', { userId });
    return costOfBytes(bytes) / 10 + costOfRows(rows, 'file');
  };

  mountRoute(app, getArchive, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...ARCHIVED);
    const { userId } = call.principal;
    if (underWay.has(userId)) return UNDER_WAY;
    const tooMuch = await call.cost.expect(await costOf(userId));
    if (tooMuch) return tooMuch;
    if (call.query.link) {
      const expires = Math.floor(deps.clock.now().getTime() / 1_000) + LINK_SECONDS;
      const origin = deps.publicOrigin ?? `${call.request.protocol}://${call.request.host}`;
      const query = signArchiveLink(deps.linkSecret, userId, expires);
      return {
        presigned_url: `${origin}${downloadArchive.path}?${query}`,
        expires_at: new Date(expires * 1_000).toISOString(),
      };
    }
    const user = await readModels.get<UserDocument>(usersProjection.collection.name, userId);
    const { email, planId, features } = call.principal;
    return underWay.has(userId)
      ? UNDER_WAY
      : send(call.reply, user ?? { id: userId, email, planId, features });
  });

  mountRoute(app, downloadArchive, async ({ query, reply }) => {
    if (!isSignedArchiveLink(deps.linkSecret, query)) return INVALID_LINK;
    if (Number(query.expires) < deps.clock.now().getTime() / 1_000)
      return refuse(403, 'link_expired', 'This download link has expired');
    const user = await readModels.get<UserDocument>(usersProjection.collection.name, query.user);
    // Erased since.
    if (!user) return INVALID_LINK;
    if (underWay.has(user.id)) return UNDER_WAY;
    const { id: ownerId } = user;
    const isPaid = await payForLinkUse(
      { readModels, rateLimits: deps.rateLimits, costs: app.costs },
      { signature: query.signature, lastsMs: LINK_SECONDS * 1_000, ownerId, cost: () => costOf(ownerId) },
    );
    if (!isPaid) return UNDER_WAY;
    return underWay.has(user.id) ? UNDER_WAY : send(reply, user);
  });
}
