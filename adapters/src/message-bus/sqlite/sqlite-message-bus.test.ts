import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { messageBusContract } from '../contract.ts';
import { openSqliteMessageBus } from './sqlite-message-bus.ts';

const SETTINGS = { leaseMs: 600, handlerTimeoutMs: 300, firstRetryMs: 5 };

messageBusContract('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'message-bus-'));
  const path = join(folder, 'app.db');
  const database = openSqliteDatabase(path);
  const opened = [database];
  return {
    bus: openSqliteMessageBus(database, SETTINGS),
    sessionMs: SETTINGS.handlerTimeoutMs,
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteMessageBus(another, SETTINGS);
    },
    async stop() {
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
});
