import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FLOAT_COLUMNS, OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchFolders } from '../parquet/batch-folder.ts';
import { sampleBlock, sampleFloat } from '../sample-block.ts';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

/** What was declared with version 5 of the engine, and since. */
const NEW: readonly string[] = [
  'excess_return',
  'alpha',
  'beta',
  'correlation',
  'information_ratio',
  'sortino',
  ...OTHER_FILL_COLUMNS,
];
const VARIABLES = [{ name: '$N', values: [1, 2, 3, 4, 5, 6] }];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'old-columns-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openDuckDbResultStore({ folder, memoryLimit: '256MB' });

/** Three rows of a batch as an earlier version stored them. */
async function writeOldRows(): Promise<void> {
  const store = await open();
  await store.createBatch('b', VARIABLES);
  await store.close();
  const { startDay, endDay, floats, variables } = sampleBlock('b', { from: 0, count: 3 }, [6]);
  const known = Object.entries(floats).filter(([name]) => !NEW.includes(name));
  await new BatchFolders(path.join(folder, 'batches')).write('b', {
    combinations: Int32Array.of(0, 1, 2),
    startDay,
    endDay,
    ranks: variables,
    floats: Object.fromEntries(known),
    failures: [],
    total: 6,
  });
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString('utf8');
}

it('reads rows of before as null in the columns that came later: shown, sorted, filtered, exported, hashed', async () => {
  await writeOldRows();
  const store = await open();
  for (const name of NEW) {
    const sorted = await store.query('b', {
      columns: ['combination', name],
      sort: { column: name, direction: 'desc' },
    });
    expect(sorted.rows).toEqual([
      [0, null],
      [1, null],
      [2, null],
    ]);
    const above = await store.query('b', { filters: [{ column: name, op: 'gt', value: 0 }] });
    expect(above.total).toBe(0);
    const missing = await store.query('b', { filters: [{ column: name, op: 'isNull' }] });
    expect(missing.total).toBe(3);
  }
  const csv = await textOf(store.stream('b', { columns: ['combination', 'alpha', 'sortino'] }, 'csv'));
  expect(csv.trim().split(/\r?\n/)).toEqual(['combination,alpha,sortino', '0,,', '1,,', '2,,']);
  expect((await textOf(store.stream('b', { columns: ['alpha'] }, 'parquet'))).slice(0, 4)).toBe('PAR1');
  expect(await store.hashRows('b')).toMatch(/^[0-9a-f]{64}$/);
  await store.close();
});

it('takes rows that have them beside rows that have not', async () => {
  await writeOldRows();
  const store = await open();
  await store.append(sampleBlock('b', { from: 3, count: 3 }, [6]));
  const alpha = FLOAT_COLUMNS.indexOf('alpha');
  const news = [3, 4, 5].map((k) => [k, sampleFloat(k, alpha, 'alpha')] as const).sort((a, b) => b[1] - a[1]);
  const { rows } = await store.query('b', {
    columns: ['combination', 'alpha'],
    sort: { column: 'alpha', direction: 'desc' },
  });
  expect(rows).toEqual([...news, [0, null], [1, null], [2, null]]);
  await store.close();
});
