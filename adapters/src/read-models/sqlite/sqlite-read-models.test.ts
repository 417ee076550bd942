import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FindQuery, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readModelsContract } from '../../../testing/read-models/contract.ts';
import type { ReadModelsHarness } from '../../../testing/read-models/contract-harness.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/database.ts';
import { querySql, tableOf } from './query-sql.ts';
import { openSqliteReadModels, type SqliteReadModelOptions } from './sqlite-read-models.ts';

readModelsContract('sqlite', () => harness({}));
readModelsContract('sqlite with a thread for searches', () => harness({ onSearched: () => undefined }));

async function harness(options: SqliteReadModelOptions): Promise<ReadModelsHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const path = join(folder, 'app.db');
  const database = openSqliteDatabase(path);
  const opened = [database];
  const models = openSqliteReadModels(database, options);
  return {
    models,
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteReadModels(another);
    },
    async stop() {
      await models.close();
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describe('a thread for searches', () => {
  let folder: string;
  let database: SqliteDatabase;
  let models: ReadModels;
  const told = new AsyncLocalStorage<number[]>();
  const things = 'things_v1';
  const thing = (id: string, words: string) => ({ id, words, _revision: 0, _position: '1' });
  const search: FindQuery = { where: { words: { holdsAll: ['spy'] } } };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'read-models-search-'));
    database = openSqliteDatabase(join(folder, 'app.db'));
    models = openSqliteReadModels(database, {
      onSearched: (milliseconds) => void told.getStore()?.push(milliseconds),
    });
    await models.ensureCollection({ name: things, indexes: [['words']] });
    await models.put(things, thing('a', 'spy qqq'));
  });
  afterEach(async () => {
    await models.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('tells what a search took to whoever asked for it, and makes nothing else', async () => {
    const [ann, bob]: [number[], number[]] = [[], []];
    await Promise.all([
      told.run(ann, async () => expect(await models.find(things, search)).toHaveLength(1)),
      told.run(bob, async () => {
        expect(await models.find(things, { where: { words: 'spy qqq' } })).toHaveLength(1);
        expect(await models.get(things, 'a')).not.toBeNull();
      }),
      told.run(ann, async () => expect(await models.count(things, search.where)).toBe(1)),
    ]);
    expect(ann).toHaveLength(2);
    expect(bob).toEqual([]);
  });

  it('leaves the thread that asks free meanwhile', async () => {
    // Each comes before the answer of a search that was asked for earlier.
    const order: string[] = [];
    const searching = models.find(things, search).then(() => order.push('search'));
    await models.get(things, 'a').then(() => order.push('get'));
    await searching;
    expect(order).toEqual(['get', 'search']);
  });

  it('finds what was written a moment before', async () => {
    expect(await models.find(things, search)).toHaveLength(1);
    for (let i = 0; i < 20; i += 1) {
      await models.put(things, thing(`more${i}`, 'spy'));
      expect(await models.count(things, search.where)).toBe(i + 2);
    }
  });

  it('says what is wrong as it is said without one, and goes on', async () => {
    await expect(models.find('others_v1', search)).rejects.toThrow('others_v1');
    expect(await models.find(things, search)).toHaveLength(1);
  });

  it('ends with the read models, after what it was asked', async () => {
    const searching = models.find(things, search);
    await models.close();
    expect(await searching).toHaveLength(1);
    await expect(models.find(things, search)).rejects.toThrow('closed');
  });
});

it('serves a filter and a sort over the indexed fields from the index, without sorting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-plan-'));
  const database = openSqliteDatabase(join(folder, 'app.db'));
  const models = openSqliteReadModels(database);
  await models.ensureCollection({ name: 'things_v1', indexes: [['owner.id', 'at']] });
  const { sql, parameters } = querySql<ReadDocument>({
    where: { 'owner.id': 'u1' },
    sort: [['at', 'asc']],
    limit: 10,
  });
  const plan = database.relaxed
    .prepare(`EXPLAIN QUERY PLAN SELECT doc FROM ${tableOf('things_v1')}${sql}`)
    .all(...parameters)
    .map((row) => String(row.detail));
  expect(plan.join()).toMatch(/USING INDEX rmi_/);
  expect(plan.join()).not.toMatch(/TEMP B-TREE/);
  database.close();
  rmSync(folder, { recursive: true });
});
