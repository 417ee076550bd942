import { createServer, type IncomingMessage } from 'node:http';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOidcIdentity } from './oidc-identity.ts';

/** What the provider's management API was asked, and what it answers; `oauth/token` is always answered. */
const calls: string[] = [];
let answers: Readonly<Record<string, readonly [status: number, body?: object]>> = {};
const server = createServer((request: IncomingMessage, response) => {
  request.resume().once('end', () => {
    const call = `${request.method} ${request.url}`;
    if (call === 'POST /oauth/token')
      return response.end(JSON.stringify({ access_token: 't', expires_in: 3_600 }));
    calls.push(call);
    const [status, body] = answers[call] ?? [404, {}];
    return response.writeHead(status).end(body && JSON.stringify(body));
  });
});
let origin = '';
beforeEach(async () => {
  calls.length = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const identity = () =>
  createOidcIdentity({ issuer: origin, audience: 'api', management: { clientId: 'm', clientSecret: 's' } });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isIdentityError(error) ? error.code : error),
  );

it('leaves no client behind that was given no rights, and says that it failed', async () => {
  answers = {
    'POST /api/v2/clients': [201, { client_id: 'c1', client_secret: 'secret' }],
    'POST /api/v2/client-grants': [400, { message: 'Unknown audience' }],
    'DELETE /api/v2/clients/c1': [204],
  };
  expect(await failureOf(identity().createMachineClient({ userId: 'u', scopes: ['a'] }))).toBe('unavailable');
  expect(calls).toEqual(['POST /api/v2/clients', 'POST /api/v2/client-grants', 'DELETE /api/v2/clients/c1']);
});

it('asks again with a new token where the one that it has is not accepted any more', async () => {
  const inTurn: (readonly [number, object])[] = [[401, {}]];
  answers = {
    get 'GET /api/v2/clients/c1'() {
      return inTurn.shift() ?? ([200, { client_secret: 'secret' }] as const);
    },
  };
  expect(await identity().machineClient('c1')).toEqual({ clientId: 'c1', clientSecret: 'secret' });
  expect(calls).toHaveLength(2);
});

it.each([
  ['belongs to another account', 409, 'Conflict', 'email_taken'],
  [
    'belongs to another account, as Auth0 says it',
    400,
    'The specified new email already exists',
    'email_taken',
  ],
  ['is none', 400, 'Object didn’t pass validation for format email', 'invalid_email'],
  ['is for an account that is gone', 404, 'The user does not exist.', 'unknown_subject'],
])('tells that a new e-mail address %s', async (_, status, message, code) => {
  answers = { 'PATCH /api/v2/users/auth0%7C1': [status, { message }] };
  expect(await failureOf(identity().changeEmail('auth0|1', 'ann@example.com'))).toBe(code);
});

it('takes an address for confirmed only where the provider says so', async () => {
  const verifiedBy = async (more: object) => {
    answers = { 'GET /api/v2/users/auth0%7C1': [200, { email: 'ann@example.com', ...more }] };
    return (await identity().account('auth0|1'))?.isEmailVerified;
  };
  expect(await verifiedBy({ email_verified: true })).toBe(true);
  for (const more of [{ email_verified: false }, {}, { email_verified: 'true' }])
    expect(await verifiedBy(more)).toBe(false);
});
