import {
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
} from '@quantloom/adapters/testing/identity/test-browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Api } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';

const MANAGER = { clientId: 'the-manager', clientSecret: 'a-long-secret-of-the-manager' };
const AUDIENCE = 'https://api.quantloom.local';
let issuer: TestIssuer;
let server: RunningServer;

beforeAll(async () => {
  issuer = await startTestIssuer({ managementClient: MANAGER });
  server = await startServer({
    environment: {
      OIDC_ISSUER: issuer.origin,
      OIDC_CLIENT_ID: 'quantloom-web',
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_MANAGEMENT_CLIENT_ID: MANAGER.clientId,
      OIDC_MANAGEMENT_CLIENT_SECRET: MANAGER.clientSecret,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
  await issuer.close();
});

it('is used instead of the embedded one, of which nothing is mounted', async () => {
  const config = (await (await fetch(`${server.url}/config.json`)).json()) as object;
  expect(config).toMatchObject({
    issuer: `${issuer.origin}/`,
    clientId: 'quantloom-web',
    audience: AUDIENCE,
  });
  for (const path of ['/authorize', '/oauth/token', '/v2/logout', '/.well-known/jwks.json', '/u/page.css'])
    expect((await fetch(server.url + path, { redirect: 'manual' })).status, path).toBe(404);
  const policy = (await fetch(`${server.url}/config.json`)).headers.get('content-security-policy');
  expect(policy).toContain(`connect-src 'self' ${issuer.origin}`);

  const browser = new TestBrowser(issuer.origin);
  const tokens = await signInByForm(browser, 'ann@example.com', 'correct horse battery', 'signup');
  const { subject } = await issuer.embedded.identity.verify(tokens.access_token);
  const api = new Api(server.url, tokens.access_token);
  const created = await api.post('/api/v1/users', { email: 'ann@example.com', auth0_id: subject });
  expect(created).toMatchObject({ status: 201, body: { plan_id: 'free', features: [] } });
  expect((await issuer.embedded.identity.account(subject))?.userId).toBe(created.body.id);
  expect((await api.patch('/api/v1/users/me', { email: 'ann.new@example.com' })).status).toBe(200);
  expect((await issuer.embedded.identity.account(subject))?.email).toBe('ann.new@example.com');
});
