import { createServer } from 'node:http';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityRig, identityContract } from '../../testing/identity/contract.ts';
import {
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  tokenRequest,
} from '../../testing/identity/test-browser.ts';
import { createEndedSessions } from './oidc/ended-sessions.ts';
import { createOidcIdentity } from './oidc/oidc-identity.ts';

const MANAGER = { clientId: 'the-manager', clientSecret: 'a-long-secret-of-the-manager' };
const AUDIENCE = 'https://api.quantloom.local';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer({ managementClient: MANAGER });
});
afterAll(() => issuer.close());

const rig = (prefix: string, identity: () => IdentityRig['identity']) => (): IdentityRig => ({
  identity: identity(),
  signUp: async (email) => {
    const tokens = await signInByForm(
      new TestBrowser(issuer.origin),
      `${prefix}${email}`,
      'correct horse battery',
      'signup',
    );
    const { subject } = await issuer.embedded.identity.verify(tokens.access_token);
    // The suite knows the address without the prefix.
    await issuer.embedded.identity.changeEmail(subject, email);
    return { subject, token: tokens.access_token };
  },
  machineToken: async (clientId, clientSecret) => {
    const response = await tokenRequest(issuer.origin, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    return {
      status: response.status,
      token: String(((await response.json()) as { access_token?: string }).access_token),
    };
  },
});

identityContract(
  'embedded issuer',
  rig('e-', () => issuer.embedded.identity),
);
identityContract(
  'OpenID Connect with the Auth0 management API',
  rig('o-', () =>
    createOidcIdentity({
      issuer: issuer.origin,
      audience: AUDIENCE,
      management: MANAGER,
      refusesEndedSessions: true,
    }),
  ),
);

it('sessions and passwords of an issuer that is not ours are left to it', async () => {
  const foreign = createOidcIdentity({ issuer: issuer.origin, audience: AUDIENCE, management: MANAGER });
  expect(foreign.canAssist).toBe(false);
  await expect(foreign.assist('auth0|x', 'sign_out')).rejects.toMatchObject({ code: 'unavailable' });
});

describe('a session that has ended', () => {
  it('is refused by the processes that share the issuer, which go on while it is away', async () => {
    const browser = new TestBrowser(issuer.origin);
    const tokens = await signInByForm(browser, 'ended@example.com', 'correct horse battery', 'signup');
    const other = await signInByForm(
      new TestBrowser(issuer.origin),
      'other@example.com',
      'correct horse battery',
      'signup',
    );
    await browser.fetch('/v2/logout?client_id=quantloom-web');
    const remote = createOidcIdentity({
      issuer: issuer.origin,
      audience: AUDIENCE,
      management: MANAGER,
      refusesEndedSessions: true,
    });
    await expect(remote.verify(tokens.access_token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await remote.verify(other.access_token)).toMatchObject({ clientId: null });
    const closed = createEndedSessions({
      call: async () => {
        throw new Error('The issuer is away');
      },
    });
    expect(await closed.has('any')).toBe(false);
  });

  it('is asked for again after a while', async () => {
    let time = 0;
    const answers = [[], ['s1']];
    const ended = createEndedSessions(
      { call: async () => ({ status: 200, body: { sessions: answers.shift() } }) },
      () => time,
    );
    expect(await ended.has('s1')).toBe(false);
    time = 19_000;
    expect(await ended.has('s1')).toBe(false);
    time = 21_000;
    await ended.has('s1');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ended.has('s1')).toBe(true);
  });
});

describe('the management API', () => {
  const status = async (path: string, token: string) =>
    (await fetch(`${issuer.origin}/api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } }))
      .status;

  it('is closed to everybody but its client', async () => {
    const person = await signInByForm(
      new TestBrowser(issuer.origin),
      'outsider@example.com',
      'correct horse battery',
      'signup',
    );
    expect(await status('users/x', person.access_token)).toBe(401);
    expect(await status('users/x', '')).toBe(401);
    const { clientId, clientSecret } = await issuer.embedded.identity.createMachineClient({
      userId: 'u',
      scopes: ['api:backtester'],
    });
    const stolen = await tokenRequest(issuer.origin, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      audience: `${issuer.origin}/api/v2/`,
    });
    expect(stolen.status).toBe(403);
    const resource = await tokenRequest(issuer.origin, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      resource: `${issuer.origin}/api/v2/`,
    });
    expect(resource.status).toBe(400);
  });

  it('gives no token for the product to its client', async () => {
    const answer = await tokenRequest(issuer.origin, {
      grant_type: 'client_credentials',
      client_id: MANAGER.clientId,
      client_secret: MANAGER.clientSecret,
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    await expect(issuer.embedded.identity.verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await status('users/nobody', token)).toBe(404);
  });

  it('is not there unless it was asked for', async () => {
    const other = await startTestIssuer();
    expect(other.embedded.handles('/api/v2/users/x')).toBe(false);
    await other.close();
  });
});

describe('an external issuer', () => {
  const failureOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return isIdentityError(error) ? error.code : error;
  };

  it('that does not answer is a failure of the service, and is asked again', async () => {
    let isAway = true;
    const server = createServer((request, response) => {
      if (isAway) return response.writeHead(503).end('away');
      void fetch(`${issuer.origin}${request.url}`)
        .then((answer) => answer.text())
        .then((text) => response.end(text.replaceAll(issuer.origin, `http://${request.headers.host}`)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const identity = createOidcIdentity({ issuer: origin, audience: AUDIENCE });
    expect(await failureOf(identity.verify('a.b.c'))).toBe('unavailable');
    isAway = false;
    expect(await failureOf(identity.verify('a.b.c'))).toBe('invalid_token');
    server.closeAllConnections();
    server.close();
  });

  it('whose address leads to the document of another one is trusted in nothing', async () => {
    // Which goes by its own name: its tokens would be in order under the keys that it names.
    const server = createServer((request, response) => {
      void fetch(`${issuer.origin}${request.url}`)
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const identity = createOidcIdentity({ issuer: origin, audience: AUDIENCE });
    expect(await failureOf(identity.verify('a.b.c'))).toBe('unavailable');
    server.closeAllConnections();
    server.close();
  });

  it('without management credentials takes tokens, and manages nothing', async () => {
    const identity = createOidcIdentity({ issuer: issuer.origin, audience: AUDIENCE });
    expect(await identity.account('quantloom|x')).toBeNull();
    await identity.linkUser('quantloom|x', 'user-1');
    expect(await failureOf(identity.changeEmail('quantloom|x', 'a@b.ch'))).toBe('unavailable');
    expect(await failureOf(identity.createMachineClient({ userId: 'u', scopes: [] }))).toBe('unavailable');
  });

  it('with wrong management credentials says so', async () => {
    const management = { ...MANAGER, clientSecret: 'wrong' };
    const identity = createOidcIdentity({ issuer: issuer.origin, audience: AUDIENCE, management });
    expect(await failureOf(identity.account('quantloom|x'))).toBe('unavailable');
  });
});
