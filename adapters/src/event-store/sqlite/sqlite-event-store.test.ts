import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { eventStoreContract } from '../contract.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';

eventStoreContract('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  const path = join(folder, 'app.db');
  const opened = [openSqliteDatabase(path)];
  const [database] = opened as [ReturnType<typeof openSqliteDatabase>];
  return {
    store: openSqliteEventStore(database),
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteEventStore(another);
    },
    async stop() {
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
});
