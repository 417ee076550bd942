import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BatchFolders } from './batch-folder.ts';

const root = mkdtempSync(path.join(tmpdir(), 'batch-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

const contentOf = (first: number, count: number, replaces: readonly string[] = []) => {
  const combinations = Int32Array.from({ length: count }, (_, i) => first + i);
  const rows = {
    ...{ combinations, startDay: combinations, endDay: combinations, ranks: [combinations] },
    floats: { a: Float64Array.from(combinations) },
  };
  return { ...rows, failures: [], total: 1_000, replaces: [...replaces] };
};

it('counts rows once where the process died between writing them together and removing what they were', async () => {
  const folders = new BatchFolders(root);
  await folders.prepare();
  await folders.create({ batchId: 'b', variables: [{ name: '$N', values: [1] }] });
  const first = await folders.write('b', contentOf(0, 2));
  const second = await folders.write('b', contentOf(2, 2));
  const merged = await folders.write('b', contentOf(0, 4, [first.name, second.name]));
  const third = await folders.write('b', contentOf(4, 1));

  const again = new BatchFolders(root);
  const found = (await again.segments('b')).map(({ name }) => name);
  expect(found).toEqual([merged.name, third.name]);
  const files = readdirSync(path.dirname(merged.file)).filter((name) => name.endsWith('.parquet'));
  expect(files.sort()).toEqual([merged.name, third.name].sort());
});
