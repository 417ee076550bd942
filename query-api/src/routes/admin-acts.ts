import { Readable } from 'node:stream';
import {
  type AdministratorActDocument,
  administratorActsProjection,
} from '@quantloom/domain/administrator-acts/projection';
import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import { type AdministratorAct, listAdministratorActs } from '@quantloom/domain/contracts/http/admin-acts';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import { ERASED } from '@quantloom/domain/personal-data';
import type { Where } from '@quantloom/domain/ports/read-models';
import { historyOf } from '@quantloom/domain/user/history';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import { csvInLogOrder } from '../csv-in-log-order.ts';
import type { ReadDeps } from '../deps.ts';

const ACTS = administratorActsProjection.collection.name;
const USERS = usersProjection.collection.name;
const DEFAULT_LIMIT = 50;
const HEADER = ['At', 'Act', 'Administrator', 'Administrator id', 'Account', 'Account id', 'What and why'];

/** The user ids that an id or a whole address means. */
async function idsOf({ readModels }: ReadDeps, text: string): Promise<readonly string[]> {
  const users = await readModels.find<UserDocument>(USERS, { where: { emailKey: normalizeEmail(text) } });
  return users.length > 0 ? users.map(({ id }) => id) : [text.trim()];
}

/** The acts with names and reasons as the log and the users have them now. */
async function actsOf(
  { readModels, eventStore }: ReadDeps,
  documents: readonly AdministratorActDocument[],
): Promise<AdministratorAct[]> {
  const ids = documents.flatMap(({ actorId, userId }) => (actorId === null ? [userId] : [actorId, userId]));
  const users = await readModels.getMany<UserDocument>(USERS, [...new Set(ids)]);
  const names = new Map(users.map(({ id, email }) => [id, email]));
  const acts: AdministratorAct[] = [];
  for (const { id, at, act, actorId, actorName, userId, stream, revision } of documents) {
    let text = '';
    for await (const event of eventStore.readStream(stream, { fromRevision: revision, maxCount: 1 }))
      text = historyOf(event).text;
    const actor = actorName ?? names.get(actorId ?? '') ?? ERASED;
    const person = { id: userId, name: names.get(userId) ?? ERASED };
    acts.push({ id, at, act, actor: { id: actorId, name: actor }, person, text });
  }
  return acts;
}

const lineOf = ({ at, act, actor, person, text }: AdministratorAct): string =>
  `${[at, act, actor.name, actor.id, person.name, person.id, text].map(csvCell).join(',')}\r\n`;

/** The audit of administrators, for administrators. */
export function mountAdminActQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listAdministratorActs, async (call) => {
    await awaitOwnWrites(call, deps.consistency, administratorActsProjection);
    const { actor, person, act, from, to, limit = DEFAULT_LIMIT, skip = 0, format } = call.query;
    const where: Where<AdministratorActDocument> = {
      ...(actor !== undefined && { actorId: { in: await idsOf(deps, actor) } }),
      ...(person !== undefined && { userId: { in: await idsOf(deps, person) } }),
      ...(act !== undefined && { act }),
      ...((from !== undefined || to !== undefined) && {
        at: { ...(from && { gte: `${from}T00:00:00.000Z` }), ...(to && { lte: `${to}T23:59:59.999Z` }) },
      }),
    };
    if (format === 'csv') {
      call.reply.header('content-disposition', 'attachment; filename="administrator-acts.csv"');
      const linesOf = async (documents: readonly AdministratorActDocument[]) =>
        (await actsOf(deps, documents)).map(lineOf);
      const file = csvInLogOrder(deps.readModels, ACTS, where, HEADER, linesOf);
      return call.reply.type('text/csv; charset=utf-8').send(Readable.from(file));
    }
    const [documents, total] = await Promise.all([
      deps.readModels.find<AdministratorActDocument>(ACTS, {
        where,
        sort: [['order', 'desc']],
        limit,
        skip,
      }),
      deps.readModels.count(ACTS, where),
    ]);
    return { acts: await actsOf(deps, documents), total };
  });
}
