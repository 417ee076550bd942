import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { type AdminUser, getUser, listUsers } from '@quantloom/domain/contracts/http/admin-users';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import type { Where } from '@quantloom/domain/ports/read-models';
import { historyOf } from '@quantloom/domain/user/history';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { USER_NOT_FOUND, USER_STREAM } from '@quantloom/domain/user/user';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const collection = usersProjection.collection.name;
const DEFAULT_LIMIT = 50;

const adminUserOf = (document: UserDocument): AdminUser => ({
  id: document.id,
  email: document.email,
  subject: document.subject,
  plan_id: document.planId,
  features: [...document.features],
  granted_features: [...document.grantedFeatures],
  revoked_features: [...document.revokedFeatures],
  disabled: document.isDisabled,
  erase_at: document.eraseAt,
  api_client_id: document.apiClients[0]?.clientId ?? null,
  created_at: document.createdAt,
  updated_at: document.updatedAt,
});

/**
 * Lines of several streams, each in its own order, with the newest on top: of those at the same instant the
 * one that came last.
 */
export function newestFirst<Line extends { readonly at: string }>(lines: readonly Line[]): Line[] {
  return lines.toReversed().sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
}

/** Users for administrators. */
export function mountAdminUserQueries(app: FastifyInstance, deps: ReadDeps): void {
  const { readModels, eventStore } = deps;

  /** A whole id, subject or client id names one user; anything else is part of an address. */
  const condition = async (search: string): Promise<Where<UserDocument>> => {
    for (const where of [{ id: search }, { subject: search }, { apiClientIds: { has: search } }])
      if ((await readModels.count(collection, where)) > 0) return where;
    return { emailKey: { contains: normalizeEmail(search) } };
  };

  mountRoute(app, listUsers, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { search = '', limit = DEFAULT_LIMIT, skip = 0 } = call.query;
    const where: Where<UserDocument> = search.trim() === '' ? {} : await condition(search.trim());
    const [documents, total] = await Promise.all([
      readModels.find<UserDocument>(collection, { where, sort: [['createdAt', 'desc']], limit, skip }),
      readModels.count(collection, where),
    ]);
    return { users: documents.map(adminUserOf), total };
  });

  mountRoute(app, getUser, async (call) => {
    await awaitOwnWrites(call, deps.consistency, usersProjection);
    const { id } = call.params;
    const document = await readModels.get<UserDocument>(collection, id);
    if (!document) return USER_NOT_FOUND;
    const history = [];
    for (const { category } of [USER_STREAM, API_CLIENT_STREAM])
      for await (const event of eventStore.readStream(`${category}-${id}`)) history.push(historyOf(event));
    return { user: adminUserOf(document), history: newestFirst(history) };
  });
}
