import { DatabaseSync } from 'node:sqlite';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { PARKED_EVENTS, type ParkedEventDocument } from '@quantloom/domain/kernel/parked-event';
import type { Projection } from '@quantloom/domain/kernel/projection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  added,
  COUNTER_CATALOGUE,
  type Counter,
  clock,
  counters,
  type EmbeddedLog,
  openEmbeddedLog,
  until,
} from '../testing/embedded-log.ts';
import { createProjectors, type Projectors } from './projectors.ts';

describe('projectors', () => {
  let log: EmbeddedLog;
  const running: Projectors[] = [];
  beforeEach(async () => {
    log = await openEmbeddedLog();
  });
  afterEach(async () => {
    for (const projectors of running.splice(0)) await projectors.stop();
    await log.close();
  });

  async function start(projection: Projection, stores: Pick<EmbeddedLog, 'eventStore' | 'readModels'> = log) {
    const projectors = createProjectors({
      ...stores,
      projections: [projection],
      catalogue: COUNTER_CATALOGUE,
      clock,
      batchSize: 7,
      idleSaveMs: 5,
      retryMs: 10,
    });
    running.push(projectors);
    await projectors.start();
    return projectors;
  }
  const sumOf = async (id: string) => (await log.readModels.get<Counter>('counters_v1', id))?.sum;
  const parked = async () =>
    log.readModels.find<ParkedEventDocument>(PARKED_EVENTS.name, { sort: [['revision', 'asc']] });
  const amounts = (...values: number[]) => values.map((amount) => added('c-1', amount));
  /** Has a parked event replayed with all behind it. */
  async function replay(projectors: Projectors, event: ParkedEventDocument | undefined): Promise<void> {
    if (!event) throw new Error('There is nothing to replay');
    const { projection, stream, eventId } = event;
    const data = { projection, stream, eventId };
    const request = { ...added('x', 0), type: 'ParkedEventReplayRequested', data };
    const asked = await log.eventStore.append('parkedEvents-counters', [request], 'any');
    expect(await projectors.whenReached(asked.position)).toBe(true);
  }

  it('stop in words where the log is behind them, and go on when they were built anew', async () => {
    const first = await start(counters());
    const before = await log.eventStore.append('c-1', amounts(1, 2), 'noStream');
    const after = await log.eventStore.append('c-1', amounts(3), 1);
    expect(await first.whenReached(after.position)).toBe(true);
    await first.stop();
    // Restored from an older backup: cut off, and then written on, past the place where the projection stands.
    const file = new DatabaseSync(log.file);
    file.exec(`DELETE FROM events WHERE position > ${before.position}`);
    file.close();
    for (const more of [[], [40, 50]]) {
      if (more.length > 0) await log.eventStore.append('c-1', amounts(...more), 1);
      const behind = await start(counters());
      const state = () => behind.status()[0];
      await until(() => state()?.state === 'failing');
      expect(state()?.lastError).toMatch(/counters stands at position 3 .*projections rebuild counters/);
      expect(await sumOf('c-1')).toBe(6);
      await behind.stop();
    }
    const healed = await start(counters());
    await until(() => healed.status()[0]?.state === 'failing');
    await createProjectors({
      ...log,
      projections: [counters()],
      catalogue: COUNTER_CATALOGUE,
      clock,
    }).rebuild('counters');
    await until(() => healed.status()[0]?.state === 'running');
    expect(await sumOf('c-1')).toBe(93);
  });

  it('apply what comes, tell when they are there, and go on from their checkpoint', async () => {
    const first = await start(counters());
    const { position } = await log.eventStore.append('c-1', amounts(1, 2, 3), 'noStream');
    expect(await first.whenReached(position)).toBe(true);
    expect(await sumOf('c-1')).toBe(6);
    expect(await first.whenReached(position + 1000n, { timeoutMs: 20 })).toBe(false);
    await first.stop();
    const later = await log.eventStore.append('c-1', amounts(10), 2);
    const second = await start(counters());
    expect(await second.whenReached(later.position)).toBe(true);
    expect(await log.readModels.get('counters_v1', 'c-1')).toMatchObject({
      sum: 16,
      amounts: [1, 2, 3, 10],
      _revision: 3,
    });
  });

  it('tell who waits for what has not come that it will not, as soon as they stop', async () => {
    const projectors = await start(counters());
    const isReached = projectors.whenReached(1_000n, { timeoutMs: 60_000 });
    await projectors.stop();
    const later = new Promise((resolve) => setImmediate(() => resolve('still waiting')));
    expect(await Promise.race([isReached, later])).toBe(false);
  });

  it('save how far they looked when nothing was for them', async () => {
    const projectors = await start(counters());
    const { position } = await log.eventStore.append(
      'other-1',
      [{ ...added('x', 1), type: 'SomethingElse' }],
      'any',
    );
    expect(await projectors.whenReached(position)).toBe(true);
    await until(async () => (await log.readModels.checkpoint('counters.v1')) === position);
  });

  it('park what they cannot apply with all behind it, go on with other streams, and replay in order', async () => {
    const broken: { amount: number | null } = { amount: 13 };
    const projectors = await start(counters(broken));
    await log.eventStore.append('c-1', amounts(1, 13, 2), 'noStream');
    await log.eventStore.append('c-2', [added('c-2', 5)], 'noStream');
    const { position } = await log.eventStore.append('c-1', amounts(3), 2);
    expect(await projectors.whenReached(position)).toBe(true);
    expect(await sumOf('c-1')).toBe(1);
    expect(await sumOf('c-2')).toBe(5);
    const waiting = await parked();
    expect(waiting).toMatchObject([
      { stream: 'c-1', revision: 1, reason: 'Cannot add 13', isWaiting: false, attempts: 1 },
      { stream: 'c-1', revision: 2, isWaiting: true, attempts: 0 },
      { stream: 'c-1', revision: 3, isWaiting: true, attempts: 0 },
    ]);
    const ask = () => replay(projectors, waiting[0]);
    await ask();
    // Since when it waits is told of the first time, not of the last try.
    const since = waiting.map(({ parkedAt }) => parkedAt);
    expect((await parked()).map(({ parkedAt }) => parkedAt)).toEqual(since);
    expect(await parked()).toMatchObject([{ attempts: 2 }, { attempts: 0 }, { attempts: 0 }]);
    // What comes after a replay in vain waits, too.
    const behind = await log.eventStore.append('c-1', amounts(4), 3);
    expect(await projectors.whenReached(behind.position)).toBe(true);
    expect(await parked()).toMatchObject([{}, {}, {}, { revision: 4, isWaiting: true }]);
    expect(await sumOf('c-1')).toBe(1);
    broken.amount = null;
    await ask();
    expect(await parked()).toEqual([]);
    expect(await log.readModels.get('counters_v1', 'c-1')).toMatchObject({
      sum: 23,
      amounts: [1, 13, 2, 3, 4],
      _revision: 4,
    });
    const after = await log.eventStore.append('c-1', amounts(100), 4);
    expect(await projectors.whenReached(after.position)).toBe(true);
    expect(await sumOf('c-1')).toBe(123);
  });

  it('let what comes wait for the first event that a replay could not apply', async () => {
    const broken: { amount: number | null } = { amount: 13 };
    const projectors = await start(counters(broken));
    const { position } = await log.eventStore.append('c-1', amounts(13, 2, 3), 'noStream');
    expect(await projectors.whenReached(position)).toBe(true);
    const [, second] = await parked();
    broken.amount = 2;
    await replay(projectors, (await parked())[0]);
    expect(await sumOf('c-1')).toBe(13);
    const after = await log.eventStore.append('c-1', amounts(4), 2);
    expect(await projectors.whenReached(after.position)).toBe(true);
    const reason = `Waits for event ${second?.eventId} of the same stream`;
    expect(await parked()).toMatchObject([
      { revision: 1, reason: 'Cannot add 2', isWaiting: false },
      { revision: 2, isWaiting: true },
      { revision: 3, isWaiting: true, reason },
    ]);
    expect(await sumOf('c-1')).toBe(13);
  });

  it('replay what they parked themselves, on a request of their own, and leave that of others parked', async () => {
    const broken: { amount: number | null } = { amount: 13 };
    const other = { ...counters(broken), name: 'others', collection: { name: 'others_v1', indexes: [] } };
    const both = [await start(counters(broken)), await start(other)];
    const reached = async (position: bigint) => {
      for (const one of both) expect(await one.whenReached(position)).toBe(true);
    };
    await reached((await log.eventStore.append('c-1', amounts(13, 2), 'noStream')).position);
    broken.amount = null;
    const data = { projection: 'counters', stream: 'c-1', eventId: (await parked())[0]?.eventId };
    const request = { ...added('x', 0), type: 'ParkedEventReplayRequested', data };
    await reached((await log.eventStore.append('parkedEvents-counters', [request], 'any')).position);
    expect(await sumOf('c-1')).toBe(15);
    expect((await parked()).map(({ projection, attempts }) => [projection, attempts])).toEqual([
      ['others', 1],
      ['others', 0],
    ]);
  });

  it('say after a restart, too, what the first event was that the others wait for', async () => {
    const broken = { amount: 13 };
    const first = await start(counters(broken));
    const before = await log.eventStore.append('c-1', amounts(1, 13, 2), 'noStream');
    expect(await first.whenReached(before.position)).toBe(true);
    await first.stop();
    const second = await start(counters(broken));
    const after = await log.eventStore.append('c-1', amounts(3), 2);
    expect(await second.whenReached(after.position)).toBe(true);
    const [failed, ...waiting] = await parked();
    const reason = `Waits for event ${failed?.eventId} of the same stream`;
    expect(waiting).toMatchObject([
      { revision: 2, reason },
      { revision: 3, reason },
    ]);
  });

  it('park an event of a type that they do not know', async () => {
    const projection = { ...counters(), handles: ['AmountAdded', 'Unheard'] };
    const projectors = await start(projection);
    const { position } = await log.eventStore.append('c-9', [{ ...added('c-9', 1), type: 'Unheard' }], 'any');
    expect(await projectors.whenReached(position)).toBe(true);
    expect(await parked()).toMatchObject([{ eventType: 'Unheard', stream: 'c-9' }]);
  });

  it('are rebuilt while events go on arriving, and serve all the time', async () => {
    const projectors = await start(counters());
    let revision = (await log.eventStore.append('c-1', amounts(...Array(200).fill(1)), 'noStream')).revision;
    await projectors.whenReached(await log.eventStore.head());
    // Somebody has spoilt the documents.
    const document = (await log.readModels.get('counters_v1', 'c-1')) as Counter;
    await log.readModels.put('counters_v1', { ...document, sum: -1 } as Counter);
    let isDone = false;
    const writing = (async () => {
      while (!isDone || revision < 250) {
        revision = (await log.eventStore.append('c-1', amounts(1), revision)).revision;
        expect(await log.readModels.get('counters_v1', 'c-1')).not.toBeNull();
      }
    })();
    await projectors.rebuild('counters');
    isDone = true;
    await writing;
    expect(await projectors.whenReached(await log.eventStore.head())).toBe(true);
    expect(await sumOf('c-1')).toBe(revision + 1);
    await expect(projectors.rebuild('nothing')).rejects.toThrow(
      'There is no projection nothing; there are counters',
    );
  });

  it('keep parked events through a rebuild, and drop those that a rebuild could apply', async () => {
    const broken: { amount: number | null } = { amount: 13 };
    const projectors = await start(counters(broken));
    const { position } = await log.eventStore.append('c-1', amounts(1, 13, 2), 'noStream');
    await projectors.whenReached(position);
    await projectors.rebuild('counters');
    expect((await parked()).map(({ projection, revision }) => [projection, revision])).toEqual([
      ['counters', 1],
      ['counters', 2],
    ]);
    broken.amount = null;
    await projectors.rebuild('counters');
    expect(await parked()).toEqual([]);
    expect(await sumOf('c-1')).toBe(16);
    const next = await log.eventStore.append('c-1', amounts(4), 2);
    await projectors.whenReached(next.position);
    expect(await sumOf('c-1')).toBe(20);
  });

  it('of two processes: one works, a rebuild in the other is taken up, the survivor takes over', async () => {
    const database = openSqliteDatabase(log.file, { pollMs: 5 });
    const other = { eventStore: openSqliteEventStore(database), readModels: openSqliteReadModels(database) };
    const first = await start(counters());
    const second = await start(counters(), other);
    let revision = -1;
    for (let round = 0; round < 40; round += 1)
      revision = (await log.eventStore.append('c-1', amounts(1), revision < 0 ? 'noStream' : revision))
        .revision;
    await until(async () => (await sumOf('c-1')) === 40);
    // Whoever stands by knows how far the other one is: what was written can be read there, too.
    const head = await log.eventStore.head();
    for (const one of [first, second]) expect(await one.whenReached(head)).toBe(true);
    await first.stop();
    revision = (await log.eventStore.append('c-1', amounts(1, 1), revision)).revision;
    await until(async () => (await sumOf('c-1')) === 42);
    expect((await log.readModels.get<Counter>('counters_v1', 'c-1'))?.amounts).toHaveLength(42);
    const tool = createProjectors({
      ...log,
      projections: [counters()],
      catalogue: COUNTER_CATALOGUE,
      clock,
    });
    await tool.rebuild('counters');
    await log.eventStore.append('c-1', amounts(1), revision);
    await until(async () => (await sumOf('c-1')) === 43);
    await second.stop();
    await other.eventStore.close();
    await other.readModels.close();
    database.close();
  });

  it('try again after a failure of the read models', async () => {
    let failures = 3;
    const readModels = new Proxy(log.readModels, {
      get: (target, key) =>
        key === 'commit' && failures-- > 0
          ? () => Promise.reject(new Error('read models are away'))
          : (target[key as keyof typeof target] as () => unknown).bind(target),
    });
    const projectors = await start(counters(), { eventStore: log.eventStore, readModels });
    const { position } = await log.eventStore.append('c-1', amounts(1, 2), 'noStream');
    expect(await projectors.whenReached(position, { timeoutMs: 5000 })).toBe(true);
    expect(await sumOf('c-1')).toBe(3);
    expect(projectors.status()).toMatchObject([{ name: 'counters', state: 'running', lastError: null }]);
  });
});
