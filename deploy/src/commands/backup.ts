import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { type LogHead, logHead } from '@quantloom/projectors/log/log-head';
import { Command } from 'commander';
import { readArchive, writeArchive } from '../backup/archive.ts';
import { megabytes, takeSnapshot } from '../backup/snapshot.ts';
import { type Config, readConfig } from '../config.ts';
import { CommandError } from './command-error.ts';
import { progressBar } from './progress-bar.ts';

const LOG_FILE = 'quantloom.sqlite';
const SERVERS = ['EVENTSTORE_URL', 'MONGODB_URL', 'CLICKHOUSE_URL'] as const;

/** Backups are of the data folder: where a server holds a part, that part has a backup of its own. */
function withoutServers(): Config {
  const config = readConfig();
  const named = SERVERS.filter((name) => config[name] !== undefined);
  if (named.length > 0)
    throw new CommandError(
      409,
      `${named.join(', ')} names a server that holds a part of this installation: back up each of ` +
        'them by its own means (docs/operations.md)',
    );
  return config;
}

async function headOf(file: string): Promise<LogHead | null> {
  const database = openSqliteDatabase(file);
  try {
    return await logHead(openSqliteEventStore(database));
  } finally {
    database.close();
  }
}

async function backup(file: string): Promise<void> {
  const { DATA_DIR } = withoutServers();
  if (!existsSync(path.join(DATA_DIR, LOG_FILE)))
    throw new CommandError(404, `There is no log in ${DATA_DIR} (set DATA_DIR)`);
  const snapshot = await takeSnapshot(DATA_DIR, (message) => process.stderr.write(`${message}\n`));
  const bar = progressBar();
  try {
    const log = snapshot.files.find(({ name }) => name === LOG_FILE);
    const head = log ? await headOf(log.source) : null;
    const files = await Promise.all(
      snapshot.files.map(async (one) => ({ ...one, bytes: (await stat(one.source)).size })),
    );
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    await writeArchive(
      file,
      { format: 'quantloom-backup', version: 1, createdAt: new Date().toISOString(), log: head },
      files,
      (done) => bar.update('Writing the backup', done / Math.max(total, 1), megabytes(done)),
    );
    bar.stop();
    const end = head ? `; the log ends at position ${head.position}, hash ${head.hash}` : '';
    console.log(`${file}: ${megabytes((await stat(file)).size)}, ${files.length} files${end}`);
  } finally {
    bar.stop();
    await snapshot.remove();
  }
}

async function restore(file: string): Promise<void> {
  const { DATA_DIR } = withoutServers();
  if (existsSync(DATA_DIR) && readdirSync(DATA_DIR).length > 0)
    throw new CommandError(
      409,
      `${DATA_DIR} is not empty: stop the product, move the folder away, and restore into an empty one (set DATA_DIR)`,
    );
  const target = path.resolve(DATA_DIR);
  await mkdir(path.dirname(target), { recursive: true });
  // Beside and then renamed: a restore that was broken off leaves no folder that looks whole. A folder that
  // is there may be a volume.
  const isThere = existsSync(target);
  const beside = await mkdtemp(isThere ? path.join(target, '.restoring-') : `${target}.restoring-`);
  try {
    process.stderr.write('Unpacking and checking …\n');
    const { manifest, files, bytes } = await readArchive(file, beside);
    const head = await headOf(path.join(beside, LOG_FILE));
    if (head?.hash !== manifest.log?.hash)
      throw new CommandError(422, `${file} holds another log than it says: it was changed`);
    if (isThere) await moveUp(beside, target);
    else await rename(beside, target);
    console.log(`${DATA_DIR}: ${megabytes(bytes)}, ${files} files, as they were at ${manifest.createdAt}`);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}

/** The log comes last: without it no command takes the folder for whole. */
async function moveUp(from: string, to: string): Promise<void> {
  const names = readdirSync(from).filter((name) => name !== LOG_FILE);
  for (const name of [...names, LOG_FILE]) await rename(path.join(from, name), path.join(to, name));
  await rmdir(from);
}

/** `quantloom backup FILE`: everything of the data folder in one file, while the product serves. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write log, sign-ins, results, prices and secret into one file, also while the product runs')
    .argument('<file>', 'a tar file; it holds personal data and the secret: keep it safe')
    .action(backup);
}

/** `quantloom restore FILE`: the other way, into an empty data folder. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('unpack a backup into an empty data folder (DATA_DIR)')
    .argument('<file>', 'as "backup" writes it')
    .action(restore);
}
