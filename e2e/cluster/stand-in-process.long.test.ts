import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { StandInProcess } from './stand-in-process.ts';

const PATIENCE = { timeout: 30_000, interval: 200 };

describe('the stand-in of EventStoreDB as a process', () => {
  let standIn: StandInProcess;
  let server: ServerProcess;
  let store: EventStore;
  let written = 0;
  beforeAll(async () => {
    standIn = await StandInProcess.start();
    server = standIn.server;
    store = await openEventStoreDb({ url: standIn.url });
  });
  afterAll(async () => {
    await store.close();
    await standIn.stop();
  });

  const event = (id: number) => ({
    id: crypto.randomUUID(),
    type: 'Happened',
    data: { id },
    metadata: {
      schemaVersion: 1,
      commandId: 'command',
      correlationId: 'correlation',
      causationId: 'causation',
      actor: { kind: 'system', name: 'test' } as const,
      recordedAt: '2026-01-01T00:00:00.000Z',
    },
  });
  /** Two events in one append. */
  async function write(): Promise<void> {
    const events = [event(written), event(written + 1)];
    await store.append('stand-in-1', events, written === 0 ? 'noStream' : written - 1);
    written += 2;
  }
  async function held(): Promise<number[]> {
    const ids: number[] = [];
    for await (const one of store.readStream('stand-in-1')) ids.push((one.data as { id: number }).id);
    return ids;
  }
  const all = () => Array.from({ length: written }, (_, index) => index);

  it('has everything that it acknowledged after a kill, and goes on there', async () => {
    await write();
    await write();
    server.signal('SIGKILL');
    await server.startAgain();
    expect(await vi.waitFor(held, PATIENCE)).toEqual(all());
    await write();
    expect(await held()).toEqual(all());
  });

  it('ends where its file cannot be written to, and has lost nothing when there is room again', async () => {
    await server.fillDisk();
    await expect(write()).rejects.toThrow();
    await server.freeDisk();
    expect(await vi.waitFor(held, PATIENCE)).toEqual(all());
    await write();
    expect(await held()).toEqual(all());
  }, 120_000);

  it('is slow, refuses and answers again as it is told', async () => {
    await standIn.order({ delayMs: 300, refusal: null });
    const began = performance.now();
    await held();
    expect(performance.now() - began).toBeGreaterThanOrEqual(300);
    await standIn.order({ delayMs: 0, refusal: 'electing' });
    const refused = await openEventStoreDb({ url: standIn.url, retries: 0 });
    await expect(refused.head()).rejects.toThrow('Server Is Not Ready');
    await refused.close();
    await standIn.order({ delayMs: 0, refusal: null });
    expect(await vi.waitFor(held, PATIENCE)).toEqual(all());
  });
});
