import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { anEvent } from '../../testing/event-store/contract-events.ts';
import { killWhileWriting } from '../../testing/kill-while-writing.ts';
import { openSqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import { openSqliteMessageBus } from '../message-bus/sqlite/sqlite-message-bus.ts';
import { openSqliteReadModels } from '../read-models/sqlite/sqlite-read-models.ts';
import { openSqliteDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the shared file after kill -9', { timeout: 90_000 }, () => {
  const path = join(folder, 'app.db');

  // The same file through all rounds: each begins on what the last one left.
  it.each([[1], [60], [333]])(
    'has lost and doubled nothing that was acknowledged (killed after %i lines)',
    async (lines) => {
      const script = join(import.meta.dirname, '../../testing/sqlite/crash-child.ts');
      const acknowledged = await killWhileWriting(script, [path, String(lines)], lines);
      const of = (kind: string) =>
        acknowledged.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

      const database = openSqliteDatabase(path);
      const store = openSqliteEventStore(database);
      const events: RecordedEvent[] = [];
      for await (const event of store.readAll(BEFORE_FIRST)) events.push(event);
      expect(events.map((event) => event.position)).toEqual(events.map((_, i) => BigInt(i + 1)));
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
      const last = new Map(events.map((event) => [event.stream, event.revision]));
      for (const line of of('appended')) {
        const [stream = '', revision] = line.split(' ');
        expect(last.get(stream)).toBeGreaterThanOrEqual(Number(revision));
        // Two events per append: all of an append or nothing.
        expect((last.get(stream) ?? 0) % 2).toBe(1);
      }
      // The command that was under way is sent again, by a client that never got an answer.
      for (const [stream, revision] of last) {
        const repeated = [revision - 1, revision].map((i) => anEvent('Counted', { n: i }, `${stream}:${i}`));
        const result = await store.append(stream, repeated, revision === 1 ? 'noStream' : revision - 2);
        expect(result.revision).toBe(revision);
      }
      expect(await store.head()).toBe(BigInt(events.length));

      const models = openSqliteReadModels(database);
      const checkpoint = (await models.checkpoint('counted')) ?? 0n;
      const documents = await models.find('counted_v1', { sort: [['id', 'asc']] });
      const projected = events.filter((event) => event.position <= checkpoint).map((event) => event.id);
      expect(documents.map(({ id }) => id)).toEqual(projected.toSorted());

      const bus = openSqliteMessageBus(database, { leaseMs: 500 });
      const seen: string[] = [];
      await bus.subscribe({ group: `check-${lines}`, topics: ['numbers'] }, async (message) => {
        seen.push(String(message.value));
      });
      await vi.waitFor(async () => expect(await bus.lag(`check-${lines}`, 'numbers')).toBe(0), 40_000);
      for (const message of of('published'))
        expect(seen.filter((each) => each === message)).toEqual([message]);
      // The dead member's lease runs out, and its group goes on behind what it had handled.
      const again: string[] = [];
      await bus.subscribe({ group: 'readers', topics: ['numbers'] }, async (message) => {
        again.push(String(message.value));
      });
      await vi.waitFor(async () => expect(await bus.lag('readers', 'numbers')).toBe(0), 40_000);
      const handled = new Set([...of('handled'), ...again]);
      for (const message of of('published')) expect(handled.has(message)).toBe(true);
      await bus.close();
      database.close();
    },
  );
});
