import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type IdentityFile, openIdentityFile } from '../../../testing/identity/identity-file.ts';
import { Remains } from './remains.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let file: IdentityFile;
let errors: unknown[];
let remains: Remains;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  errors = [];
  file = openIdentityFile();
  remains = open();
});
afterEach(async () => {
  await remains.close();
  vi.useRealTimers();
  file.close();
});

const open = () => new Remains(file.store.database, (error) => errors.push(error));
const connection = () => file.store.database.durable;
/** An account with much in it goes. */
function leave(): void {
  for (let number = 0; number < 100; number += 1)
    file.addAccount(`s${number}`, `${'a'.repeat(200)}${number}`);
  connection().exec('DELETE FROM identity_accounts');
  expect(isThere()).toBe(true);
  remains.left();
}
/** Pages that were let go and are in the file still. */
const isThere = () => Number(connection().prepare('PRAGMA freelist_count').get()?.freelist_count) > 0;
const later = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
/** So long after, and what begins then is at its end: the file is written anew, or why not is told. */
async function ended(milliseconds: number): Promise<void> {
  const told = errors.length;
  await later(milliseconds);
  while (isThere() && errors.length === told) await new Promise(setImmediate);
}

it('takes what an account has left out of the file some seconds after it', async () => {
  leave();
  await later(10 * SECOND - 1);
  expect(vi.getTimerCount()).toBe(1);
  await ended(1);
  expect(errors).toEqual([]);
});

it('writes the file anew every ten minutes at the most', async () => {
  leave();
  await ended(10 * SECOND);
  leave();
  await later(10 * MINUTE - 1);
  expect(vi.getTimerCount()).toBe(1);
  await ended(1);
  expect(isThere()).toBe(false);
});

it('tells what failed, and tries again: also where nothing at all could be written', async () => {
  leave();
  connection().exec('PRAGMA query_only = TRUE');
  await ended(10 * SECOND);
  connection().exec('PRAGMA query_only = FALSE');
  await ended(10 * MINUTE);
  expect(isThere()).toBe(false);
  expect(errors).toHaveLength(1);
});

it('leaves to the next process what could not be done in this one', async () => {
  leave();
  // Nobody writes a file anew in the middle of a change.
  connection().exec('BEGIN');
  await ended(10 * SECOND);
  connection().exec('COMMIT');
  remains = open();
  await ended(10 * SECOND);
  expect(isThere()).toBe(false);
  expect(errors).toHaveLength(1);
});

it('does what is left when the process stops, and nothing where nobody has left', async () => {
  await remains.close();
  leave();
  await remains.close();
  expect(isThere()).toBe(false);
});
