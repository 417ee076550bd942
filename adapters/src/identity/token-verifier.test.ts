import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import {
  type CryptoKey,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRemoteKeys } from './oidc/remote-keys.ts';
import { createTokenVerifier } from './token-verifier.ts';

const ISSUER = 'https://issuer.example/';
const AUDIENCE = 'https://api.example';
const NOW = new Date('2026-03-01T12:00:00Z');
const now = NOW.getTime() / 1000;

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}
async function makeKey(kid: string, alg = 'RS256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } };
}

const PAYLOAD: JWTPayload = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'auth0|1',
  iat: now - 10,
  exp: now + 600,
  scope: 'openid email',
  [USER_ID_CLAIM]: 'user-1',
};
const sign = (key: Key, payload: JWTPayload, alg = 'RS256') =>
  new SignJWT(payload).setProtectedHeader({ alg, kid: key.kid }).sign(key.privateKey);
const without = (name: string): JWTPayload => {
  const { [name]: _, ...rest } = PAYLOAD;
  return rest;
};
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

let key: Key;
let stranger: Key;
let elliptic: Key;
let verify: ReturnType<typeof createTokenVerifier>;

beforeAll(async () => {
  [key, stranger, elliptic] = await Promise.all([
    makeKey('key-1'),
    makeKey('key-1'),
    makeKey('key-2', 'ES256'),
  ]);
  verify = createTokenVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    keys: createLocalJWKSet({ keys: [key.jwk, elliptic.jwk] }),
    now: () => NOW,
  });
});

describe('a valid token', () => {
  it('says who it is and what it was issued for', async () => {
    expect(await verify(await sign(key, PAYLOAD))).toEqual({
      subject: 'auth0|1',
      userId: 'user-1',
      clientId: null,
      sessionId: null,
      scopes: ['openid', 'email'],
      expiresAt: now + 600,
    });
    const machine = { ...without(USER_ID_CLAIM), sub: 'abc@clients', scope: 'api:backtester' };
    expect(await verify(await sign(key, machine))).toMatchObject({
      clientId: 'abc',
      userId: null,
      scopes: ['api:backtester'],
    });
  });

  it('may be for several audiences, and a minute off', async () => {
    await verify(await sign(key, { ...PAYLOAD, aud: ['https://other.example', AUDIENCE] }));
    await verify(await sign(key, { ...PAYLOAD, exp: now - 59 }));
    await verify(await sign(key, { ...PAYLOAD, nbf: now + 59 }));
  });
});

describe('a token is refused', () => {
  const refusals: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['of another issuer', () => sign(key, { ...PAYLOAD, iss: 'https://evil.example/' })],
    ['of the issuer without its slash', () => sign(key, { ...PAYLOAD, iss: 'https://issuer.example' })],
    ['of no issuer', () => sign(key, without('iss'))],
    ['for another audience', () => sign(key, { ...PAYLOAD, aud: 'https://other.example' })],
    ['for the page (an identity token)', () => sign(key, { ...PAYLOAD, aud: 'quantloom-web' })],
    ['for no audience', () => sign(key, without('aud'))],
    ['without subject', () => sign(key, without('sub'))],
    ['without expiry', () => sign(key, without('exp'))],
    ['without time of issue', () => sign(key, without('iat'))],
    ['that has expired', () => sign(key, { ...PAYLOAD, exp: now - 61 })],
    ['that is not valid yet', () => sign(key, { ...PAYLOAD, nbf: now + 61 })],
    ['of an unknown key', async () => sign(await makeKey('key-9'), PAYLOAD)],
    ['of a stranger who names our key', () => sign(stranger, PAYLOAD)],
    ['of another algorithm of our own', () => sign(elliptic, PAYLOAD, 'ES256')],
    ['without signature (none)', () => `${encode({ alg: 'none', kid: 'key-1' })}.${encode(PAYLOAD)}.`],
    [
      'with the public key as a shared secret (HS256)',
      async () => {
        const head = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode(PAYLOAD)}`;
        const secret = await exportSPKI(key.publicKey);
        return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
      },
    ],
    [
      'with a changed payload',
      async () => {
        const [head, , signature] = (await sign(key, PAYLOAD)).split('.');
        return `${head}.${encode({ ...PAYLOAD, sub: 'auth0|2' })}.${signature}`;
      },
    ],
    ['with a changed signature', async () => `${(await sign(key, PAYLOAD)).slice(0, -8)}AAAAAAAA`],
    ['of two parts', async () => (await sign(key, PAYLOAD)).split('.').slice(0, 2).join('.')],
    ['that is no token', () => 'hello'],
    ['that is empty', () => ''],
  ];
  it.each(refusals)('%s', async (_, make) => {
    const failure = await verify(await make()).then(
      () => null,
      (error: unknown) => error,
    );
    expect(isIdentityError(failure, 'invalid_token')).toBe(true);
  });
});

describe('keys of an external issuer', () => {
  let server: Server;
  let fetches = 0;
  let published: JWK[] = [];
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => {
      fetches += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}/jwks.json`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const verifier = (cooldownMs: number, maxAgeMs?: number) =>
    createTokenVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: createRemoteKeys({ jwksUrl: url, cooldownMs, ...(maxAgeMs !== undefined && { maxAgeMs }) }),
      now: () => NOW,
    });

  it('are fetched once, and again when a token names a new one', async () => {
    published = [key.jwk];
    fetches = 0;
    const check = verifier(0);
    const token = await sign(key, PAYLOAD);
    for (let round = 0; round < 5; round += 1) await check(token);
    expect(fetches).toBe(1);
    const next = await makeKey('key-next');
    published = [key.jwk, next.jwk];
    await check(await sign(next, PAYLOAD));
    expect(fetches).toBe(2);
  });

  it('are not fetched for every token that a stranger makes up', async () => {
    published = [key.jwk];
    fetches = 0;
    const check = verifier(60_000);
    await check(await sign(key, PAYLOAD));
    const forged = await sign({ ...stranger, kid: 'made-up' }, PAYLOAD);
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => check(forged)));
    expect(attempts.every(({ status }) => status === 'rejected')).toBe(true);
    expect(fetches).toBe(1);
  });

  it('lose one that is withdrawn, when they are old', async () => {
    published = [key.jwk];
    const check = verifier(0, 1);
    const token = await sign(key, PAYLOAD);
    await check(token);
    published = [];
    await expect
      .poll(() =>
        check(token).then(
          () => 'taken',
          (error: unknown) => (error as { code: string }).code,
        ),
      )
      .toBe('invalid_token');
  });

  it('that cannot be had are a failure of the service, not of the token', async () => {
    const check = createTokenVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: createRemoteKeys({ jwksUrl: 'http://127.0.0.1:9/jwks.json' }),
      now: () => NOW,
    });
    const failure = await check(await sign(key, PAYLOAD)).catch((error: unknown) => error);
    expect(isIdentityError(failure, 'unavailable')).toBe(true);
  });
});

describe('a token that was right before', () => {
  it('has its signature computed once, and its key looked up each time', async () => {
    let published = [key.jwk];
    let lookUps = 0;
    let local = createLocalJWKSet({ keys: published });
    const check = createTokenVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: (...asked) => {
        lookUps += 1;
        return local(...asked);
      },
      now: () => NOW,
    });
    const token = await sign(key, PAYLOAD);
    const computed = vi.spyOn(crypto.subtle, 'verify');
    for (let round = 0; round < 5; round += 1) expect((await check(token)).subject).toBe('auth0|1');
    expect(computed).toHaveBeenCalledTimes(1);
    expect(lookUps).toBe(5);
    // Another key of the same name.
    published = [stranger.jwk];
    local = createLocalJWKSet({ keys: published });
    await expect(check(token)).rejects.toMatchObject({ code: 'invalid_token' });
    local = createLocalJWKSet({ keys: [] });
    await expect(check(token)).rejects.toMatchObject({ code: 'invalid_token' });
    computed.mockRestore();
  });

  it('expires all the same', async () => {
    let at = NOW;
    const check = createTokenVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: createLocalJWKSet({ keys: [key.jwk] }),
      now: () => at,
    });
    const token = await sign(key, PAYLOAD);
    await check(token);
    at = new Date(NOW.getTime() + (600 + 59) * 1000);
    await check(token);
    at = new Date(NOW.getTime() + (600 + 60) * 1000);
    await expect(check(token)).rejects.toMatchObject({
      code: 'invalid_token',
      message: 'The access token has expired',
    });
  });

  it('lends nothing to one that differs in a letter', async () => {
    const token = await sign(key, PAYLOAD);
    await verify(token);
    const [head, , signature] = token.split('.');
    const other = `${head}.${encode({ ...PAYLOAD, sub: 'auth0|2' })}.${signature}`;
    await expect(verify(other)).rejects.toMatchObject({ code: 'invalid_token' });
  });
});
