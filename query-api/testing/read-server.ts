import type { Feature, PlanId } from '@quantloom/domain/identity/plans';
import type { Principal } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import type { FastifyInstance } from 'fastify';
import { registerQueryRoutes } from '../src/app.ts';
import type { QueryApiDeps } from '../src/query-api-deps.ts';

/** A caller by his name, which is his token: `admin` may do all that administrators may. */
export const principalOf = (
  userId: string,
  planId: PlanId = 'free',
  features: readonly Feature[] = [],
): Principal => ({
  userId,
  subject: `test|${userId}`,
  email: `${userId}@example.com`,
  planId,
  features: userId === 'admin' ? ['web.admin.view'] : features,
  clientId: null,
  scopes: [],
  actor: { kind: 'user', userId },
});

/**
 * Some routes of the read side on read models that a test plays.
 *
 * @param more what these routes need; of `readModels` only what they call
 */
export async function openReadServer(
  mount: (app: FastifyInstance, deps: QueryApiDeps) => void | Promise<void>,
  more: { readonly readModels: object } & Readonly<Record<string, unknown>>,
  features: readonly Feature[] = [],
) {
  const deps = {
    clock: { now: () => new Date('2026-03-04T10:00:00.000Z') },
    consistency: { whenReached: async () => true },
    identity: { lastProof: async () => null },
    resultStore: {},
    ...more,
  } as unknown as QueryApiDeps;
  const app = createServer({
    authenticate: async (name) => (name ? principalOf(name, 'free', features) : null),
  });
  await registerQueryRoutes(app, deps, [mount]);
  await app.ready();
  return {
    close: () => app.close(),
    get: async (userId: string, url: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await app.inject({
        url: `/api/v1${url}`,
        headers: { authorization: userId, ...headers },
      });
      const isJson = /\bjson\b/.test(String(answer.headers['content-type']));
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.body,
        body: isJson ? answer.json() : null,
      };
    },
  };
}
