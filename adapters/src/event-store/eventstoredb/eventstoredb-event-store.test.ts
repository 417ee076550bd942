import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventStoreContract } from '../contract.ts';
import { anEvent, freshStream } from '../contract-events.ts';
import { uuidOf } from './event-mapping.ts';
import { openEventStoreDb } from './eventstoredb-event-store.ts';
import { StandInServer } from './stand-in-server.ts';

for (const [name, isModern] of [
  ['appends in batches', true],
  ['single appends', false],
] as const) {
  eventStoreContract(`eventstoredb client, stand-in server, ${name}`, async () => {
    const server = new StandInServer(isModern);
    const url = await server.start();
    const opened: EventStore[] = [];
    const open = () => {
      const store = openEventStoreDb({ url });
      opened.push(store);
      return store;
    };
    return {
      store: open(),
      openAnother: async () => open(),
      async stop() {
        for (const store of opened) await store.close();
        server.stop();
      },
    };
  });
}

describe('eventstoredb adapter', () => {
  const server = new StandInServer(true);
  let store: EventStore;
  beforeAll(async () => {
    store = openEventStoreDb({ url: await server.start() });
  });
  afterAll(async () => {
    await store.close();
    server.stop();
  });

  it('subscribes again after the connection broke, and misses and doubles nothing', async () => {
    const stopping = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      const options = { signal: stopping.signal, filter: { streamPrefixes: ['broken-'] }, maxBatchSize: 3 };
      for await (const batch of store.subscribe(await store.head(), options)) {
        seen.push(...batch.events.map((event) => (event.data as { n: number }).n));
        if (seen.length >= 60) stopping.abort();
      }
    })();
    let broken = 0;
    for (let n = 0; n < 60; n += 5) {
      const events = Array.from({ length: 5 }, (_, i) => anEvent('Counted', { n: n + i }));
      await store.append(freshStream('other'), [anEvent('Unwanted')], 'noStream');
      await store.append(freshStream('broken'), events, 'noStream');
      broken += server.breakSubscriptions();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await following;
    expect(broken).toBeGreaterThan(0);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  it('appends again where the server is not ready, busy or without a leader', async () => {
    server.refuseAppends('Server Is Not Ready', 'Server Is Busy', 'No leader info available in response');
    const stream = freshStream('patient');
    expect(await store.append(stream, [anEvent('Counted')], 'noStream')).toMatchObject({ revision: 0 });
  });

  it('gives up at once on what another try does not cure', async () => {
    server.refuseAppends('Something Else', 'Something Else');
    await expect(store.append(freshStream('hopeless'), [anEvent('Counted')], 'noStream')).rejects.toThrow(
      /Something Else/,
    );
    server.refuseAppends();
  });

  it('names the setting where an append is too large', async () => {
    server.maxAppendSize = 1_048_576;
    const large = anEvent('Large', { text: 'x'.repeat(1_100_000) });
    await expect(store.append(freshStream('large'), [large], 'noStream')).rejects.toThrow(/MaxAppendSize/);
  });

  it('gives ids that are no UUIDs one that stays the same', () => {
    const id = '01JD0000000000000000000000';
    expect(uuidOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf(id)).toBe(uuidOf(id));
    expect(uuidOf(`${id}:1`)).not.toBe(uuidOf(id));
    const uuid = '0b0f1d3a-7f1c-4a53-9d0c-0a7f6f3a2b11';
    expect(uuidOf(uuid)).toBe(uuid);
  });
});
