import { usageKey } from '@quantloom/http/rate-limit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountNamedApiClientQueries } from './api-clients.ts';
import { mountApiClientQueries } from './oauth-clients.ts';

const client = (clientId: string, more: object = {}) => ({
  ...{ clientId, name: `Name of ${clientId}`, scopes: ['read'], successorId: null },
  ...{ createdAt: '2026-03-01T00:00:00.000Z', endsAt: null, ...more },
});

describe('the machine clients of a user', () => {
  let server: Awaited<ReturnType<typeof openReadServer>>;
  let clients: Readonly<Record<string, readonly object[]>>;
  /** Whose secrets the provider was asked for. */
  let asked: string[];
  let lost: string[];
  /** Uses that were counted, by their key. */
  let hitsOf: Readonly<Record<string, number>>;

  beforeEach(async () => {
    [asked, lost, hitsOf] = [[], [], {}];
    clients = { ann: [client('a1'), client('a2')], bob: [client('b1')] };
    server = await openReadServer(
      (app, deps) => {
        mountApiClientQueries(app, deps);
        mountNamedApiClientQueries(app, deps);
      },
      {
        readModels: { get: async (_: string, id: string) => ({ id, apiClients: clients[id] ?? [] }) },
        rateLimits: { hit: async (key: string) => ({ hits: hitsOf[key] ?? 0, endsInMs: 0 }) },
        identity: {
          lastProof: async () => null,
          machineClient: async (clientId: string) => {
            asked.push(clientId);
            return lost.includes(clientId) ? null : { clientId, clientSecret: `secret of ${clientId}` };
          },
        },
      },
    );
  });
  afterEach(() => server.close());

  it('are listed without their secrets', async () => {
    const { body, text } = await server.get('ann', '/api-clients');
    expect(body.clients.map(({ id }: { id: string }) => id)).toEqual(['a1', 'a2']);
    expect(body.clients[0]).toMatchObject({ replaced_by: null, ends_at: null, last_used_at: null });
    expect([asked, text.includes('secret of')]).toEqual([[], false]);
  });

  it('say each for itself how often it was used this month', async () => {
    const now = new Date('2026-03-04T10:00:00.000Z');
    hitsOf = { [usageKey('a1', now)]: 7, [usageKey('ann', now)]: 9 };
    const { body } = await server.get('ann', '/api-clients');
    const used = ({ id, requests_this_month: requests }: Record<string, unknown>) => [id, requests];
    expect(body.clients.map(used)).toEqual([
      ['a1', 7],
      ['a2', 0],
    ]);
  });

  it('have secrets for their owner alone, which nobody on the way keeps', async () => {
    const { body, headers } = await server.get('ann', '/api-clients/a2/secret');
    expect(body).toEqual({ id: 'a2', secret: 'secret of a2' });
    expect(headers['cache-control']).toBe('no-store');
    for (const id of ['b1', 'a', 'never'])
      expect((await server.get('ann', `/api-clients/${id}/secret`)).status).toBe(404);
    // Nobody even asks for those of others.
    expect(asked).toEqual(['a2']);
    lost = ['a1'];
    expect((await server.get('ann', '/api-clients/a1/secret')).status).toBe(404);
  });

  it('are the oldest that works for programs that know of one', async () => {
    const ended = client('a0', { endsAt: '2026-03-04T10:00:00.000Z' });
    const last = client('a1', { endsAt: '2026-03-04T10:00:00.001Z', createdAt: '2026-03-02T00:00:00.000Z' });
    clients = { ann: [ended, last, client('a2')] };
    const { body, headers } = await server.get('ann', '/oauth/clients');
    expect(body).toMatchObject({ id: 'a1', secret: 'secret of a1', created_at: '2026-03-02T00:00:00.000Z' });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('are none where there is none, and where the provider has lost it', async () => {
    const none = { id: null, secret: null, scopes: [], created_at: null, requests_this_month: 0 };
    expect((await server.get('carol', '/oauth/clients')).body).toMatchObject(none);
    lost = ['b1'];
    expect((await server.get('bob', '/oauth/clients')).body).toMatchObject(none);
  });
});
