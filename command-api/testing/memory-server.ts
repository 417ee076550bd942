import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { createServer } from '@quantloom/http/server';
import type { FastifyInstance } from 'fastify';
import { ulid } from 'ulid';
import { registerCommandRoutes } from '../src/app.ts';
import type { CommandApiDeps } from '../src/deps.ts';
import { type Caller, PRINCIPALS } from './test-api.ts';

/** Read models of which nothing is known yet. */
const EMPTY = {
  ensureCollection: async () => undefined,
  get: async () => null,
  getMany: async () => [],
  find: async () => [],
  count: async () => 0,
  sum: async () => 0,
  put: async () => undefined,
  delete: async () => undefined,
};

export interface MemoryServer {
  readonly app: FastifyInstance;
  readonly eventStore: MemoryEventStore;
  readonly call: (
    caller: Caller,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: Readonly<Record<string, unknown>>;
  }>;
}

/**
 * Some routes of the write side on a log in memory, so that a test plays whomever else they ask, and the clock.
 *
 * @param more what these routes need besides; `readModels` may name only what they call
 */
export async function openMemoryServer(
  mount: (app: FastifyInstance, deps: CommandApiDeps) => void | Promise<void>,
  more: Partial<Omit<CommandApiDeps, 'readModels'>> & { readonly readModels?: object } = {},
): Promise<MemoryServer> {
  const eventStore = new MemoryEventStore();
  const deps = {
    eventStore,
    clock: { now: () => new Date('2026-03-04T10:00:00.000Z') },
    newId: () => ulid(),
    stateCache: new StateCache(),
    identity: { lastProof: async () => null },
    ...more,
    readModels: { ...EMPTY, ...more.readModels },
  } as unknown as CommandApiDeps;
  const app = createServer({
    authenticate: async (name) => PRINCIPALS[name as Caller] ?? null,
  });
  await registerCommandRoutes(app, deps, [mount]);
  await app.ready();
  return {
    app,
    eventStore,
    call: async (caller, method, url, body, headers = {}) => {
      const answer = await app.inject({
        method,
        url: `/api/v1${url}`,
        headers: { authorization: caller, ...headers },
        ...(body && { payload: body }),
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
    },
  };
}
