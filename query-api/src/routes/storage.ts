import { getStorage } from '@quantloom/domain/contracts/http/storage';
import { bytesOf, STORAGE_DAY_MS, USE_LIMITS, writtenKey } from '@quantloom/domain/limits/limits';
import { storedBy, storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';

/** The room that a user takes. */
export function mountStorageQueries(
  app: FastifyInstance,
  deps: ReadDeps & Pick<QueryApiDeps, 'rateLimits'>,
): void {
  mountRoute(app, getStorage, async (call) => {
    await awaitOwnWrites(call, deps.consistency, storedBytesProjection);
    const { userId, planId } = call.principal;
    const { storedMegabytes, writtenMegabytesPerDay } = USE_LIMITS[planId];
    const used = await deps.readModels.sum(storedBytesProjection.collection.name, 'bytes', storedBy(userId));
    const written = await deps.rateLimits?.hit(writtenKey(userId), STORAGE_DAY_MS, 0);
    return {
      used_bytes: used,
      limit_bytes: bytesOf(storedMegabytes),
      written_bytes: written?.hits ?? 0,
      daily_limit_bytes: bytesOf(writtenMegabytesPerDay),
    };
  });
}
