import { Readable } from 'node:stream';
import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import { listWaitlist, type WaitlistEntry } from '@quantloom/domain/contracts/http/waitlist';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import { ERASED } from '@quantloom/domain/personal-data';
import type { Where } from '@quantloom/domain/ports/read-models';
import { type WaitlistDocument, waitlistProjection } from '@quantloom/domain/waitlist/projection';
import {
  type WaitlistJoined,
  waitlistEmail,
  waitlistId,
  waitlistStream,
} from '@quantloom/domain/waitlist/waitlist';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import { csvInLogOrder } from '../csv-in-log-order.ts';
import type { ReadDeps } from '../deps.ts';

const ENTRIES = waitlistProjection.collection.name;
const DEFAULT_LIMIT = 50;
const HEADER = ['Address', 'At'];

/** The entries with their addresses, which the log alone has. */
async function entriesOf(
  { eventStore }: Pick<ReadDeps, 'eventStore'>,
  documents: readonly WaitlistDocument[],
): Promise<WaitlistEntry[]> {
  const entries: WaitlistEntry[] = [];
  for (const { id, at } of documents) {
    let email = ERASED;
    for await (const { data } of eventStore.readStream(id, { maxCount: 1 }))
      email = (data as WaitlistJoined['data']).email;
    entries.push({ email, at });
  }
  return entries;
}

/** The waitlist, for administrators. */
export function mountWaitlistQueries(app: FastifyInstance, deps: ReadDeps): void {
  const { readModels } = deps;
  mountRoute(app, listWaitlist, async (call) => {
    await awaitOwnWrites(call, deps.consistency, waitlistProjection);
    const { email, limit = DEFAULT_LIMIT, skip = 0, format } = call.query;
    const address = email === undefined ? null : waitlistEmail(email);
    if (email !== undefined && address === null) return { entries: [], total: 0 };
    const where: Where<WaitlistDocument> =
      address === null ? {} : { id: streamName(waitlistStream, waitlistId(address)) };
    if (format === 'csv') {
      call.reply.header('content-disposition', 'attachment; filename="waitlist.csv"');
      const linesOf = async (documents: readonly WaitlistDocument[]) =>
        (await entriesOf(deps, documents)).map((entry) => `${csvCell(entry.email)},${csvCell(entry.at)}\r\n`);
      const file = csvInLogOrder(readModels, ENTRIES, where, HEADER, linesOf);
      return call.reply.type('text/csv; charset=utf-8').send(Readable.from(file));
    }
    const [documents, total] = await Promise.all([
      readModels.find<WaitlistDocument>(ENTRIES, { where, sort: [['order', 'desc']], limit, skip }),
      readModels.count(ENTRIES, where),
    ]);
    return { entries: await entriesOf(deps, documents), total };
  });
}
