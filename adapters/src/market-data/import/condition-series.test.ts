import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMarketDataFiles } from '../files/market-data-files.ts';
import { type ImportOptions, importFiles, previewImport } from './import-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'condition-series-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function importNow(files: Record<string, string>, options: Partial<ImportOptions> = {}) {
  return importFiles(await wanted(files, options));
}
async function wanted(
  files: Record<string, string>,
  options: Partial<ImportOptions> = {},
): Promise<ImportOptions> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return {
    dataDir: join(folder, 'data'),
    files: Object.keys(files).map((name) => join(folder, name)),
    now: new Date('2024-02-01T12:00:00Z'),
    ...options,
  };
}

/** Monday 2024-01-08 to Friday 2024-01-12. */
const PRICES = {
  'SPY.csv': 'date,close\n2024-01-08,470\n2024-01-09,471\n2024-01-10,472\n2024-01-11,473\n2024-01-12,474\n',
};
const VIX =
  'observation_date,VIXCLS\n2024-01-05,13.35\n2024-01-08,13.08\n2024-01-09,12.76\n2024-01-10,\n2024-01-11,12.44\n';

async function shown(name: string): Promise<string[]> {
  await using marketData = await openMarketDataFiles({
    dataDir: join(folder, 'data'),
    simulatedTickers: false,
  });
  const { version } = await marketData.current();
  const series = (await marketData.load(version, [name])).get(name);
  return [...(series?.days ?? [])].map((at, i) => `${formatDay(at)} ${series?.closes[i]}`);
}

async function listed() {
  await using marketData = await openMarketDataFiles({
    dataDir: join(folder, 'data'),
    simulatedTickers: false,
  });
  const { version } = await marketData.current();
  return {
    assets: (await marketData.assets(version)).map(({ ticker }) => ticker),
    series: (await marketData.conditionSeries?.(version))?.map(({ name }) => name),
  };
}

describe('series for conditions', () => {
  it('takes FRED’s file as a series, known on the next day, beside the assets and not among them', async () => {
    await importNow({ ...PRICES, 'whatever.csv': VIX });
    expect(await listed()).toEqual({ assets: ['SPY'], series: ['@VIXCLS'] });
    expect(await shown('@VIXCLS')).toEqual([
      '2024-01-08 13.35',
      '2024-01-09 13.08',
      '2024-01-10 12.76',
      '2024-01-11 12.76',
      '2024-01-12 12.44',
    ]);
    expect(await shown('VIXCLS')).toEqual([]);
  });

  it.each([
    ['FRED’s file of before, by its name', 'VIXCLS.csv', 'DATE,VIXCLS\n2024-01-05,13.35\n2024-01-08,13.08\n'],
    [
      'FRED’s file of before, by its full stops',
      'x.csv',
      'DATE,VIXCLS\n2024-01-04,14.13\n2024-01-05,.\n2024-01-08,13.08\n',
    ],
  ])('%s', async (_, name, content) => {
    await importNow({ ...PRICES, [name]: content });
    expect(await shown('@VIXCLS')).toEqual(expect.arrayContaining(['2024-01-09 13.08']));
    expect((await listed()).assets).toEqual(['SPY']);
  });

  it('takes a column of a known ticker for prices', async () => {
    await importNow(PRICES);
    await importNow({ 'SPY.csv': 'DATE,SPY\n2024-01-12,474\n2024-01-15,475\n' });
    expect((await listed()).series).toEqual([]);
    expect(await shown('SPY')).toEqual(expect.arrayContaining(['2024-01-15 475']));
  });

  it('reads any file that is called a series, with its lag, and keeps values below zero', async () => {
    await importNow(PRICES);
    const { report } = await importNow(
      { 'mine.csv': 'Datum;Wert\n05.01.2024;-0,5\n16.01.2023;1.000,25\n' },
      { series: '@mine', lagDays: 4 },
    );
    expect(report.conditionSeries).toEqual([
      expect.objectContaining({ name: '@MINE', lagDays: 4, before: 0, after: 2, added: 2 }),
    ]);
    const found = await shown('@MINE');
    expect(found.slice(-4)).toEqual(
      ['2024-01-09', '2024-01-10', '2024-01-11', '2024-01-12'].map((at) => `${at} -0.5`),
    );
    expect(found.find((line) => line.startsWith('2024-01-08'))).toBe('2024-01-08 1000.25');
  });

  it('appends, and neither an import of prices nor one of other series loses what is there', async () => {
    await importNow({ ...PRICES, 'vix.csv': VIX });
    await importNow({ 'vix.csv': 'observation_date,VIXCLS\n2024-01-11,12.5\n2024-01-12,12.7\n' });
    await importNow({ 'GDP.csv': 'observation_date,GDP\n2023-07-01,1\n2023-10-01,2\n' });
    const { report } = await importNow({ 'SPY.csv': 'date,close\n2024-01-12,474\n2024-01-16,475\n' });
    expect(report.conditionSeries).toBeUndefined();
    expect((await listed()).series).toEqual(['@VIXCLS', '@GDP']);
    expect(await shown('@VIXCLS')).toEqual(
      expect.arrayContaining(['2024-01-08 13.35', '2024-01-12 12.5', '2024-01-16 12.7']),
    );
  });

  it('tells in a preview what would change', async () => {
    await importNow({ ...PRICES, 'vix.csv': VIX });
    const report = await previewImport(
      await wanted({ 'vix.csv': 'observation_date,VIXCLS\n2024-01-11,12.5\n2024-01-12,12.7\n' }),
    );
    expect(report.conditionSeries).toEqual([
      expect.objectContaining({ before: 4, after: 5, added: 1, changed: 1, kept: 3 }),
    ]);
    expect(await shown('@VIXCLS')).toEqual(expect.arrayContaining(['2024-01-12 12.44']));
  });

  it('is careful with months: a value of January is not known in January', async () => {
    const months = Array.from(
      { length: 24 },
      (_, i) => `${2022 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01,${i}`,
    );
    await importNow({ ...PRICES, 'CPIAUCSL.csv': `observation_date,CPIAUCSL\n${months.join('\n')}\n` });
    const known = await shown('@CPIAUCSL');
    for (const line of known) {
      const [at = '', value = ''] = line.split(' ');
      const ofMonth = day((months[Number(value)] ?? '').slice(0, 10));
      expect(day(at) - ofMonth).toBeGreaterThanOrEqual(62);
    }
    expect(known.at(-1)).toBe('2024-01-12 22');
  });

  it.each([
    [
      'a series where there are no prices',
      { 'vix.csv': VIX },
      {},
      /conditions only, and there are no prices yet/,
    ],
    [
      'a name that is none',
      { 'a.csv': 'date,value\n2024-01-08,1\n' },
      { series: 'a b' },
      /no name of a series/,
    ],
    [
      'two columns of numbers',
      { 'a.csv': 'date,x,y\n2024-01-08,1,2\n' },
      { series: 'A' },
      /several columns of numbers \(x, y\)/,
    ],
    ['no dates', { 'a.csv': 'x,y\n1,2\n' }, { series: 'A' }, /no column of dates/],
    [
      'dates that can be both',
      { 'a.csv': 'x,y\n01/02/2024,2\n02/02/2024,2\n' },
      { series: 'A' },
      /--dates day-first/,
    ],
    ['one name for several files', { 'a.csv': VIX, 'b.csv': VIX }, { series: 'A' }, /one file; these are 2/],
    [
      'a series as the ticker of a file',
      { 'a.csv': 'date,close\n2024-01-08,1\n' },
      { ticker: '@VIXCLS' },
      /"@VIXCLS" is not a ticker/,
    ],
    [
      'a series in a column of tickers',
      { 'a.csv': 'date,ticker,close\n2024-01-08,@VIXCLS,1\n' },
      {},
      /bad ticker/,
    ],
  ])('refuses %s', async (_, files, options, message) => {
    await expect(importNow(files, options)).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(message),
    });
  });
});
