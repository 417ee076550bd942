import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFiles } from '../import/import-files.ts';
import { type MarketDataFiles, openMarketDataFiles } from './market-data-files.ts';

let folder: string;
let dataDir: string;
let marketData: MarketDataFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  dataDir = join(folder, 'data');
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(): Promise<string> {
  const path = join(folder, 'a.csv');
  const rows = ['T0', 'T1', 'T2'].flatMap((ticker) =>
    [2, 3, 4, 5, 8, 9].map((date) => `2024-01-0${date},${ticker},${100 + date}`),
  );
  await writeFile(path, ['date,ticker,adj_close', ...rows, ''].join('\n'));
  return path;
}

describe('a damaged version', () => {
  const damage = async (change: (prices: string, assets: string) => Promise<void>) => {
    const { manifest } = await importFiles({ dataDir, files: [await file()], now: new Date() });
    const home = join(dataDir, 'market-data', 'versions', manifest.version);
    await change(join(home, 'prices.bin'), join(home, 'assets.json'));
    return manifest.version;
  };

  it('is refused when its price file was cut off, and another one can be used', async () => {
    const version = await damage(async (prices) => truncate(prices, (await stat(prices)).size - 10));
    await expect(marketData.load(version, ['T0'])).rejects.toMatchObject({ code: 'data_set_damaged' });
    const again = await importFiles({
      dataDir,
      files: [await file()],
      now: new Date(),
      dropOthers: true,
    });
    expect((await marketData.current()).version).toBe(again.manifest.version);
    await expect(marketData.use(version)).rejects.toMatchObject({ code: 'data_set_damaged' });
  });

  it('is refused where a price was changed', async () => {
    const version = await damage(async (prices) => {
      const bytes = await readFile(prices);
      const at = bytes.length - 6;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(prices, bytes);
    });
    await expect(marketData.load(version, ['T0', 'T1', 'T2'])).rejects.toMatchObject({
      code: 'data_set_damaged',
    });
  });

  it('is refused where its list of assets was cut off', async () => {
    const version = await damage(async (_prices, assets) => truncate(assets, 200));
    await expect(marketData.assets(version)).rejects.toMatchObject({ code: 'data_set_damaged' });
  });
});
