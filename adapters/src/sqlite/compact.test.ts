import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeDeleted } from './compact.ts';
import { openSqliteDatabase } from './database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'compact-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const holdsPhilippa = () =>
  readdirSync(folder).some((name) => readFileSync(path.join(folder, name)).includes('philippa'));
const FILL =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO ' +
  "people SELECT i, 'philippa ' || i FROM n";

describe('what was deleted', () => {
  it('is off the disk without the file being written anew', async () => {
    const database = openSqliteDatabase(path.join(folder, 'a.sqlite'));
    database.durable.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); ${FILL}`);
    database.relaxed.exec(
      'CREATE TABLE others AS SELECT * FROM people; DROP TABLE others; DELETE FROM people',
    );
    const pages = () => database.durable.prepare('PRAGMA page_count').get()?.page_count;
    const before = pages();
    await removeDeleted(database);
    expect(holdsPhilippa()).toBe(false);
    expect(pages()).toBe(before);
    database.close();
  });

  it('is off the disk where earlier versions of the product have left it, too', async () => {
    const file = path.join(folder, 'a.sqlite');
    const earlier = openSqliteDatabase(file);
    earlier.durable.exec(
      `PRAGMA secure_delete = OFF; CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); ${FILL}; DELETE FROM people;
       DELETE FROM schema_versions WHERE component = 'overwritten-when-deleted'`,
    );
    earlier.close();
    expect(holdsPhilippa()).toBe(true);
    const database = openSqliteDatabase(file);
    await removeDeleted(database);
    expect(holdsPhilippa()).toBe(false);
    expect(database.isOverwritten).toBe(true);
    database.close();
  });
});
