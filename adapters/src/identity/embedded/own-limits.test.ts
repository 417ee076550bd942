import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { createSecretBox } from '../secret-box.ts';
import { createAccounts } from './accounts.ts';
import { createSessions, MOST_SESSIONS } from './sessions.ts';
import { type IdentityStore, openIdentityStore } from './store.ts';

let folder: string;
let store: IdentityStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'limits-'));
  const database = openSqliteDatabase(path.join(folder, 'identity.sqlite'));
  store = openIdentityStore(database, createSecretBox('ab'.repeat(32), 'identity'));
});
afterEach(() => {
  store.database.close();
  rmSync(folder, { recursive: true });
});
const written = () => Number(store.database.durable.prepare('SELECT total_changes() AS n').get()?.n);

it('writes whose user an account is once, however often it is asked to', async () => {
  const accounts = createAccounts(store);
  const { subject } = await accounts.create('ann@example.com', 'correct horse battery');
  accounts.linkUser(subject, 'user-1');
  const before = written();
  accounts.linkUser(subject, 'user-1');
  expect(written()).toBe(before);
  accounts.linkUser(subject, 'user-2');
  expect(accounts.find(subject)?.userId).toBe('user-2');
});

it('takes a new address for confirmed by nobody, and another spelling of the same one for the same', async () => {
  const accounts = createAccounts(store);
  const { subject } = await accounts.create('ann@example.com', 'correct horse battery');
  expect(accounts.verifyEmail(subject, 'ann@example.com')).toBe(true);
  accounts.changeEmail(subject, 'Ann@Example.com');
  expect(accounts.isVerified(subject)).toBe(true);
  accounts.changeEmail(subject, 'eve@example.com');
  expect(accounts.isVerified(subject)).toBe(false);
});

it('keeps an account signed in with so many browsers, and signs out the one that was used longest ago', () => {
  let time = 1_000;
  const sessions = createSessions(store, () => time);
  const seen = (uid: string, subject = 'ann') => {
    time += 1;
    sessions.seen({ uid, subject, device: 'Firefox', address: '203.0.113.7', loginAt: null });
  };
  seen('of bob', 'bob');
  for (let i = 1; i <= MOST_SESSIONS; i += 1) seen(`s${i}`);
  expect(sessions.isEnded('s1')).toBe(false);
  // In use again.
  seen('s1');
  seen('one more');
  seen('and another');
  expect(['s1', 's2', 's3', 's4'].map((uid) => sessions.isEnded(uid))).toEqual([false, true, true, false]);
  expect(sessions.find('one more')).not.toBeNull();
  expect(sessions.isEnded('of bob')).toBe(false);
});
