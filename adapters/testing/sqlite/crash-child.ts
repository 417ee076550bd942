import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { openSqliteMessageBus } from '../../src/message-bus/sqlite/sqlite-message-bus.ts';
import { openSqliteReadModels } from '../../src/read-models/sqlite/sqlite-read-models.ts';
import { openSqliteDatabase } from '../../src/sqlite/database.ts';
import { anEvent } from '../event-store/contract-events.ts';

/**
 * Writes for ever, as the whole system does: four writers append to the log, a projection follows it into
 * documents, messages are published and handled. Prints what was acknowledged. Killed by `crash.test.ts`.
 */
const database = openSqliteDatabase(process.argv[2] ?? '');
const round = process.argv[3] ?? '0';
const store = openSqliteEventStore(database);
const bus = openSqliteMessageBus(database, { leaseMs: 500 });
const models = openSqliteReadModels(database);
await bus.ensureTopics([{ name: 'numbers', partitions: 3 }]);
await models.ensureCollection({ name: 'counted_v1', indexes: [['n']] });

async function write(writer: number): Promise<never> {
  const stream = `writer-${round}x${writer}`;
  for (let n = 0; ; n += 2) {
    const events = [n, n + 1].map((i) => anEvent('Counted', { n: i }, `${stream}:${i}`));
    await store.append(stream, events, n === 0 ? 'noStream' : n - 1);
    console.log(`appended ${stream} ${n + 1}`);
    await bus.publish('numbers', [{ key: stream, value: `${stream}:${n}` }]);
    console.log(`published ${stream}:${n}`);
  }
}

async function project(): Promise<void> {
  let expected = await models.checkpoint('counted');
  const { signal } = new AbortController();
  for await (const batch of store.subscribe(expected ?? -1n, { signal, maxBatchSize: 7 })) {
    const writes = batch.events.map((event) => {
      const put = { id: event.id, _revision: event.revision, _position: String(event.position) };
      return { collection: 'counted_v1', put };
    });
    await models.commit('counted', { expected, next: batch.position, writes });
    expected = batch.position;
  }
}

await bus.subscribe({ group: 'readers', topics: ['numbers'], concurrency: 3 }, async (message) => {
  console.log(`handled ${message.value}`);
});
void project();
await Promise.all([0, 1, 2, 3].map(write));
