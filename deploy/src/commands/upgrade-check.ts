import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { copyDatabase } from '@quantloom/adapters/sqlite/copy-database';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { isSound, type VerifyReport, verifyLog } from '@quantloom/projectors/log/verify-log';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { KEYS_FILE } from '../wiring/person-keys.ts';
import { CommandError } from './command-error.ts';

/** Opens a copy of log and read models with this version and verifies it; the folder itself stays as it is. */
async function check(folder: string): Promise<VerifyReport> {
  const file = path.join(folder, 'quantloom.sqlite');
  if (!existsSync(file)) throw new CommandError(404, `There is no log in ${folder} (set DATA_DIR)`);
  // In the data folder: there is room for the log, and nobody else may read it.
  const beside = mkdtempSync(path.join(folder, '.backup-check-'));
  try {
    const copy = path.join(beside, 'quantloom.sqlite');
    copyDatabase(file, copy);
    copyDatabase(path.join(folder, KEYS_FILE), path.join(beside, KEYS_FILE));
    const database = openSqliteDatabase(copy);
    const keys = openSqlitePersonKeys(path.join(beside, KEYS_FILE));
    try {
      const eventLog = openSqliteEventStore(database);
      return await verifyLog({
        eventStore: eventLog,
        readable: openSealedEventStore(eventLog, keys),
        readModels: openSqliteReadModels(database),
        catalogue: EVENT_CATALOGUE,
        projections: PROJECTIONS,
        clock: { now: () => new Date() },
        onProgress: (message) => process.stderr.write(`${message}\n`),
      });
    } finally {
      await keys.close();
      database.close();
    }
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** `quantloom upgrade-check`: whether this version can take over the data folder, told before it does. */
export function upgradeCheckCommand(): Command {
  return new Command('upgrade-check')
    .description('try this version on a copy of the log and the read models; run it before the first start')
    .action(async () => {
      const { DATA_DIR } = readConfig();
      const report = await check(DATA_DIR);
      for (const fault of report.faults) console.log(fault);
      for (const { name, result } of report.projections) {
        if (result === 'behind') console.log(`${name} will be built anew at the first start`);
        if (result === 'different')
          console.log(`${name} differs from what this version makes of the log: projections rebuild ${name}`);
      }
      if (!isSound(report)) throw new CommandError(422, 'This version cannot take over the folder as it is');
      console.log(`${report.events} events: this version reads all of them. Take a backup, then start it.`);
    });
}
