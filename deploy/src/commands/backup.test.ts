import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { readArchive } from '../backup/archive.ts';
import { readConfig } from '../config.ts';
import { openLogStores } from '../wiring/log-stores.ts';
import { backupCommand, restoreCommand } from './backup.ts';

const ADDRESS = 'ann@example.com';
let folder: string;
let dataDir: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'backup-command-'));
  dataDir = path.join(folder, 'data');
  file = path.join(folder, 'backup.tar');
  mkdirSync(dataDir, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (dir: string) => openLogStores(readConfig({ DATA_DIR: dir }), { mayCreate: true });

async function register(userId: string): Promise<void> {
  const { eventStore, close } = await open(dataDir);
  const data = { userId, subject: userId, email: ADDRESS, planId: 'free', grantedFeatures: [] };
  const metadata = {
    correlationId: 'c',
    causationId: 'c',
    commandId: userId,
    actor: { kind: 'user' as const, userId },
    recordedAt: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  };
  const event = { id: `event-${userId}`, type: 'UserRegistered', data, metadata };
  await eventStore.append(`user-${userId}`, [event], 'noStream');
  await close();
}

function put(name: string, text: string): void {
  const target = path.join(dataDir, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .sort();

describe('a backup', () => {
  it('holds log, keys and files as they are, and leaves out what belongs to the running process', async () => {
    await register('ann');
    put('secret.key', 'ab'.repeat(32));
    put('market-data/versions/v1/SPY.bin', 'prices');
    put('results/empty', '');
    for (const name of [
      'product.lock',
      'work/half',
      'market-data/.new-v2/SPY',
      'results/.gone-b1/rows',
      'a.tmp',
    ])
      put(name, 'not this');
    put('.backup-left/quantloom.sqlite', 'of a backup that was broken off');
    // The product runs: what it wrote last stands in the logs beside its databases.
    const running = await open(dataDir);
    const { id } = await running.personKeys.keyFor('somebody');
    const said = await runCommand(backupCommand(), dataDir, file);
    await running.close();
    expect(said).toMatch(/backup\.tar: .* files; the log ends at position 1, hash [0-9a-f]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
    // What comes after the backup is not in it.
    await register('ben');
    const restored = path.join(folder, 'elsewhere/restored');
    expect(await runCommand(restoreCommand(), restored, file)).toContain(
      `${said.match(/(\d+) files/)?.[1]} files`,
    );
    expect(filesIn(restored).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
      'keys.sqlite',
      'market-data/versions/v1/SPY.bin',
      'quantloom.sqlite',
      'results/empty',
      'secret.key',
    ]);
    for (const name of filesIn(restored))
      expect(statSync(path.join(restored, name)).mode & 0o777, name).toBe(0o600);
    expect(readFileSync(path.join(restored, 'market-data/versions/v1/SPY.bin'), 'utf8')).toBe('prices');
    const { eventStore, personKeys, close } = await open(restored);
    expect(await personKeys.find(id)).not.toBeNull();
    const emails: unknown[] = [];
    for await (const { data } of eventStore.readAll(-1n)) emails.push((data as { email: string }).email);
    await close();
    expect(emails).toEqual([ADDRESS]);
  });

  it('is made of a whole installation alone: not without a log, and not beside servers', async () => {
    await expect(runCommand(backupCommand(), dataDir, file)).rejects.toMatchObject({ status: 404 });
    await register('ann');
    for (const name of ['EVENTSTORE_URL', 'MONGODB_URL', 'CLICKHOUSE_URL']) {
      vi.stubEnv(name, 'http://127.0.0.1:1');
      await expect(runCommand(backupCommand(), dataDir, file), name).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining(name),
      });
    }
    expect(existsSync(file)).toBe(false);
  });

  it('is put into an empty folder alone, and one that is there already may be a volume', async () => {
    await register('ann');
    await runCommand(backupCommand(), dataDir, file);
    await expect(runCommand(restoreCommand(), dataDir, file)).rejects.toMatchObject({ status: 409 });
    const volume = path.join(folder, 'volume');
    mkdirSync(volume);
    const { ino } = statSync(volume);
    await runCommand(restoreCommand(), volume, file);
    expect(filesIn(volume)).toEqual(['keys.sqlite', 'quantloom.sqlite']);
    expect(readdirSync(volume).sort()).toEqual(['keys.sqlite', 'quantloom.sqlite']);
    expect(statSync(volume).ino).toBe(ino);
  });
});

describe('a file that is restored', () => {
  const MANIFEST = {
    format: 'quantloom-backup',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    log: null,
  };
  /** SHA-256 of `text`. */
  const SUM = '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1';

  async function tarOf(entries: readonly (readonly [string, string | object])[]): Promise<string> {
    const tar = pack();
    for (const [name, content] of entries)
      tar.entry({ name }, typeof content === 'string' ? content : JSON.stringify(content));
    tar.finalize();
    await pipeline(tar, createWriteStream(file));
    return file;
  }

  const entries = { manifest: ['quantloom-backup.json', MANIFEST], text: ['data/a/b', 'text'] } as const;
  const sums = (expected: object) => ['checksums.json', expected] as const;

  it('is taken where every file is what its checksum says', async () => {
    await tarOf([entries.manifest, entries.text, sums({ 'a/b': SUM })]);
    expect(await readArchive(file, dataDir)).toEqual({ manifest: MANIFEST, files: 1, bytes: 4 });
    expect(readFileSync(path.join(dataDir, 'a/b'), 'utf8')).toBe('text');
  });

  it.each([
    ['no backup', [entries.text, sums({ 'a/b': SUM })], 'is not a backup'],
    [
      'of a newer version',
      [['quantloom-backup.json', { ...MANIFEST, version: 2 }], sums({})],
      'newer version',
    ],
    ['cut off', [entries.manifest, entries.text], 'was cut off'],
    ['changed', [entries.manifest, ['data/a/b', 'Text'], sums({ 'a/b': SUM })], 'changed or damaged: a/b'],
    ['short of a file', [entries.manifest, sums({ 'a/b': SUM })], 'changed or damaged: a/b'],
    ['richer by a file', [entries.manifest, entries.text, sums({})], 'changed or damaged: a/b'],
    [
      'meant for another place',
      [entries.manifest, ['data/../../evil', 'text'], sums({ '../../evil': SUM })],
      'no place in a data folder',
    ],
    [
      'meant for a place beside it',
      [entries.manifest, ['data/../data-beside/evil', 'text'], sums({ '../data-beside/evil': SUM })],
      'no place in a data folder',
    ],
  ] as const)('is refused where it is %s', async (_, parts, message) => {
    await tarOf(parts);
    await expect(readArchive(file, dataDir)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
    });
    expect(existsSync(path.join(folder, 'evil'))).toBe(false);
  });

  it('is refused where its log is another one than it says, and nothing is left of it', async () => {
    await register('ann');
    await runCommand(backupCommand(), dataDir, file);
    const unpacked = path.join(folder, 'unpacked');
    mkdirSync(unpacked);
    const { manifest } = await readArchive(file, unpacked);
    const { writeArchive } = await import('../backup/archive.ts');
    const files = filesIn(unpacked).map((name) => ({
      name,
      source: path.join(unpacked, name),
      bytes: statSync(path.join(unpacked, name)).size,
    }));
    const other = { position: '1', hash: 'f'.repeat(64) };
    await writeArchive(file, { ...manifest, log: other as never }, files, () => {});
    const restored = path.join(folder, 'restored');
    await expect(runCommand(restoreCommand(), restored, file)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('holds another log than it says'),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('restored'))).toEqual([]);
  });
});
