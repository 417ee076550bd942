import { changesKey, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { IdentityError } from '@quantloom/domain/ports/identity';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { PRINCIPALS } from '../../testing/test-api.ts';
import { mountNamedApiClients } from './api-clients.ts';

describe('machine clients at the identity provider', () => {
  let server: MemoryServer;
  let now: string;
  /** Those that the provider has. */
  let there: Set<string>;
  let isAway: boolean;
  /** Of every call, where it is to be the same one. */
  let commandId: string | null;
  const rateLimits = countedLimits();

  beforeEach(async () => {
    [now, there, isAway, commandId] = ['2026-03-04T10:00:00.000Z', new Set(), false, null];
    rateLimits.hits.clear();
    let made = 0;
    const whileThere = async <T>(work: () => T): Promise<T> => {
      if (isAway) throw new IdentityError('unavailable', 'away');
      return work();
    };
    const identity = {
      lastProof: async () => null,
      createMachineClient: () =>
        whileThere(() => {
          const clientId = `client-${++made}`;
          there.add(clientId);
          return { clientId, clientSecret: `secret of ${clientId}` };
        }),
      machineClient: (clientId: string) =>
        whileThere(() => (there.has(clientId) ? { clientId, clientSecret: `secret of ${clientId}` } : null)),
      deleteMachineClient: (clientId: string) => whileThere(() => void there.delete(clientId)),
    };
    server = await openMemoryServer(mountNamedApiClients, {
      identity: identity as never,
      rateLimits,
      newId: () => commandId ?? ulid(),
      clock: { now: () => new Date(now) },
    });
  });
  afterEach(() => server.app.close());

  const add = (more: object = {}) =>
    server.call('paid', 'POST', '/api-clients', { name: 'CI', scopes: ['read'], ...more });
  const events = () => server.eventStore.events.map(({ type }) => type);

  it('last to the end of their last day (UTC), which may be today, and not yesterday', async () => {
    now = '2026-03-04T23:59:59.999Z';
    expect((await add({ ends_on: '2026-03-04' })).status).toBe(201);
    expect(server.eventStore.events.at(-1)?.data).toMatchObject({ endsAt: '2026-03-05T00:00:00.000Z' });
    now = '2026-03-05T00:00:00.000Z';
    expect(await add({ ends_on: '2026-03-04' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_end' },
    });
    // Days that no calendar has are none of the next month either.
    for (const day of ['2026-02-29', '2026-04-31'])
      expect((await add({ ends_on: day })).body.code).toBe('invalid_end');
  });

  it('are not left there where nobody has one: it was refused, for room or for number', async () => {
    const { userId, planId } = PRINCIPALS.paid;
    rateLimits.hits.set(changesKey(userId), USE_LIMITS[planId].changesPerDay);
    expect((await add()).status).toBe(429);
    rateLimits.hits.clear();
    for (let i = 0; i < 10; i += 1) expect((await add()).status).toBe(201);
    expect((await add()).status).toBe(409);
    expect(events()).toEqual(Array(10).fill('ApiClientCreated'));
    expect(there.size).toBe(10);
  });

  it('are not left there, nor is a secret told, for a repetition that the log has already', async () => {
    commandId = '01JGX2X76HGVEDYCSPN3NGRGDN';
    expect((await add()).status).toBe(201);
    const { status, body } = await add();
    expect([status, body.id], JSON.stringify(body)).not.toEqual([201, 'client-2']);
    expect([[...there], events()]).toEqual([['client-1'], ['ApiClientCreated']]);
  });

  it('are deleted only by whoever has seen them as they are', async () => {
    const { body } = await add();
    const remove = (ifMatch: string) =>
      server.call('paid', 'DELETE', `/api-clients/${body.id}`, undefined, { 'if-match': ifMatch });
    expect(await remove('"7"')).toMatchObject({
      status: 409,
      body: { code: 'wrong_revision', currentRevision: 0 },
    });
    expect(there).toEqual(new Set([body.id]));
    expect((await remove('"0"')).status).toBe(200);
    expect([there.size, events()]).toEqual([0, ['ApiClientCreated', 'ApiClientDeleted']]);
  });

  it('are nobody else’s to delete, here or at the provider', async () => {
    const { body } = await add();
    const answer = await server.call('other', 'DELETE', `/api-clients/${body.id}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'api_client_missing' } });
    expect([[...there], events()]).toEqual([[body.id], ['ApiClientCreated']]);
  });

  it('are replaced by one, whose secret is told again to whoever missed the answer', async () => {
    const { body: old } = await add();
    const replace = () => server.call('paid', 'POST', `/api-clients/${old.id}/replace`);
    const fresh = await replace();
    expect(fresh).toMatchObject({ status: 201, body: { id: 'client-2', secret: 'secret of client-2' } });
    // The old one works for a day more, for programs that have not been told of the new one.
    expect(server.eventStore.events.at(-1)).toMatchObject({
      type: 'ApiClientReplaced',
      data: { endsAt: '2026-03-05T10:00:00.000Z' },
    });
    expect(await replace()).toMatchObject({ status: 201, body: fresh.body });
    expect(there).toEqual(new Set(['client-1', 'client-2']));
    expect((await server.call('other', 'POST', `/api-clients/${old.id}/replace`)).status).toBe(404);
    expect(there).toEqual(new Set(['client-1', 'client-2']));
  });

  it('stay in the log as they are while the provider is away', async () => {
    const { body } = await add();
    isAway = true;
    expect(await server.call('paid', 'DELETE', `/api-clients/${body.id}`)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { code: 'unavailable' },
    });
    expect(events()).toEqual(['ApiClientCreated']);
  });
});
