import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { afterEach, expect, it } from 'vitest';
import {
  authorizationRequest,
  signInByForm,
  startTestIssuer,
  TestBrowser,
  type TestIssuer,
  tokenRequest,
} from '../../../testing/identity/test-browser.ts';

let issuer: TestIssuer;
afterEach(() => issuer.close());

it('asks whoever signs in or wants a token to come back while the store of its limits is away, and reports nothing', async () => {
  const errors: unknown[] = [];
  let isAway = false;
  issuer = await startTestIssuer({
    rateLimits: {
      hit: async () => {
        if (isAway) throw new DependencyAwayError('readModels', 'it has not answered for 700 ms');
        return { hits: 1, endsInMs: 1_000 };
      },
      reset: async () => {},
    },
    onError: (error) => errors.push(error),
  });
  issuer.embedded.bootstrapClient('machine', 'the-right-secret', 'user-1');
  const token = () =>
    tokenRequest(issuer.origin, {
      grant_type: 'client_credentials',
      client_id: 'machine',
      client_secret: 'the-right-secret',
      audience: 'https://api.quantloom.local',
    });
  const page = () => fetch(authorizationRequest(issuer.origin).url, { redirect: 'manual' });

  isAway = true;
  const refused = await token();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(await refused.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'The store of the read models does not answer just now. Please try again in a moment.',
  });
  const shown = await page();
  expect(shown.status).toBe(503);
  expect(shown.headers.get('retry-after')).toBe('2');
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await shown.text()).toContain('Signing in is not possible right now');
  // Keys and discovery need no limits.
  expect((await fetch(`${issuer.origin}/.well-known/openid-configuration`)).status).toBe(200);
  expect(errors).toEqual([]);

  isAway = false;
  expect((await token()).status).toBe(200);
  const browser = new TestBrowser(issuer.origin);
  expect(await signInByForm(browser, 'ann@example.com', 'a long password 1', 'signup')).toHaveProperty(
    'access_token',
  );
});
