import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MailMessage } from '@quantloom/domain/ports/mail';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/database.ts';
import { createSecretBox } from '../secret-box.ts';
import { createMailQueue, type MailQueue } from './mail-queue.ts';
import { openIdentityStore } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let dataDir: string;
let database: SqliteDatabase;
let queue: MailQueue;
let time: number;
let sent: string[];
let errors: unknown[];
/** What the mail server does with a message. */
let serve: (message: MailMessage) => Promise<void>;

beforeEach(() => {
  [time, sent, errors] = [1_000_000, [], []];
  serve = async () => undefined;
  dataDir = mkdtempSync(path.join(tmpdir(), 'mail-queue-'));
  database = openSqliteDatabase(path.join(dataDir, 'identity.sqlite'));
  const store = openIdentityStore(database, createSecretBox('c3'.repeat(32), 'identity'));
  const send = async (message: MailMessage) => {
    await serve(message);
    sent.push(message.to);
  };
  const mail = { send, close: async () => undefined };
  queue = createMailQueue(
    store,
    mail,
    (error) => errors.push(error),
    () => time,
  );
});
afterEach(async () => {
  await queue.close();
  database.close();
  rmSync(dataDir, { recursive: true });
});

const to = (address: string): MailMessage => ({ to: address, subject: 'Hello', text: 'Hello', html: '' });
const waiting = () => Number(database.durable.prepare('SELECT count(*) AS n FROM identity_mails').get()?.n);
const refused = () => Promise.reject(new Error('421 Come back later'));
/** Looks once, after so long. */
const later = async (ms: number) => {
  time += ms;
  await queue.flush();
};

it('hands every message over once, and none that is only pretended', async () => {
  for (const name of ['a', 'b']) queue.add(to(`${name}@example.com`));
  queue.pretend(to('nobody@example.com'));
  await queue.flush();
  await queue.flush();
  expect([sent.sort(), waiting(), errors]).toEqual([['a@example.com', 'b@example.com'], 0, []]);
});

it('hands over first what is due the longest', async () => {
  for (const name of ['a', 'b', 'c']) {
    queue.add(to(`${name}@example.com`));
    time += 1;
  }
  await queue.flush();
  expect(sent).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
});

it('tries a message again that the server refuses, after a minute, two, four, and an hour at most', async () => {
  serve = refused;
  queue.add(to('a@example.com'));
  await queue.flush();
  expect(errors).toHaveLength(1);
  for (const [tries, minutes] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    await later(minutes * MINUTE - 1);
    expect(errors).toHaveLength(tries + 1);
    await later(1);
    expect(errors).toHaveLength(tries + 2);
  }
  serve = async () => undefined;
  await later(HOUR);
  expect([sent, waiting()]).toEqual([['a@example.com'], 0]);
});

it('gives a message up that could not be sent for a day', async () => {
  serve = refused;
  queue.add(to('a@example.com'));
  for (let hour = 0; hour < 24; hour += 1) {
    await queue.flush();
    expect(waiting()).toBe(1);
    time += HOUR;
  }
  await queue.flush();
  expect([waiting(), sent]).toEqual([0, []]);
});

it('does not let one message that is refused hold up the others', async () => {
  serve = (message) => (message.to.startsWith('a@') ? refused() : Promise.resolve());
  for (const name of ['a', 'b']) queue.add(to(`${name}@example.com`));
  await queue.flush();
  expect([sent, waiting()]).toEqual([['b@example.com'], 1]);
});

it('forgets what waits for an address, also what is just being sent in vain', async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  serve = () => {
    begun.resolve();
    return answer.promise;
  };
  queue.add(to('Ann@Example.com'));
  queue.add(to('bob@example.com'));
  const flushing = queue.flush();
  await begun.promise;
  let isForgotten = false;
  const forgetting = queue.forget(new Set(['ann@example.com'])).then(() => {
    isForgotten = true;
  });
  // Who erases an account may say so only once nothing goes to its address any more.
  await new Promise(setImmediate);
  expect(isForgotten).toBe(false);
  answer.reject(new Error('421 Come back later'));
  await Promise.all([flushing, forgetting]);
  expect(waiting()).toBe(1);
  serve = async () => undefined;
  await later(HOUR);
  expect(sent).toEqual(['bob@example.com']);
});

it('sends nothing more once it is closed, and keeps it', async () => {
  await queue.close();
  queue.add(to('a@example.com'));
  await queue.flush();
  expect([sent, waiting()]).toEqual([[], 1]);
});
