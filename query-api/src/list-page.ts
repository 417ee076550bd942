import type { FindQuery, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import type { FastifyReply } from 'fastify';

/** Lines of a list that names no limit, and the most that may be asked for. */
export const DEFAULT_LIMIT = 1000;

/**
 * A page of a collection with `updatedAt` and `name`, the last changed first. The number of all documents that match goes into the
 * header `x-total-count`.
 */
export async function listPage<Doc extends ReadDocument>(
  readModels: ReadModels,
  reply: FastifyReply,
  collection: string,
  where: NonNullable<FindQuery['where']>,
  query: { readonly limit?: number; readonly skip?: number; readonly search?: string },
): Promise<Doc[]> {
  const { limit = DEFAULT_LIMIT, skip = 0, search } = query;
  const all = search ? { ...where, name: { contains: search } } : where;
  const page = await readModels.find<Doc>(collection, {
    where: all,
    sort: [['updatedAt', 'desc']],
    limit,
    skip,
  });
  const isWhole = skip === 0 && page.length < limit;
  reply.header('x-total-count', String(isWhole ? page.length : await readModels.count(collection, all)));
  return page;
}
