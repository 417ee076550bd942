import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { type Identity, IdentityError, type IdentityErrorCode } from '@quantloom/domain/ports/identity';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { PRINCIPALS } from '../../testing/test-api.ts';
import type { CommandApiDeps } from '../deps.ts';
import { mountUsers } from './users.ts';

const { subject } = PRINCIPALS.free;

describe('a person and the identity provider', () => {
  let server: MemoryServer;
  let identity: Pick<Identity, 'account' | 'linkUser' | 'changeEmail'>;
  /** What the provider was asked to change. */
  let changes: string[];

  beforeEach(async () => {
    changes = [];
    identity = {
      account: async () => null,
      linkUser: async (_, userId) => void changes.push(`link ${userId}`),
      changeEmail: async (_, email) => void changes.push(`address ${email}`),
    };
    const asked: Identity = new Proxy({} as Identity, {
      get: (_, name) => (name === 'lastProof' ? async () => null : Reflect.get(identity, name)),
    });
    server = await openMemoryServer(mountUsers, { identity: asked });
  });
  afterEach(() => server.app.close());

  const create = (headers = {}) =>
    server.call('free', 'POST', '/users', { email: 'ann@example.com', auth0_id: subject }, headers);
  const events = () => server.eventStore.events.map(({ type }) => type);

  it('is one user, whose revision and place are told however often it is asked for', async () => {
    const first = await create();
    const told = ({ status, body, headers }: typeof first) => {
      const { etag, location, 'x-quantloom-position': position } = headers;
      return { status, body, etag, location, position };
    };
    expect(told(first)).toMatchObject({ status: 201, etag: '"0"', location: '/api/v1/users/me' });
    expect(told(await create())).toEqual(told(first));
    expect(events()).toEqual(['UserRegistered']);
    // It is he himself who has registered, under the id that he has from then on.
    expect(server.eventStore.events[0]?.metadata.actor).toEqual({ kind: 'user', userId: first.body.id });
  });

  it('is a user all the same where the provider neither tells an address nor links', async () => {
    const away = () => Promise.reject(new IdentityError('unavailable', 'away'));
    identity = { ...identity, account: away, linkUser: away };
    expect(await create()).toMatchObject({ status: 201, body: { email: 'ann@example.com' } });
    expect(events()).toEqual(['UserRegistered']);
  });

  /** The caller as a user, as the log has him. */
  const register = async () => {
    const { userId } = PRINCIPALS.free;
    const registered = await handleCommand(
      server.eventStore,
      USER_STREAM,
      userId,
      {
        ...{ type: 'RegisterUser', userId, subject, planId: 'free', grantedFeatures: [] },
        email: 'ann@example.com',
      },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId },
      },
    );
    if (isRefusal(registered)) throw new Error(registered.detail);
  };

  it('is asked for another address only by whoever has seen the one before', async () => {
    await register();
    const change = (revision: number) =>
      server.call(
        'free',
        'PATCH',
        '/users/me',
        { email: `new${revision}@example.com` },
        { 'if-match': `"${revision}"` },
      );
    for (const revision of [1, 7])
      expect(await change(revision)).toMatchObject({ status: 409, body: { code: 'wrong_revision' } });
    expect([changes, events()]).toEqual([[], ['UserRegistered']]);
    expect(await change(0)).toMatchObject({ status: 200, body: { email: 'new0@example.com' } });
    expect(changes).toEqual(['address new0@example.com']);
    // The provider has changed by now: whoever comes late is told before it changes once more.
    expect(await change(0)).toMatchObject({ status: 409, body: { code: 'wrong_revision' } });
    expect(changes).toHaveLength(1);
  });

  it('is not asked for what is no address: it might take it', async () => {
    await register();
    const answer = await server.call('free', 'PATCH', '/users/me', { email: 'nonsense' });
    expect([answer.status, changes]).toEqual([422, []]);
  });

  it.each<[IdentityErrorCode, number, string]>([
    ['email_taken', 409, 'email_taken'],
    ['invalid_email', 422, 'invalid_email'],
    ['unknown_subject', 404, 'user_not_found'],
    ['unavailable', 503, 'unavailable'],
  ])('keeps the address where the provider refuses another one: %s', async (code, status, told) => {
    await register();
    identity = { ...identity, changeEmail: () => Promise.reject(new IdentityError(code, 'It said so')) };
    const answer = await server.call('free', 'PATCH', '/users/me', { email: 'new@example.com' });
    expect(answer).toMatchObject({ status, body: { code: told } });
    expect(events()).toEqual(['UserRegistered']);
  });
});

describe('the first account of an installation', () => {
  it('gets everything, by an event of its own beside that of its user', async () => {
    const server = await openMemoryServer(mountUsers, {
      identity: { account: async () => null, linkUser: async () => undefined } as unknown as Identity,
      firstAccountIsAdministrator: true,
    } as Partial<CommandApiDeps>);
    const create = (caller: 'free' | 'other') =>
      server.call(caller, 'POST', '/users', {
        email: `${caller}@example.com`,
        auth0_id: PRINCIPALS[caller].subject,
      });
    expect(await create('free')).toMatchObject({ status: 201, body: { plan_id: 'api' } });
    const { events } = server.eventStore;
    expect(events.map(({ type }) => type).sort()).toEqual(['FirstAccountClaimed', 'UserRegistered']);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(events.map(({ metadata }) => metadata.commandId)).not.toEqual([
      ...Array(2).fill(events[0]?.metadata.commandId),
    ]);
    // The claim says which command it came of.
    const [claim, user] = ['FirstAccountClaimed', 'UserRegistered'].map(
      (type) => events.find((event) => event.type === type)?.metadata,
    );
    expect(claim?.causationId).toBe(user?.commandId);
    expect(await create('other')).toMatchObject({ status: 201, body: { plan_id: 'free' } });
    await server.app.close();
  });
});

describe('the last administrator', () => {
  const users = {
    me: { id: PRINCIPALS.admin.userId, eraseAt: null, features: ['web.admin.view'] },
    other: { id: 'other', eraseAt: null, features: ['web.admin.view'] },
    leaving: { id: 'leaving', eraseAt: '2026-03-09T10:00:00.000Z', features: ['web.admin.view'] },
    plain: { id: 'plain', eraseAt: null, features: [] },
  };
  /** What comes of an administrator's wish to leave where these users are there. */
  const leave = async (...there: readonly (keyof typeof users)[]) => {
    const all = there.map((name) => users[name]);
    const find = async (_: string, { where, limit }: { readonly where?: unknown; readonly limit?: number }) =>
      (where ? all.filter(({ features }) => features.length > 0) : all).slice(0, limit);
    const server = await openMemoryServer(mountUsers, { readModels: { find } });
    const answer = await server.call('admin', 'POST', '/users/me/deletion');
    await server.app.close();
    return answer.body.code;
  };

  it('stays as long as there are others: those who leave themselves are none to look after them', async () => {
    expect(await leave('me', 'plain')).toBe('last_administrator');
    expect(await leave('plain', 'me')).toBe('last_administrator');
    expect(await leave('me', 'leaving', 'plain')).toBe('last_administrator');
  });

  it('is none where there is another, and none where there is nobody else', async () => {
    expect(await leave('me', 'other')).not.toBe('last_administrator');
    expect(await leave('me', 'leaving', 'other')).not.toBe('last_administrator');
    expect(await leave('me')).not.toBe('last_administrator');
  });
});
