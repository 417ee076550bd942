import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { readConfig } from '../config.ts';
import { openLogStores } from '../wiring/log-stores.ts';
import { logCommand } from './log.ts';

let folder: string;
let from: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'log-command-'));
  from = path.join(folder, 'from');
  to = path.join(folder, 'to');
});
afterEach(() => rmSync(folder, { recursive: true }));

const addressOf = (userId: string) => `${userId}@example.com`;

async function register(dataDir: string, ...userIds: string[]): Promise<void> {
  const { eventStore, close } = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });
  for (const userId of userIds) {
    await handleCommand(
      eventStore,
      USER_STREAM,
      userId,
      {
        type: 'RegisterUser',
        userId,
        subject: userId,
        email: addressOf(userId),
        planId: 'free',
        grantedFeatures: [],
      },
      {
        commandId: ulid(),
        correlationId: 'test',
        actor: { kind: 'user', userId },
        now: '2026-01-01T00:00:00.000Z',
      },
    );
  }
  await close();
}

/** The addresses in a log as the product reads them. */
async function addressesIn(dataDir: string): Promise<unknown[]> {
  const { eventStore, close } = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: false });
  const events: RecordedEvent[] = [];
  for await (const event of eventStore.readAll(BEFORE_FIRST)) events.push(event);
  await close();
  return events.map(({ data }) => (data as { email: string }).email);
}

const log = (dataDir: string, ...args: string[]) => runCommand(logCommand(), dataDir, ...args);

it.each(['log.jsonl', 'log.jsonl.gz'])('a log comes back from %s with its personal data', async (name) => {
  const file = path.join(folder, name);
  await register(from, 'ann', 'ben');
  await log(from, 'export', file);
  // Events without a key tell nobody's address; both files are for their owner only.
  const bytes = readFileSync(file);
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  expect(text).toContain('UserRegistered');
  expect(text).not.toContain(addressOf('ann'));
  expect([file, `${file}.keys`].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o600]);
  await log(to, 'import', file);
  expect(await addressesIn(to)).toEqual(['ann', 'ben'].map(addressOf));
  expect(await log(to, 'head')).toBe(await log(from, 'head'));
  // Once more: what is there stays as it is.
  await log(to, 'import', file);
  expect(await addressesIn(to)).toHaveLength(2);
});

it('a log that is imported without its keys tells nobody', async () => {
  const file = path.join(folder, 'log.jsonl');
  await register(from, 'ann');
  await log(from, 'export', file);
  rmSync(`${file}.keys`);
  await log(to, 'import', file);
  expect(await addressesIn(to)).not.toContain(addressOf('ann'));
});

it('a file that is damaged at its end changes nothing', async () => {
  const file = path.join(folder, 'log.jsonl');
  await register(from, 'ann', 'ben');
  await log(from, 'export', file);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
  await expect(log(to, 'import', file)).rejects.toMatchObject({ status: 422 });
  expect(existsSync(to)).toBe(false);
  await expect(log(to, 'import', `${file}.none`)).rejects.toMatchObject({ status: 404 });
});

it('keys of which one is damaged are refused with its line', async () => {
  const file = path.join(folder, 'log.jsonl');
  await register(from, 'ann', 'ben');
  await log(from, 'export', file);
  const [first] = readFileSync(`${file}.keys`, 'utf8').split('\n');
  writeFileSync(`${file}.keys`, `${first}\n${JSON.stringify({ id: 'x', person: 'y', key: 'ab' })}\n`);
  await expect(log(to, 'import', file)).rejects.toMatchObject({
    status: 422,
    message: `Line 2 of ${file}.keys is not a key`,
  });
});

it('a head that was kept is found later, in capitals too; one of another log is not', async () => {
  await register(from, 'ann');
  const kept = JSON.parse(await log(from, 'head', '--json')) as { position: string; hash: string };
  expect(await log(from, 'head')).toBe(`${kept.position} ${kept.hash}`);
  await register(from, 'ben');
  const report = await log(from, 'verify', '--json', '--kept', kept.hash.toUpperCase());
  expect(JSON.parse(report)).toMatchObject({ events: 2, streams: 2, faults: [] });
  await expect(log(from, 'verify', '--kept', 'f'.repeat(64))).rejects.toMatchObject({ status: 422 });
});

it('nothing is made where there is no log', async () => {
  for (const args of [['verify'], ['head'], ['export', path.join(folder, 'log.jsonl')]])
    await expect(log(from, ...args), args[0]).rejects.toMatchObject({ status: 404 });
  expect(existsSync(from)).toBe(false);
  await register(from);
  expect(await log(from, 'head')).toBe('The log is empty');
});
