import { join } from 'node:path';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { elapsed, inFolder, report } from './measure.ts';

/**
 * The embedded bus: throughput with a backlog, and the time from `publish` to the handler. The baseline is
 * the same number of rows written to and read from the same file by plain statements, one transaction per message.
 */
const COUNT = Number(process.argv[2] ?? 20_000);

await inFolder(async (folder) => {
  const database = openSqliteDatabase(join(folder, 'app.db'));
  database.relaxed.exec('CREATE TABLE plain (n INTEGER PRIMARY KEY, value TEXT)');
  const insert = database.relaxed.prepare('INSERT INTO plain VALUES (?, ?)');
  const value = { batchId: 'batch-1', from: 0, to: 10_000, template: 'x'.repeat(500) };
  const baseline = await elapsed(() => {
    for (let n = 0; n < COUNT; n++) insert.run(n, JSON.stringify(value));
  });

  const bus = openSqliteMessageBus(database);
  await bus.ensureTopics([{ name: 'jobs', partitions: 8 }]);
  const publish = await elapsed(async () => {
    for (let n = 0; n < COUNT; n++) await bus.publish('jobs', [{ key: `k${n}`, value }]);
  });
  let seen = 0;
  const consume = await elapsed(
    () =>
      new Promise<void>((resolve) => {
        void bus.subscribe({ group: 'bench', topics: ['jobs'], concurrency: 8 }, async () => {
          seen += 1;
          if (seen === COUNT) resolve();
        });
      }),
  );
  report('bus', {
    messages: COUNT,
    publish_per_second: (COUNT * 1000) / publish,
    publish_vs_plain_insert: publish / baseline,
    consume_per_second: (COUNT * 1000) / consume,
    consume_vs_plain_insert: consume / baseline,
  });

  await bus.ensureTopics([{ name: 'ping', partitions: 1 }]);
  let arrived: (() => void) | undefined;
  await bus.subscribe({ group: 'bench', topics: ['ping'] }, async () => arrived?.());
  const latencies: number[] = [];
  for (let n = 0; n < 200; n++) {
    latencies.push(
      await elapsed(async () => {
        const arrival = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        await bus.publish('ping', [{ key: 'k', value: n }]);
        await arrival;
      }),
    );
  }
  latencies.sort((a, b) => a - b);
  report('bus latency', { p50_ms: latencies[100] ?? Number.NaN, p99_ms: latencies[197] ?? Number.NaN });
  await bus.close();
  database.close();
});
