import type { CollectionName, ReadDocument, ReadModels, Where } from './read-models.ts';

/**
 * All documents that match, in pages and in the order of their ids, which never change: nothing is left out
 * or comes twice while others go on writing. No page is empty.
 *
 * @param limit documents in a page, at most
 */
export async function* pagesById<Doc extends ReadDocument>(
  readModels: Pick<ReadModels, 'find'>,
  collection: CollectionName<Doc>,
  where: Where<NoInfer<Doc>>,
  limit: number,
): AsyncGenerator<readonly Doc[]> {
  let after: string | null = null;
  for (;;) {
    // The compiler cannot tell that a document of any kind has an id to be sorted by.
    const page = (await readModels.find<ReadDocument>(collection, {
      where: { ...where, ...(after !== null && { id: { gt: after } }) },
      sort: [['id', 'asc']],
      limit,
    })) as Doc[];
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = last.id;
  }
}
