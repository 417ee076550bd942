import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { type Identity, IdentityError, type IdentityErrorCode } from '@quantloom/domain/ports/identity';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { PRINCIPALS } from '../../testing/test-api.ts';
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
  });

  it('is a user all the same where the provider neither tells an address nor links', async () => {
    const away = () => Promise.reject(new IdentityError('unavailable', 'away'));
    identity = { ...identity, account: away, linkUser: away };
    expect(await create()).toMatchObject({ status: 201, body: { email: 'ann@example.com' } });
    expect(events()).toEqual(['UserRegistered']);
  });

  it.each<[IdentityErrorCode, number, string]>([
    ['email_taken', 409, 'email_taken'],
    ['invalid_email', 422, 'invalid_email'],
    ['unknown_subject', 404, 'user_not_found'],
    ['unavailable', 503, 'unavailable'],
  ])('keeps the address where the provider refuses another one: %s', async (code, status, told) => {
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
    identity = { ...identity, changeEmail: () => Promise.reject(new IdentityError(code, 'It said so')) };
    const answer = await server.call('free', 'PATCH', '/users/me', { email: 'new@example.com' });
    expect(answer).toMatchObject({ status, body: { code: told } });
    expect(events()).toEqual(['UserRegistered']);
  });
});
