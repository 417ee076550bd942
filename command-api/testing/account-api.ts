import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalBilling } from '@quantloom/adapters/billing/local/local-billing';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import {
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  tokenRequest,
} from '@quantloom/adapters/testing/identity/test-browser';
import { administratorActsProjection } from '@quantloom/domain/administrator-acts/projection';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { DEFAULT_AUDIENCE } from '@quantloom/domain/identity/issuer';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { Billing } from '@quantloom/domain/ports/billing';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import { usersProjection } from '@quantloom/domain/user/projection';
import { createAuthenticate } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { logUserDirectory } from '@quantloom/http/user-directory';
import { createProjectors } from '@quantloom/projectors/projectors';
import { registerQueryRoutes } from '@quantloom/query-api/app';
import { projectorConsistency } from '@quantloom/query-api/consistency';
import { mountAdminActQueries } from '@quantloom/query-api/routes/admin-acts';
import { mountAdminUserQueries } from '@quantloom/query-api/routes/admin-users';
import { mountNamedApiClientQueries } from '@quantloom/query-api/routes/api-clients';
import { mountApiClientQueries } from '@quantloom/query-api/routes/oauth-clients';
import { mountSubscriptionQueries } from '@quantloom/query-api/routes/subscriptions';
import { mountUserQueries } from '@quantloom/query-api/routes/users';
import type { FastifyInstance } from 'fastify';
import { ulid } from 'ulid';
import { registerCommandRoutes } from '../src/app.ts';
import type { CommandApiDeps } from '../src/deps.ts';
import { mountAdminUsers } from '../src/routes/admin-users.ts';
import { mountNamedApiClients } from '../src/routes/api-clients.ts';
import { mountBilling } from '../src/routes/billing.ts';
import { mountApiClients } from '../src/routes/oauth-clients.ts';
import { mountUsers } from '../src/routes/users.ts';

export const PASSWORD = 'correct horse battery';

type Json = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}
interface SignedInUser {
  readonly token: string;
  readonly subject: string;
  readonly id: string;
  readonly created: Answer;
}

/** The account routes of both APIs with a real issuer in front, on the embedded adapters in a temporary folder. */
export interface AccountApi {
  readonly app: FastifyInstance;
  readonly issuer: TestIssuer;
  readonly deps: CommandApiDeps;
  readonly rateLimits: RateLimits;
  /** A request below `/api/v1`; sends the highest position seen. */
  call(
    token: string | null,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: Json,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** An identity, without a user yet. */
  signUp(email: string): Promise<{ token: string; subject: string }>;
  logIn(email: string): Promise<string>;
  newUser(email: string): Promise<SignedInUser>;
  machineToken(id: unknown, secret: unknown): Promise<{ status: number; token: string }>;
  close(): Promise<void>;
}

/** A dependency that the account routes don't use. */
const unused = <T extends object>(): T => ({}) as T;

export async function startAccountApi(
  options: { billing?: Billing; issuer?: Parameters<typeof startTestIssuer>[0] } = {},
): Promise<AccountApi> {
  const issuer = await startTestIssuer(options.issuer);
  const { identity } = issuer.embedded;
  const folder = await mkdtemp(path.join(tmpdir(), 'account-api-'));
  const database = openSqliteDatabase(path.join(folder, 'test.sqlite'));
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  const rateLimits = createSqliteRateLimits(database);
  const clock = { now: () => new Date() };
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: [
      usersProjection as never,
      administratorActsProjection as never,
      storedBytesProjection as never,
    ],
    catalogue: EVENT_CATALOGUE,
    clock,
    idleSaveMs: 5,
  });
  const billing = options.billing ?? createLocalBilling({ publicUrl: 'https://q.example' });
  const deps: CommandApiDeps = {
    eventStore,
    readModels,
    clock,
    newId: () => ulid(),
    stateCache: new StateCache(),
    identity,
    billing,
    rateLimits,
    firstAccountIsAdministrator: true,
    marketData: unused(),
    backtestRunner: unused(),
  } as CommandApiDeps;
  const app = createServer({
    authenticate: createAuthenticate({ identity, users: logUserDirectory(deps) }),
    rateLimits,
  });
  await registerCommandRoutes(app, deps, [
    mountUsers,
    mountApiClients,
    mountNamedApiClients,
    mountBilling,
    mountAdminUsers,
  ]);
  await registerQueryRoutes(
    app,
    { ...deps, consistency: projectorConsistency(projectors), resultStore: unused() } as never,
    [
      mountUserQueries,
      mountSubscriptionQueries,
      mountApiClientQueries,
      mountNamedApiClientQueries,
      mountAdminUserQueries,
      mountAdminActQueries,
    ],
  );
  await app.ready();
  await projectors.start();

  let position: string | undefined;
  const call: AccountApi['call'] = async (token, method, url, body, headers = {}) => {
    const response = await app.inject({
      method,
      url: `/api/v1${url}`,
      ...(body && { payload: body }),
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(position !== undefined && { 'x-quantloom-position': position }),
        ...headers,
      },
    });
    const written = response.headers['x-quantloom-position'];
    if (typeof written === 'string' && BigInt(written) > BigInt(position ?? -1)) position = written;
    return {
      status: response.statusCode,
      body: response.body === '' ? {} : (response.json() as Json),
      headers: response.headers,
    };
  };
  const signUp: AccountApi['signUp'] = async (email) => {
    const tokens = await signInByForm(new TestBrowser(issuer.origin), email, PASSWORD, 'signup');
    return { token: tokens.access_token, subject: (await identity.verify(tokens.access_token)).subject };
  };
  return {
    app,
    issuer,
    deps,
    rateLimits,
    call,
    signUp,
    logIn: async (email) =>
      (await signInByForm(new TestBrowser(issuer.origin), email, PASSWORD, 'login')).access_token,
    newUser: async (email) => {
      const { token, subject } = await signUp(email);
      const created = await call(token, 'POST', '/users', { email, auth0_id: subject });
      return { token, subject, id: String(created.body.id), created };
    },
    machineToken: async (id, secret) => {
      const response = await tokenRequest(issuer.origin, {
        grant_type: 'client_credentials',
        client_id: String(id),
        client_secret: String(secret),
        audience: DEFAULT_AUDIENCE,
      });
      return { status: response.status, token: String(((await response.json()) as Json).access_token) };
    },
    close: async () => {
      await app.close();
      await projectors.stop();
      database.close();
      await issuer.close();
      await rm(folder, { recursive: true });
    },
  };
}
