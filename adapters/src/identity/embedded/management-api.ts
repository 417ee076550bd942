import { ASSISTANCE, type Assistance, isIdentityError } from '@quantloom/domain/ports/identity';
import type { Middleware, ParameterizedContext } from 'koa';
import { ASSISTANCE_FIELD, USER_ID_FIELD } from '../oidc/oidc-identity.ts';
import type { createTokenVerifier } from '../token-verifier.ts';
import type { Accounts } from './accounts.ts';
import type { Factors } from './factors.ts';
import type { MachineClients } from './machine-clients.ts';
import { readJson } from './request.ts';
import type { Sessions } from './sessions.ts';

export interface ManagementApiParts {
  readonly accounts: Accounts;
  readonly factors: Pick<Factors, 'isOn'>;
  /** Tells the people concerned as well. */
  readonly changeEmail: (subject: string, email: string) => Promise<void>;
  readonly deleteAccount: (subject: string, addresses: readonly string[]) => Promise<void>;
  readonly assist: (subject: string, act: Assistance) => Promise<void>;
  readonly clients: MachineClients;
  readonly sessions: Pick<Sessions, 'endedSince' | 'find'>;
  /** Of tokens for the audience `<issuer>api/v2/`. */
  readonly verify: ReturnType<typeof createTokenVerifier>;
  readonly audience: string;
}

/** Access tokens live an hour, and clocks differ a little. */
const ENDED_MS = 2 * 60 * 60_000;

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body?: Json;
}

const refuse = (status: number, error: string, message: string): Answer => ({
  status,
  body: { statusCode: status, error, message },
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const fieldOf = (value: unknown, name: string): string | null =>
  typeof value === 'object' && value !== null ? textOf((value as Json)[name]) : null;

/**
 * What the product asks of Auth0's Management API v2, answered by the embedded issuer: so that API processes
 * of a cluster can use one issuer process without sharing its file.
 */
export function managementApi({
  accounts,
  factors,
  changeEmail,
  deleteAccount,
  assist,
  clients,
  sessions,
  verify,
  audience,
}: ManagementApiParts): Middleware {
  const user = async (subject: string, change: Json | null): Promise<Answer> => {
    if (change) {
      const email = textOf(change.email);
      const userId = fieldOf(change.app_metadata, USER_ID_FIELD);
      try {
        if (email !== null) await changeEmail(subject, email);
        if (userId !== null) accounts.linkUser(subject, userId);
        const act = ASSISTANCE.find((known) => known === change[ASSISTANCE_FIELD]);
        if (act) await assist(subject, act);
      } catch (error) {
        if (isIdentityError(error, 'unknown_subject'))
          return refuse(404, 'Not Found', 'The user does not exist.');
        if (isIdentityError(error)) return refuse(400, 'Bad Request', error.message);
        throw error;
      }
    }
    const account = accounts.find(subject);
    if (!account) return refuse(404, 'Not Found', 'The user does not exist.');
    return {
      status: 200,
      body: {
        user_id: account.subject,
        email: account.email,
        email_verified: accounts.isVerified(subject),
        // As Auth0 lists them for people who have any.
        multifactor: factors.isOn(subject) ? ['second-factor'] : [],
        app_metadata: account.userId === null ? {} : { [USER_ID_FIELD]: account.userId },
      },
    };
  };

  const createClient = (body: Json): Answer => {
    const userId = fieldOf(body.client_metadata, USER_ID_FIELD);
    if (userId === null) return refuse(400, 'Bad Request', `client_metadata.${USER_ID_FIELD} is missing`);
    const { clientId, clientSecret } = clients.create({ userId, scopes: [] });
    return { status: 201, body: { client_id: clientId, client_secret: clientSecret, name: body.name } };
  };

  const grant = (body: Json): Answer => {
    const client = clients.find(textOf(body.client_id) ?? '');
    if (!client || body.audience !== audience || !Array.isArray(body.scope))
      return refuse(400, 'Bad Request', 'client_id, audience and scope must be those of this issuer');
    clients.put({ ...client, scopes: body.scope.filter((scope) => typeof scope === 'string') });
    return { status: 201, body: { client_id: client.clientId, audience, scope: body.scope } };
  };

  const client = (method: string, clientId: string): Answer => {
    if (method === 'DELETE') {
      clients.remove(clientId);
      return { status: 204 };
    }
    const found = clients.find(clientId);
    if (!found) return refuse(404, 'Not Found', 'The client does not exist');
    return { status: 200, body: { client_id: found.clientId, client_secret: found.clientSecret } };
  };

  const answer = async (ctx: ParameterizedContext): Promise<Answer> => {
    const token = /^bearer (.+)$/i.exec(ctx.get('authorization'))?.[1] ?? '';
    try {
      await verify(token);
    } catch {
      return refuse(401, 'Unauthorized', 'Invalid token');
    }
    const [, kind, id] = /^\/api\/v2\/([a-z-]+)(?:\/([^/]+))?$/.exec(ctx.path) ?? [];
    const target = id === undefined ? null : decodeURIComponent(id);
    const route = `${ctx.method} ${kind ?? ''}${target === null ? '' : '/:id'}`;
    const body = ctx.method === 'POST' || ctx.method === 'PATCH' ? await readJson(ctx.req) : null;
    if (route === 'GET ended-sessions')
      return { status: 200, body: { sessions: sessions.endedSince(Date.now() - ENDED_MS) } };
    if (route === 'GET sessions/:id')
      return { status: 200, body: { confirmed_at: sessions.find(target ?? '')?.confirmedAt ?? 0 } };
    if (route === 'GET users/:id') return await user(target ?? '', null);
    if (route === 'PATCH users/:id' && body) return await user(target ?? '', body);
    if (route === 'DELETE users/:id') {
      const known = accounts.find(target ?? '');
      await deleteAccount(target ?? '', known ? [known.email] : []);
      return { status: 204 };
    }
    if (route === 'POST clients' && body) return createClient(body);
    if (route === 'POST client-grants' && body) return grant(body);
    if (route === 'GET clients/:id' || route === 'DELETE clients/:id')
      return client(ctx.method, target ?? '');
    return refuse(404, 'Not Found', 'Not Found');
  };

  return async (ctx, next) => {
    if (!ctx.path.startsWith('/api/v2/')) return await next();
    ctx.set('cache-control', 'no-store');
    const { status, body } = await answer(ctx);
    ctx.status = status;
    if (body) ctx.body = body;
  };
}
