import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it, vi } from 'vitest';
import { loadPrices } from './price-source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'price-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = 'date,ticker,adj_close\n';
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const noDataFolder = () => Promise.reject(new Error('The data folder is not looked at'));
const load = (...files: string[]) => loadPrices(['SPY', 'TLT'], files, noDataFolder);

it('takes the series from several price files, packed or not', async () => {
  const spy = file('spy.csv', `${HEAD}2024-01-02,SPY,470.5\n2024-01-03,SPY,468\n`);
  const tlt = file('tlt.csv.gz', gzipSync(`${HEAD}2024-01-02,TLT,98.25\n2024-01-02,QQQ,400\n`));
  const { prices, provenance } = await load(spy, tlt);
  expect([...prices.keys()].sort()).toEqual(['SPY', 'TLT']);
  expect([...(prices.get('SPY')?.closes ?? [])]).toEqual([470.5, 468]);
  // Of such prices nobody can say what they are.
  expect(provenance).toBeUndefined();
});

it('refuses a ticker that two files have, and a file that is not there', async () => {
  const one = file('one.csv', `${HEAD}2024-01-02,SPY,470.5\n`);
  const two = file('two.csv', `${HEAD}2024-01-02,SPY,471\n`);
  await expect(load(one, two)).rejects.toMatchObject({
    status: 400,
    message: 'SPY is in more than one price file',
  });
  const none = path.join(folder, 'none.csv');
  await expect(load(none)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(none) });
});

it('says how many rows of a file are left out', async () => {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  await load(file('bad.csv', `${HEAD}2024-01-02,SPY,470.5\n2024-01-03,SPY,none\n2024-01-04,SPY,-1\n`));
  spy.mockRestore();
  expect(said.join('')).toContain('bad.csv: 2 rows without a usable price are left out');
});
