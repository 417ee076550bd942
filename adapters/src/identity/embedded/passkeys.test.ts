import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestAuthenticator } from '../../../testing/identity/authenticator.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/database.ts';
import { createSecretBox } from '../secret-box.ts';
import { createPasskeys, MAX_PASSKEYS, type Passkeys, passkeyName } from './passkeys.ts';
import { openIdentityStore } from './store.ts';

/** How often the library was given a new passkey to judge. */
const judged = vi.hoisted(() => ({ count: 0 }));
vi.mock('@simplewebauthn/server', async (original) => {
  const real = await original<typeof import('@simplewebauthn/server')>();
  return {
    ...real,
    verifyRegistrationResponse: (...parameters: Parameters<typeof real.verifyRegistrationResponse>) => {
      judged.count += 1;
      return real.verifyRegistrationResponse(...parameters);
    },
  };
});

const ORIGIN = 'https://app.example.com';
const ANN = 'quantloom|ann';
const EVE = 'quantloom|eve';
const LOGIN = { subject: ANN, purpose: 'login', boundTo: 'sign-in-1' } as const;

let dataDir: string;
let database: SqliteDatabase;
let passkeys: Passkeys;
let time = 1_000_000;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'passkeys-'));
  database = openSqliteDatabase(path.join(dataDir, 'identity.sqlite'));
  const store = openIdentityStore(database, createSecretBox('c3'.repeat(32), 'identity'));
  passkeys = createPasskeys(store, `${ORIGIN}/`, () => time);
});
afterEach(() => {
  database.close();
  rmSync(dataDir, { recursive: true });
});

async function add(subject = ANN, key = new TestAuthenticator(ORIGIN), name = 'Phone') {
  const options = await passkeys.beginAdding(subject, 'ann@example.com', 'session-1');
  return { key, verdict: await passkeys.add(subject, 'session-1', name, key.create(options)) };
}

describe('a passkey', () => {
  it('is added with a name, and used', async () => {
    const { key, verdict } = await add();
    expect(verdict).toBe('ok');
    expect(passkeys.list(ANN)).toEqual([
      { id: key.id, name: 'Phone', createdAt: time, usedAt: null, isDiscoverable: null },
    ]);
    time += 1000;
    expect(await passkeys.check(LOGIN, key.get(await passkeys.beginProof(LOGIN)))).toBe('ok');
    expect(passkeys.list(ANN)[0]?.usedAt).toBe(time);
  });

  it('is asked for as preferred with its owner verified, and tells the device nothing about the account', async () => {
    await add();
    const options = JSON.parse(await passkeys.beginAdding(ANN, 'ann@example.com', 'session-1'));
    expect(options).toMatchObject({
      rp: { id: 'app.example.com' },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'preferred' },
      excludeCredentials: [{ id: passkeys.list(ANN)[0]?.id }],
    });
    expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain(ANN);
    expect(JSON.parse(await passkeys.beginProof(LOGIN))).toMatchObject({
      rpId: 'app.example.com',
      userVerification: 'preferred',
      allowCredentials: [{ id: passkeys.list(ANN)[0]?.id }],
    });
  });

  it.each([
    ['made at another origin', { origin: 'https://app.example.com.evil.example' }, 'refused'],
    ['of another host', { rpId: 'evil.example' }, 'refused'],
    ['with a challenge that nobody gave', { challenge: 'AAAA' }, 'late'],
  ])('is not added %s', async (_case, bent, verdict) => {
    const options = await passkeys.beginAdding(ANN, 'ann@example.com', 'session-1');
    const answer = new TestAuthenticator(ORIGIN).create(options, bent);
    expect(await passkeys.add(ANN, 'session-1', 'Phone', answer)).toBe(verdict);
    expect(passkeys.list(ANN)).toEqual([]);
  });

  it.each([
    ['packed', new Map<string, unknown>([['x5c', [new Uint8Array(4)]]])],
    ['fido-u2f', new Map<string, unknown>()],
    ['tpm', new Map<string, unknown>()],
  ])('with certificates (%s) is refused before anything in them is looked up', async (fmt, attStmt) => {
    judged.count = 0;
    const options = await passkeys.beginAdding(ANN, 'ann@example.com', 'session-1');
    const answer = new TestAuthenticator(ORIGIN).create(options, { attestation: { fmt, attStmt } });
    expect(await passkeys.add(ANN, 'session-1', 'Phone', answer)).toBe('refused');
    expect(judged.count).toBe(0);
    await add();
    expect(judged.count).toBe(1);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }, 'refused'],
    ['another host', { rpId: 'evil.example' }, 'refused'],
    ['a challenge that nobody gave', { challenge: 'AAAA' }, 'late'],
  ])('is not taken from %s', async (_case, bent, verdict) => {
    const { key } = await add();
    const answer = key.get(await passkeys.beginProof(LOGIN), bent);
    expect(await passkeys.check(LOGIN, answer)).toBe(verdict);
  });

  it('is not taken where the signature is another one', async () => {
    const { key } = await add();
    const answer = JSON.parse(key.get(await passkeys.beginProof(LOGIN)));
    answer.response.signature = JSON.parse(key.get(await passkeys.beginProof(LOGIN))).response.signature;
    expect(await passkeys.check(LOGIN, JSON.stringify(answer))).toBe('refused');
  });

  it('of another account is refused, under its own name and under that of mine', async () => {
    const { key } = await add();
    const { key: other } = await add(EVE);
    expect(await passkeys.check(LOGIN, other.get(await passkeys.beginProof(LOGIN)))).toBe('refused');
    const forged = JSON.parse(other.get(await passkeys.beginProof(LOGIN)));
    expect(await passkeys.check(LOGIN, JSON.stringify({ ...forged, id: key.id, rawId: key.id }))).toBe(
      'refused',
    );
    const mine = { ...LOGIN, subject: EVE };
    expect(await passkeys.check(LOGIN, other.get(await passkeys.beginProof(mine)))).toBe('late');
  });

  it('of another account can not be added', async () => {
    const { key } = await add();
    expect((await add(EVE, key)).verdict).toBe('known');
    expect(passkeys.list(EVE)).toEqual([]);
  });

  it('whose counter goes back, or stands still, was copied', async () => {
    const { key } = await add();
    const answer = async (counter: number) =>
      await passkeys.check(LOGIN, key.get(await passkeys.beginProof(LOGIN), { counter }));
    expect(await answer(7)).toBe('ok');
    expect(await answer(7)).toBe('refused');
    expect(await answer(6)).toBe('refused');
    expect(await answer(8)).toBe('ok');
  });

  it('that has no counter says nought each time', async () => {
    const { key } = await add();
    for (let time = 0; time < 2; time += 1)
      expect(await passkeys.check(LOGIN, key.get(await passkeys.beginProof(LOGIN), { counter: 0 }))).toBe(
        'ok',
      );
  });

  it('is one of ten at most', async () => {
    for (let count = 0; count < MAX_PASSKEYS; count += 1) expect((await add()).verdict).toBe('ok');
    expect((await add()).verdict).toBe('full');
    expect(passkeys.list(ANN)).toHaveLength(MAX_PASSKEYS);
    expect((await add(EVE)).verdict).toBe('ok');
  });

  it('is removed by its owner alone', async () => {
    const { key } = await add();
    expect(passkeys.remove(EVE, key.id)).toBeNull();
    expect(passkeys.remove(ANN, key.id)).toBe('Phone');
    expect(passkeys.remove(ANN, key.id)).toBeNull();
    expect(await passkeys.check(LOGIN, key.get(await passkeys.beginProof(LOGIN)))).toBe('refused');
  });
});

describe('a passkey alone', () => {
  const PAGE = 'sign-in-1';
  const signIn = (answer: string, page = PAGE) => passkeys.signIn(page, answer);

  it('names its account and signs in to it, where its owner was verified', async () => {
    const { key } = await add();
    await add(EVE);
    const options = await passkeys.beginSignIn(PAGE);
    expect(JSON.parse(options)).toMatchObject({ rpId: 'app.example.com', userVerification: 'required' });
    expect(JSON.parse(options).allowCredentials ?? []).toEqual([]);
    const answer = key.get(options);
    expect(passkeys.namedBy(answer)).toBe(ANN);
    time += 1000;
    expect(await signIn(answer)).toEqual({ subject: ANN });
    expect(passkeys.list(ANN)[0]?.usedAt).toBe(time);
  });

  it.each([
    ['its owner was not verified', { isUnverified: true }, 'refused'],
    ['it was made at another origin', { origin: 'https://evil.example' }, 'refused'],
    ['it was made for another host', { rpId: 'evil.example' }, 'refused'],
    ['it does not say whose it is', { userHandle: null }, 'refused'],
    ['it says to be of another account', { userHandle: 'AAAA' }, 'refused'],
    ['nobody gave the challenge', { challenge: 'AAAA' }, 'late'],
  ])('is refused where %s', async (_case, bent, verdict) => {
    const { key } = await add();
    expect(await signIn(key.get(await passkeys.beginSignIn(PAGE), bent))).toBe(verdict);
    expect(passkeys.list(ANN)[0]?.usedAt).toBeNull();
  });

  it('is refused with a signature of another key, a counter that stands still, or once it was removed', async () => {
    const { key } = await add();
    const { key: other } = await add(EVE);
    const forged = JSON.parse(other.get(await passkeys.beginSignIn(PAGE), { userHandle: key.userHandle }));
    expect(await signIn(JSON.stringify({ ...forged, id: key.id, rawId: key.id }))).toBe('refused');
    expect(await signIn(key.get(await passkeys.beginSignIn(PAGE), { counter: 7 }))).toEqual({ subject: ANN });
    expect(await signIn(key.get(await passkeys.beginSignIn(PAGE), { counter: 7 }))).toBe('refused');
    passkeys.remove(ANN, key.id);
    const answer = key.get(await passkeys.beginSignIn(PAGE), { counter: 8 });
    expect([passkeys.namedBy(answer), await signIn(answer)]).toEqual([null, 'refused']);
  });

  it('has a challenge that works once, in its own sign-in, for an hour, in one spelling', async () => {
    const { key } = await add();
    const answer = key.get(await passkeys.beginSignIn(PAGE));
    expect(await signIn(answer, 'sign-in-2')).toBe('late');
    expect(await signIn(answer)).toEqual({ subject: ANN });
    expect(await signIn(answer)).toBe('late');
    const early = key.get(await passkeys.beginSignIn(PAGE));
    time += 60 * 60_000 - 1;
    expect(await signIn(early)).toEqual({ subject: ANN });
    const late = key.get(await passkeys.beginSignIn(PAGE));
    time += 60 * 60_000;
    expect(await signIn(late)).toBe('late');
    const options = JSON.parse(await passkeys.beginSignIn(PAGE));
    const padded = { ...options, challenge: `${options.challenge}=` };
    expect(await signIn(key.get(JSON.stringify(padded)))).toBe('late');
  });

  it('takes no challenge that was made for what follows a password, nor the other way round', async () => {
    const { key } = await add();
    expect(await signIn(key.get(await passkeys.beginProof(LOGIN)), LOGIN.boundTo)).toBe('late');
    expect(await passkeys.check(LOGIN, key.get(await passkeys.beginSignIn(LOGIN.boundTo)))).toBe('late');
  });

  it('says nothing sensible where the answer is none', async () => {
    await add();
    for (const answer of [
      '',
      'null',
      '[]',
      '{}',
      '{"id":5}',
      '{"id":"x","response":{"clientDataJSON":"e30"}}',
    ])
      expect([passkeys.namedBy(answer), await signIn(answer)]).toEqual([
        null,
        expect.stringMatching(/^(late|refused)$/),
      ]);
  });

  it('can stand for a password, too, where its owner was verified', async () => {
    const { key } = await add();
    const proof = async (isUnverified: boolean) =>
      key.get(await passkeys.beginProof(LOGIN), { isUnverified });
    expect(await passkeys.check(LOGIN, await proof(true), true)).toBe('refused');
    expect(await passkeys.check(LOGIN, await proof(false), true)).toBe('ok');
    expect(await passkeys.check(LOGIN, await proof(true))).toBe('ok');
  });
});

describe('a challenge', () => {
  it('works once', async () => {
    const { key } = await add();
    const answer = key.get(await passkeys.beginProof(LOGIN));
    expect(await passkeys.check(LOGIN, answer)).toBe('ok');
    expect(await passkeys.check(LOGIN, answer)).toBe('late');
  });

  it('works once for a new passkey, too', async () => {
    const key = new TestAuthenticator(ORIGIN);
    const answer = key.create(await passkeys.beginAdding(ANN, 'ann@example.com', 'session-1'));
    expect(await passkeys.add(ANN, 'session-1', 'Phone', answer)).toBe('ok');
    expect(await passkeys.add(ANN, 'session-1', 'Phone', answer)).toBe('late');
  });

  it('ends after five minutes', async () => {
    const { key } = await add();
    const early = key.get(await passkeys.beginProof(LOGIN));
    time += 5 * 60_000 - 1;
    expect(await passkeys.check(LOGIN, early)).toBe('ok');
    const late = key.get(await passkeys.beginProof(LOGIN));
    time += 5 * 60_000;
    expect(await passkeys.check(LOGIN, late)).toBe('late');
  });

  it('is worth nothing for another purpose, or in another sign-in', async () => {
    const { key } = await add();
    const proof = async () => key.get(await passkeys.beginProof(LOGIN));
    expect(await passkeys.check({ ...LOGIN, purpose: 'confirm' }, await proof())).toBe('late');
    expect(await passkeys.check({ ...LOGIN, boundTo: 'sign-in-2' }, await proof())).toBe('late');
    const adding = await passkeys.beginAdding(ANN, 'ann@example.com', LOGIN.boundTo);
    const { rp, ...rest } = JSON.parse(adding);
    expect(await passkeys.check(LOGIN, key.get(JSON.stringify({ ...rest, rpId: rp.id })))).toBe('late');
  });

  it('of one person is not driven out by another who asks without end; the oldest of many of one is', async () => {
    const { key } = await add();
    const mine = key.get(await passkeys.beginProof(LOGIN));
    const { key: other } = await add(EVE);
    const scope = { ...LOGIN, subject: EVE };
    const first = other.get(await passkeys.beginProof(scope));
    for (let count = 0; count < 16; count += 1) await passkeys.beginProof(scope);
    expect(await passkeys.check(scope, first)).toBe('late');
    expect(await passkeys.check(LOGIN, mine)).toBe('ok');
  });
});

it.each([
  '',
  'null',
  '{}',
  '[]',
  '{"response":{"clientDataJSON":5}}',
  '{"response":{"clientDataJSON":"e30"}}',
])('an answer such as %j is refused', async (answer) => {
  await add();
  expect(await passkeys.check(LOGIN, answer)).not.toBe('ok');
  expect(await passkeys.add(ANN, 'session-1', 'Phone', answer)).not.toBe('ok');
});

it.each([
  ['http://127.0.0.1:8080/', false],
  ['http://[::1]:8080/', false],
  ['http://localhost:8080/', true],
  ['https://app.example.com/', true],
])('passkeys at %s: %s', (issuer, isAvailable) => {
  const store = { database, box: createSecretBox('c3'.repeat(32), 'identity') };
  expect(createPasskeys(store, issuer).isAvailable).toBe(isAvailable);
});

it.each([
  ['  My\n phone ', 'My phone'],
  ['', 'Firefox on Linux'],
  ['\u202e', 'Firefox on Linux'],
  ['a'.repeat(80), 'a'.repeat(60)],
])('the name %j becomes %j', (text, name) => {
  expect(passkeyName(text, 'Firefox on Linux')).toBe(name);
});
