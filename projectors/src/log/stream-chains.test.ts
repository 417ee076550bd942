import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import { StandInServer } from '@quantloom/adapters/testing/event-store/eventstoredb/stand-in-server';
import type { NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StreamChains } from './event-chain.ts';

const server = new StandInServer();
let one: EventStore;
let other: EventStore;
beforeAll(async () => {
  const url = await server.start();
  one = await openEventStoreDb({ url });
  other = await openEventStoreDb({ url });
});
afterAll(async () => {
  await one.close();
  await other.close();
  server.stop();
});

const anEvent = (amount: number): NewEvent => ({
  id: ulid(),
  type: 'Counted',
  data: { amount, left: undefined },
  metadata: {
    schemaVersion: 1,
    commandId: ulid(),
    correlationId: 'c',
    causationId: 'c',
    actor: { kind: 'system', name: 'test' },
    recordedAt: '2026-11-22T00:00:00.000Z',
  },
});

async function log(): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of one.readAll(BEFORE_FIRST)) events.push(event);
  return events;
}

function faultsOf(events: readonly RecordedEvent[]): string[] {
  const chains = new StreamChains();
  return events.flatMap((event) =>
    chains.faultsOf(event).map((fault) => `${event.stream} ${event.revision}: ${fault}`),
  );
}

const BROKEN =
  'does not continue the chain of its stream: this event or the one before it was changed or removed';

it('EventStoreDB: the events of a stream are linked, whichever process writes them, and damage is found', async () => {
  await one.append('a', [anEvent(1), anEvent(2)], 'noStream');
  await one.append('b', [anEvent(3)], 'noStream');
  // Another process, which has not seen the stream; then the first one, whose own memory is old.
  await other.append('a', [anEvent(4)], 1);
  await expect(one.append('a', [anEvent(5)], 1)).rejects.toMatchObject({ code: 'wrong_expected_revision' });
  await one.append('a', [anEvent(5), anEvent(6)], 2);

  const events = await log();
  expect(events.map(({ stream, revision }) => `${stream}${revision}`)).toEqual([
    'a0',
    'a1',
    'b0',
    'a2',
    'a3',
    'a4',
  ]);
  expect(events.every(({ streamLink }) => /^[0-9a-f]{64}$/.test(String(streamLink)))).toBe(true);
  expect(Object.keys(events[0]?.metadata ?? {})).not.toContain('_link');
  expect(faultsOf(events)).toEqual([]);

  const changed = events.map((event) => (event.revision === 3 ? { ...event, data: { amount: 50 } } : event));
  expect(faultsOf(changed)).toEqual([`a 3: ${BROKEN}`]);
  expect(faultsOf(events.filter(({ stream, revision }) => stream !== 'a' || revision !== 1))).toEqual([
    `a 2: ${BROKEN}`,
  ]);
  const unlinked = events.map(({ streamLink, ...event }) =>
    event.revision === 4 ? event : { ...event, ...(streamLink && { streamLink }) },
  );
  expect(faultsOf(unlinked)).toEqual(['a 4: has lost its link to the event before it']);
});

it('EventStoreDB: what stands before the first link is of an earlier version', async () => {
  const { metadata } = anEvent(1);
  const old = { data: '{"amount":1}', metadata: JSON.stringify(metadata), isJson: true };
  server.write('old', 'Counted', old);
  server.write('old', 'Counted', old);
  await one.append('old', [anEvent(2)], 1);
  await one.append('old', [anEvent(3)], 2);
  expect(faultsOf((await log()).filter(({ stream }) => stream === 'old'))).toEqual([]);
});
