import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchCommand } from './batch.ts';
import { checkOutput } from './output-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fault = (file: string) =>
  checkOutput('--out', file).then(
    () => null,
    (error: { status: number; message: string }) =>
      `${error.status} ${error.message.replaceAll(folder, '…')}`,
  );

test('a place for a file is told of where there can be none', async () => {
  await writeFile(path.join(folder, 'there.csv'), '');
  expect(await fault(path.join(folder, 'new.csv'))).toBeNull();
  expect(await fault(path.join(folder, 'there.csv'))).toBeNull();
  expect(await fault(folder)).toBe('400 --out … cannot be written: it is a folder; name a file in it');
  expect(await fault(path.join(folder, 'no', 'new.csv'))).toBe(
    '400 --out …/no/new.csv cannot be written: there is no folder …/no',
  );
  expect(await fault(path.join(folder, 'there.csv', 'new.csv'))).toBe(
    '400 --out …/there.csv/new.csv cannot be written: there is no folder …/there.csv',
  );
});

test.each(['--out', '--failures'])('a batch does not begin where %s leads nowhere', async (option) => {
  const run = batchCommand(() => Promise.reject(new Error('it began')))
    .exitOverride()
    .parseAsync(['nowhere.json', option, path.join(folder, 'no', 'x')], { from: 'user' });
  await expect(run).rejects.toThrow(`${option} ${path.join(folder, 'no', 'x')} cannot be written`);
});
