import type { EventStore } from '@quantloom/domain/ports/event-store';
import getPort from 'get-port';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openEventStoreDb } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import {
  eventStoreDbProbe,
  isEventStoreDbOutage,
  takesAppendsOf,
} from '../../../src/event-store/eventstoredb/outage.ts';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';
import { Breaker } from '../../../src/outages/breaker.ts';
import { guarded } from '../../../src/outages/guard.ts';
import { ELECTING, StandInServer, WRONG_PASSWORD } from './stand-in-server.ts';

/** Outages and what keeps the log from being used, with one client: both cannot be in one process. */
export function outageSuite(client: EventStoreClientName): void {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function standIn() {
    const server = new StandInServer({ client });
    const url = await server.start();
    closing.push(() => server.stop());
    return { server, url };
  }

  async function behindBreaker() {
    const { server, url } = await standIn();
    const probe = eventStoreDbProbe({ url, client });
    const breaker = new Breaker({ dependency: 'eventStore', probe, isOutage: isEventStoreDbOutage });
    const store = guarded(await openEventStoreDb({ url, client, mayRetry: () => !breaker.outage }), breaker, {
      streams: ['readStream', 'readAll'],
      free: ['subscribe', 'close'],
    });
    closing.push(async () => {
      server.thaw();
      await store.close();
      await breaker.close();
    });
    return { server, breaker, store };
  }

  const event = (id: string) => ({
    id,
    type: 'Happened',
    data: { id },
    metadata: {
      schemaVersion: 1,
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { kind: 'system', name: 'test' } as const,
      recordedAt: '2026-01-01T00:00:00.000Z',
    },
  });
  const append = (store: EventStore, n: number) =>
    store.append('outage-1', [event(crypto.randomUUID())], n === 0 ? 'noStream' : n - 1);
  const check = (url: string) => {
    const probe = eventStoreDbProbe({ url, client });
    closing.push(() => probe.close());
    return probe.check(new AbortController().signal);
  };

  describe('a log that is away', () => {
    it.each([
      ['frozen', (server: StandInServer) => server.freeze()],
      [
        'electing a leader',
        (server: StandInServer) => {
          server.refusesAll = ELECTING;
        },
      ],
    ])(
      'is refused at once while it is %s, and goes on afterwards',
      async (_, goAway) => {
        const { server, breaker, store } = await behindBreaker();
        await append(store, 0);
        goAway(server);
        await expect(append(store, 1)).rejects.toMatchObject({ code: 'dependency_away' });
        await expect(store.head()).rejects.toMatchObject({ code: 'dependency_away' });
        const read = async () => {
          for await (const _event of store.readStream('outage-1'));
        };
        await expect(read()).rejects.toMatchObject({ code: 'dependency_away' });
        server.refusesAll = null;
        server.thaw();
        await breaker.untilBack(new AbortController().signal);
        expect(await store.head()).toBeGreaterThan(0n);
      },
      60_000,
    );

    it('is not away because it is slow', async () => {
      const { server, breaker, store } = await behindBreaker();
      server.delayMs = 30;
      await append(store, 0);
      await append(store, 1);
      expect(breaker.outage).toBeNull();
    }, 60_000);
  });

  describe('what keeps the log from being used', () => {
    it('is a wrong password, in a sentence that names the setting', async () => {
      const { server, url } = await standIn();
      server.refusesAll = WRONG_PASSWORD;
      await expect(check(url)).rejects.toThrow(/no such user and password.*; look at EVENTSTORE_URL/);
      server.refusesAll = null;
      await expect(check(url)).resolves.toBeUndefined();
    }, 60_000);

    it('is a user who may not read $all', async () => {
      const { server, url } = await standIn();
      server.mayReadAll = false;
      await expect(check(url)).rejects.toThrow('not read $all');
    }, 60_000);

    it('is a server that is not there', async () => {
      await expect(check('esdb://127.0.0.1:1?tls=false')).rejects.toThrow('EventStoreDB is not reached');
    }, 60_000);

    it('is over when the server comes, also for those who asked before it was there', async () => {
      const port = await getPort();
      const address = { url: `esdb://127.0.0.1:${port}?tls=false`, client };
      const probe = eventStoreDbProbe(address);
      const store = await openEventStoreDb({ ...address, retries: 0 });
      closing.push(() => probe.close());
      closing.push(() => store.close());
      const { signal } = new AbortController();
      for (const _ of [1, 2])
        await expect(probe.check(signal)).rejects.toThrow('EventStoreDB is not reached');
      await expect(store.head()).rejects.toThrow();
      const server = new StandInServer({ client });
      closing.push(() => server.stop());
      await server.start(port);
      // Clients wait longer and longer between tries; how long is theirs.
      const patience = { timeout: 30_000, interval: 200 };
      await vi.waitFor(() => probe.check(signal), patience);
      expect(await vi.waitFor(() => store.head(), patience)).toBe(-1n);
      expect(await append(store, 0)).toMatchObject({ revision: 0 });
    }, 90_000);

    it('is a limit on appends, found out without writing', async () => {
      const { server, url } = await standIn();
      server.maxAppendSize = 1_048_576;
      expect(await takesAppendsOf({ url, client }, 2_000_000)).toBe(false);
      expect(await takesAppendsOf({ url, client }, 900_000)).toBe(true);
      const store = await openEventStoreDb({ url, client });
      closing.push(() => store.close());
      expect(await store.head()).toBe(-1n);
    }, 60_000);
  });
}
