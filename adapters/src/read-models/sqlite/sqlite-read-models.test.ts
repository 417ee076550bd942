import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { expect, it } from 'vitest';
import { readModelsContract } from '../../../testing/read-models/contract.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { querySql, tableOf } from './query-sql.ts';
import { openSqliteReadModels } from './sqlite-read-models.ts';

readModelsContract('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const path = join(folder, 'app.db');
  const database = openSqliteDatabase(path);
  const opened = [database];
  return {
    models: openSqliteReadModels(database),
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteReadModels(another);
    },
    async stop() {
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
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
