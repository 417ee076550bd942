import type { MachineCredentials } from '@quantloom/domain/ports/identity';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { usageKey } from '@quantloom/http/rate-limit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import type { Caller } from '../../testing/test-api.ts';
import { mountNamedApiClients } from './api-clients.ts';
import { mountApiClients } from './oauth-clients.ts';

describe('the one machine client of a user', () => {
  let server: MemoryServer;
  /** Those that the provider has, by their ids. */
  let there: Map<string, MachineCredentials>;
  let deleted: string[];
  /** How many are asked for before the provider answers the first. */
  let together: number;
  let now: string;
  const rateLimits = countedLimits();

  beforeEach(async () => {
    [there, deleted, together, now] = [new Map(), [], 1, '2026-03-04T10:00:00.000Z'];
    rateLimits.hits.clear();
    let made = 0;
    const enough = Promise.withResolvers<void>();
    const identity = {
      lastProof: async () => null,
      createMachineClient: async () => {
        made += 1;
        const credentials = { clientId: `client-${made}`, clientSecret: `secret-${made}` };
        there.set(credentials.clientId, credentials as MachineCredentials);
        if (made >= together) enough.resolve();
        await enough.promise;
        return credentials;
      },
      machineClient: async (clientId: string) => there.get(clientId) ?? null,
      deleteMachineClient: async (clientId: string) => {
        deleted.push(clientId);
        there.delete(clientId);
      },
    };
    const clock = { now: () => new Date(now) };
    const mount = (...given: Parameters<typeof mountApiClients>) => {
      mountApiClients(...given);
      mountNamedApiClients(...given);
    };
    server = await openMemoryServer(mount, { identity: identity as never, rateLimits, clock });
  });
  afterEach(() => server.app.close());

  const create = (caller: Caller = 'paid') => server.call(caller, 'POST', '/oauth/clients', {});
  const remove = (revision?: number) =>
    server.call('paid', 'DELETE', '/oauth/clients', undefined, {
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    });
  const events = () => server.eventStore.events.map(({ type }) => type);

  it('is made once, and shown with its secret however often it is asked for', async () => {
    const [first, again] = [await create(), await create()];
    expect(first.body).toMatchObject({ id: 'client-1', secret: 'secret-1' });
    expect(first.body.created_at).not.toBeNull();
    expect(again.body).toEqual(first.body);
    rateLimits.hits.set(usageKey('client-1', new Date(now)), 7);
    expect((await create()).body.requests_this_month).toBe(7);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(first.headers['cache-control']).toBe('no-store');
    expect([events(), there.size]).toEqual([['ApiClientCreated'], 1]);
  });

  it('tells when it was made, also where another one came later', async () => {
    await create();
    now = '2026-03-05T10:00:00.000Z';
    await server.call('paid', 'POST', '/api-clients', { name: 'CI', scopes: ['read'] });
    expect((await create()).body).toMatchObject({ id: 'client-1', created_at: '2026-03-04T10:00:00.000Z' });
  });

  it('is one of two that were asked for at once: the other goes from the provider', async () => {
    together = 2;
    const answers = await Promise.all([create(), create()]);
    expect(deleted).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(events()).toEqual(['ApiClientCreated']);
    expect([...there.keys()]).toEqual([answers[0]?.body.id]);
  });

  it('is deleted only by whoever has seen it as it is', async () => {
    await create();
    for (const stale of [1, 5])
      expect(await remove(stale)).toMatchObject({ status: 409, body: { code: 'wrong_revision' } });
    expect([deleted, events()]).toEqual([[], ['ApiClientCreated']]);
    expect(await remove(0)).toMatchObject({ status: 200, body: { deleted: true } });
    expect([deleted, events()]).toEqual([['client-1'], ['ApiClientCreated', 'ApiClientDeleted']]);
    expect(await remove()).toMatchObject({ status: 404 });
  });

  it('is made anew where the provider has lost the one that the log has', async () => {
    await create();
    there.clear();
    const answers = await Promise.all([create(), create()]);
    const [made] = there.keys();
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual([
      [201, made],
      [201, made],
    ]);
    expect([events(), there.size]).toEqual([['ApiClientCreated', 'ApiClientDeleted', 'ApiClientCreated'], 1]);
    expect((await create()).body.id).toBe(made);
  });
});
