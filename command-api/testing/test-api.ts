import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase, type SqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import { FEATURES, type Feature, PLANS } from '@quantloom/domain/identity/plans';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { PROJECTIONS } from '@quantloom/domain/projections';
import type { Principal } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { createProjectors, type Projectors } from '@quantloom/projectors/projectors';
import { registerQueryRoutes } from '@quantloom/query-api/app';
import { projectorConsistency } from '@quantloom/query-api/consistency';
import type { QueryApiDeps } from '@quantloom/query-api/query-api-deps';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { ulid } from 'ulid';
import { registerCommandRoutes } from '../src/app.ts';
import type { CommandApiDeps } from '../src/deps.ts';

/** The callers that every permission is tried with; the name is the bearer token. */
const CALLERS = ['free', 'paid', 'other', 'machine', 'machineWithoutScope', 'admin', 'adminMachine'] as const;
export type Caller = (typeof CALLERS)[number];

function principal(
  userId: string,
  features: readonly Feature[],
  machine?: { scopes: readonly string[] },
): Principal {
  const clientId = machine ? `client-${userId}` : null;
  return {
    userId,
    subject: `test|${userId}`,
    email: `${userId}@example.com`,
    planId: features.length > 0 ? 'api' : 'free',
    features,
    clientId,
    scopes: machine?.scopes ?? [],
    actor: clientId ? { kind: 'apiClient', userId, clientId } : { kind: 'user', userId },
  };
}

export const PRINCIPALS: Readonly<Record<Caller, Principal>> = {
  free: principal('user-free', []),
  paid: principal('user-paid', PLANS.api.features),
  other: principal('user-other', PLANS.api.features),
  machine: principal('user-paid', PLANS.api.features, { scopes: ['api:backtester', ...API_SCOPES] }),
  machineWithoutScope: principal('user-paid', PLANS.api.features, { scopes: [] }),
  admin: principal('user-admin', FEATURES),
  adminMachine: principal('user-admin', FEATURES, { scopes: ['api:backtester', ...API_SCOPES] }),
};

export interface TestApi {
  readonly app: FastifyInstance;
  readonly deps: CommandApiDeps & QueryApiDeps;
  /** The file that log, read models and rate limits share. */
  readonly database: SqliteDatabase;
  readonly projectors: Projectors;
  /** Moves the clock. */
  readonly advance: (ms: number) => void;
  /**
   * A request of a caller (`null`: without a token). An own write is always visible: the last position is
   * sent along.
   */
  readonly call: (
    caller: Caller | null,
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<LightMyRequestResponse>;
  readonly close: () => Promise<void>;
}

/** A dependency that no test of these routes may touch. */
function untouchable<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: (_, key) => {
      throw new Error(`${name}.${String(key)} is not part of this test`);
    },
  });
}

/** Both APIs and the projectors on the embedded adapters in a temporary folder. */
export async function startTestApi(
  more: Partial<CommandApiDeps & QueryApiDeps> = {},
  onContract: (contract: RouteContract) => void = () => {},
): Promise<TestApi> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-api-'));
  const database = openSqliteDatabase(path.join(folder, 'test.sqlite'));
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
    idleSaveMs: 5,
  });
  // Only what is given replaces a default; `as` because optional members of both interfaces may stay away.
  const deps = {
    eventStore,
    readModels,
    clock,
    newId: () => ulid(),
    stateCache: new StateCache(),
    consistency: projectorConsistency(projectors),
    identity: untouchable('identity'),
    webhooks: untouchable('webhooks'),
    billing: untouchable('billing'),
    marketData: untouchable('marketData'),
    backtestRunner: untouchable('backtestRunner'),
    resultStore: untouchable('resultStore'),
    linkSecret: new Uint8Array(32),
    ...more,
  } as CommandApiDeps & QueryApiDeps;
  const app = createServer({
    ...(more.rateLimits && { rateLimits: more.rateLimits }),
    authenticate: async (authorization) => {
      if (authorization === undefined) return null;
      const caller = authorization.replace('Bearer ', '') as Caller;
      const known = PRINCIPALS[caller];
      if (!known) throw new RefusalError(refuse(401, 'invalid_token', 'The access token is not valid'));
      return known;
    },
  });
  app.addHook('onRoute', ({ method, config }) => {
    const { contract } = (config ?? {}) as { contract?: RouteContract };
    if (contract && method !== 'HEAD') onContract(contract);
  });
  await registerCommandRoutes(app, deps);
  await registerQueryRoutes(app, deps);
  await app.ready();
  await projectors.start();
  let position: string | undefined;
  return {
    app,
    deps,
    database,
    projectors,
    advance: (ms) => {
      offset += ms;
    },
    call: async (caller, method, url, body, headers = {}) => {
      const response = await app.inject({
        method,
        url,
        ...(body !== undefined && { payload: body as object }),
        headers: {
          ...(caller && { authorization: `Bearer ${caller}` }),
          ...(position !== undefined && method === 'GET' && { 'x-quantloom-position': position }),
          ...headers,
        },
      });
      const written = response.headers['x-quantloom-position'];
      if (typeof written === 'string' && BigInt(written) > BigInt(position ?? -1)) position = written;
      return response;
    },
    close: async () => {
      await app.close();
      await projectors.stop();
      await eventStore.close();
      await readModels.close();
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
