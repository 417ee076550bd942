import path from 'node:path';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { Supervised } from '@quantloom/deploy/cluster/supervised';
import { API_CLIENT } from '../harness/server.ts';
import { SERVER_VARIABLES } from './cluster-under-test.ts';
import { ProcessLines, ProductUnderTest } from './product-under-test.ts';
import { openSmallDisk } from './small-disk.ts';

const DISK_MEGABYTES = 512;

/** The only process of `npm start`. */
export const EMBEDDED = 'product';

/**
 * The whole product in one process on files, as `npm start` runs it, on a small disk of its own that can be
 * filled up.
 */
export async function startEmbedded(
  environment: Readonly<Record<string, string>> = {},
): Promise<ProductUnderTest> {
  const disk = await openSmallDisk(DISK_MEGABYTES);
  const port = await freePort();
  Object.assign(process.env, {
    ...Object.fromEntries([...SERVER_VARIABLES, 'EVENTSTORE_URL', 'CLUSTER_NAME'].map((name) => [name, ''])),
    DATA_DIR: disk.folder,
    WEB_PAGES: 'off',
    DEMO_DATA_MOVES: 'false',
    COMPUTE_THREADS: '1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    BOOTSTRAP_API_CLIENT: `${API_CLIENT.id}:${API_CLIENT.secret}`,
    ...environment,
  });
  const lines = new ProcessLines();
  lines.note(`a full disk is made by ${disk.how}`);
  const one = new Supervised(
    { name: EMBEDDED, file: '../start.ts', port, environment: {} },
    {
      onLine: (line) => lines.note(line),
      onDeath: (how) => lines.note(`ended (${how})`),
    },
  );
  const pids = () => (one.pid === null ? [] : [one.pid]);
  return await ProductUnderTest.start({
    name: `embedded_${Date.now().toString(36)}_${process.pid}`,
    url: `http://localhost:${port}`,
    dataDir: disk.folder,
    processes: new Map([[EMBEDDED, one]]),
    lines,
    openBus: async () => {
      const database = openSqliteDatabase(path.join(disk.folder, 'quantloom.sqlite'));
      const bus = openSqliteMessageBus(database);
      return {
        ensureTopics: (topics) => bus.ensureTopics(topics),
        publish: (topic, messages) => bus.publish(topic, messages),
        subscribe: (options, handler) => bus.subscribe(options, handler),
        lag: (group, topic) => bus.lag(group, topic),
        outside: () => bus.outside(),
        close: async () => {
          await bus.close();
          database.close();
        },
      };
    },
    fillDisk: async (forMs) => {
      lines.note(`the disk is full for ${forMs} ms`);
      await disk.fill(pids());
      await new Promise((resolve) => setTimeout(resolve, forMs));
      await disk.free(pids());
      lines.note('the disk has room again');
    },
    release: () => disk.remove(),
  });
}
