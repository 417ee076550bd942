import type { CollectionName, ReadDocument, ReadModels, Where } from '@quantloom/domain/ports/read-models';

const READ_AT_ONCE = 200;

/**
 * A list as a CSV file, the newest first, read as the client takes it.
 *
 * @param collection its documents have the log position as `order`
 * @param linesOf the lines of some documents, each with its end
 */
export async function* csvInLogOrder<D extends ReadDocument & { readonly order: string }>(
  readModels: Pick<ReadModels, 'find'>,
  collection: CollectionName<D>,
  where: Where<D>,
  header: readonly string[],
  linesOf: (documents: readonly D[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  yield `${header.join(',')}\r\n`;
  let before: string | null = null;
  for (;;) {
    const documents = (await readModels.find<ReadDocument>(collection, {
      where: { ...where, ...(before !== null && { order: { lt: before } }) },
      sort: [['order', 'desc']],
      limit: READ_AT_ONCE,
    })) as D[];
    const last = documents.at(-1);
    if (!last) return;
    yield (await linesOf(documents)).join('');
    before = last.order;
  }
}
