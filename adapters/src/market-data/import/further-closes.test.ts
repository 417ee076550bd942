import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { type ImportOptions, importFiles } from './import-files.ts';

const NOW = new Date('2024-06-03T12:00:00Z');
const DAYS = sessionsBetween(19_300, 19_874).slice(-60);
/** On this day two shares were made of one, and twenty days later a dividend of one percent was paid. */
const SPLIT = 20;
const DIVIDEND = 40;
/** What was paid for a share, to the cent. */
const RAW = Array.from(DAYS, (_, i) => Number((200 + i + 3 * Math.sin(i)).toFixed(2)) / (i < SPLIT ? 1 : 2));
const SPLITS = RAW.map((price, i) => price / (i < SPLIT ? 2 : 1));
const ADJUSTED = SPLITS.map((price, i) => price * (i < DIVIDEND ? 0.99 : 1));

let folder: string;
let dataDir: string;
let marketData: MarketDataFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'further-'));
  dataDir = join(folder, 'data');
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

type Row = (i: number, date: string) => string;

async function file(name: string, header: string, row: Row, from = 0, to = DAYS.length): Promise<string> {
  const lines = Array.from({ length: to - from }, (_, k) =>
    row(from + k, formatDay(DAYS[from + k] as number)),
  );
  const path = join(folder, name);
  await writeFile(path, `${header}\n${lines.join('\n')}\n`);
  return path;
}

const importNow = (path: string | readonly string[], more: Partial<ImportOptions> = {}) =>
  importFiles({ dataDir, files: [path].flat(), now: NOW, ...more });

/** The closes of a name, with its days. */
async function load(name: string): Promise<{ days: number[]; closes: number[] } | null> {
  const { version } = await marketData.current();
  const series = (await marketData.load(version, [name])).get(name);
  return series ? { days: [...series.days], closes: [...series.closes] } : null;
}

const near = (wanted: readonly number[]) => wanted.map((price) => expect.closeTo(price, 9));

const YAHOO = 'Date,Open,High,Low,Close,Adj Close,Volume';
const yahoo: Row = (i, date) => `${date},1,1,1,${SPLITS[i]},${ADJUSTED[i]},100`;
const TIINGO =
  'date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor';
const tiingo: Row = (i, date) =>
  `${date},${RAW[i]},1,1,1,100,${ADJUSTED[i]},1,1,1,100,0.0,${i === SPLIT ? '2.0' : '1.0'}`;
const EODHD = 'Date,Open,High,Low,Close,Adjusted_close,Volume';
const LONG = 'date,ticker,close,adj_close';

describe('closes beside the adjusted ones', () => {
  it('of Yahoo are adjusted for splits', async () => {
    const { report } = await importNow(await file('SPY.csv', YAHOO, yahoo));
    expect((await load('SPY'))?.closes).toEqual(ADJUSTED);
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS);
    expect((await load('SPY|splits'))?.days).toEqual([...DAYS]);
    expect(await load('SPY|raw')).toBeNull();
    expect(report.notes.join()).toContain(
      'adjusted for splits only are kept beside the adjusted ones for 1 ticker',
    );
    const { version } = await marketData.current();
    expect((await marketData.assets(version)).find(({ ticker }) => ticker === 'SPY')?.furtherBases).toEqual([
      'splits',
    ]);
  });

  it('of Tiingo are what was paid, and its factors make those adjusted for splits', async () => {
    await importNow(await file('SPY.csv', TIINGO, tiingo));
    expect((await load('SPY'))?.closes).toEqual(ADJUSTED);
    expect((await load('SPY|raw'))?.closes).toEqual(RAW);
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS);
  });

  it('of Alpha Vantage likewise', async () => {
    const header = 'timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient';
    const row: Row = (i, date) =>
      `${date},1,1,1,${RAW[i]},${ADJUSTED[i]},100,0.0,${i === SPLIT ? '2.0' : '1.0'}`;
    await importNow(await file('daily_adjusted_SPY.csv', header, row));
    expect((await load('SPY|raw'))?.closes).toEqual(RAW);
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS);
  });

  it('of EODHD are what was paid, and both where there was no split', async () => {
    const row: Row = (i, date) => `${date},1,1,1,${RAW[i]},${ADJUSTED[i]},100`;
    await importNow([await file('AAA.csv', EODHD, row), await file('BBB.csv', EODHD, row, SPLIT)]);
    expect((await load('AAA|raw'))?.closes).toEqual(RAW);
    expect(await load('AAA|splits')).toBeNull();
    expect((await load('BBB|raw'))?.closes).toEqual(RAW.slice(SPLIT));
    expect((await load('BBB|splits'))?.closes).toEqual(RAW.slice(SPLIT));
  });

  it('of a file that says nothing are told by the step that a split makes', async () => {
    const rows =
      (prices: readonly number[], ticker: string): Row =>
      (i, date) =>
        `${date},${ticker},${prices[i]},${ADJUSTED[i]}`;
    await importNow([
      await file('a.csv', LONG, rows(RAW, 'AAA')),
      await file('b.csv', LONG, rows(SPLITS, 'BBB')),
    ]);
    expect((await load('AAA|raw'))?.closes).toEqual(RAW);
    expect(await load('AAA|splits')).toBeNull();
    expect((await load('BBB|splits'))?.closes).toEqual(SPLITS);
    expect(await load('BBB|raw')).toBeNull();
  });

  it('are found in the tables of yfinance, with one column for each ticker', async () => {
    const header = 'Price,Adj Close,Adj Close,Close,Close\nTicker,AAA,BBB,AAA,BBB\nDate,,,,';
    const row: Row = (i, date) =>
      `${date},${ADJUSTED[i]},${i < 5 ? '' : ADJUSTED[i]},${SPLITS[i]},${i < 5 ? '' : SPLITS[i]}`;
    await importNow(await file('prices.csv', header, row));
    expect((await load('AAA|splits'))?.closes).toEqual(SPLITS);
    expect((await load('BBB|splits'))?.closes).toEqual(SPLITS.slice(5));
    expect((await load('BBB'))?.closes).toEqual(ADJUSTED.slice(5));
  });

  it('may be written with thousands where the adjusted ones need none', async () => {
    const row: Row = (i, date) => `${date},AAA,"1,${String(100 + i)}.50",${900 + i}.25`;
    await importNow(await file('a.csv', LONG, row));
    expect((await load('AAA|splits'))?.closes).toEqual(Array.from(DAYS, (_, i) => 1100.5 + i));
  });

  it('may be missing on days', async () => {
    const row: Row = (i, date) => `${date},AAA,${i === 3 ? '' : i === 4 ? 'n/a' : SPLITS[i]},${ADJUSTED[i]}`;
    await importNow(await file('a.csv', LONG, row));
    expect((await load('AAA'))?.closes).toEqual(ADJUSTED);
    expect((await load('AAA|splits'))?.closes).toEqual(SPLITS.filter((_, i) => i !== 3 && i !== 4));
  });

  it('come from a name in any spelling, and from no other', async () => {
    await importNow(await file('BRK-B.csv', YAHOO, yahoo));
    expect((await load('brk.b|splits'))?.closes).toEqual(SPLITS);
    for (const name of ['NOPE|splits', '|splits', 'BRK-B|', 'BRK-B|splits|splits', '@VIX|splits'])
      expect(await load(name)).toBeNull();
  });

  it('of a ticker whose only closes are on that basis are these', async () => {
    await importNow(
      await file('SPY.csv', 'window_start,ticker,close,transactions', (i, date) => `${date},SPY,${RAW[i]},5`),
    );
    expect((await load('SPY|raw'))?.closes).toEqual(RAW);
    expect(await load('SPY|splits')).toBeNull();
  });
});

describe('an import of further days', () => {
  it('adds to both', async () => {
    await importNow(await file('SPY.csv', YAHOO, yahoo, DIVIDEND, 50));
    const { report } = await importNow(await file('SPY.csv', YAHOO, yahoo, 45));
    expect(report.series?.[0]).toMatchObject({ action: 'appended', added: 10 });
    expect((await load('SPY'))?.closes).toEqual(ADJUSTED.slice(DIVIDEND));
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS.slice(DIVIDEND));
  });

  it('leaves those adjusted for splits as they are where a dividend has moved the others', async () => {
    const before = ADJUSTED.map((price) => price / 0.99);
    await importNow(
      await file('SPY.csv', YAHOO, (i, date) => `${date},1,1,1,${SPLITS[i]},${before[i]},1`, 0, DIVIDEND),
    );
    await importNow(await file('SPY.csv', YAHOO, yahoo, DIVIDEND - 5));
    expect((await load('SPY'))?.closes).toEqual(near(ADJUSTED));
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS);
  });

  it('puts them on the new basis behind a split, and not those that were paid', async () => {
    const now: Row = (i, date) =>
      `${date},${RAW[i]},1,1,1,100,${SPLITS[i]},1,1,1,100,0.0,${i === SPLIT ? '2.0' : '1.0'}`;
    const then: Row = (i, date) => `${date},${RAW[i]},1,1,1,100,${RAW[i]},1,1,1,100,0.0,1.0`;
    await importNow(await file('SPY.csv', TIINGO, then, 0, SPLIT));
    await importNow(await file('SPY.csv', TIINGO, now, SPLIT - 6));
    expect((await load('SPY'))?.closes).toEqual(near(SPLITS));
    expect((await load('SPY|splits'))?.closes).toEqual(near(SPLITS));
    expect((await load('SPY|raw'))?.closes).toEqual(RAW);
  });

  it('keeps what its file lacks', async () => {
    await importNow(await file('SPY.csv', YAHOO, yahoo, 0, 50));
    await importNow(
      await file('b.csv', 'date,ticker,adj_close', (i, date) => `${date},SPY,${ADJUSTED[i]}`, 45),
    );
    expect((await load('SPY'))?.closes).toEqual(ADJUSTED);
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS.slice(0, 50));
    // And so does an import of another ticker.
    await importNow(await file('QQQ.csv', YAHOO, yahoo));
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS.slice(0, 50));
  });

  it('gives a ticker of before its second basis', async () => {
    await importNow(await file('b.csv', 'date,ticker,adj_close', (i, date) => `${date},SPY,${ADJUSTED[i]}`));
    expect(await load('SPY|splits')).toBeNull();
    await importNow(await file('SPY.csv', YAHOO, yahoo));
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS);
  });

  it('drops the ones that a split has outdated where its file has none, and says so', async () => {
    const then: Row = (i, date) => `${date},1,1,1,${RAW[i]},${RAW[i]},1`;
    await importNow(await file('SPY.csv', YAHOO, then, 0, SPLIT));
    const { report } = await importNow(
      await file('b.csv', 'date,ticker,adj_close', (i, date) => `${date},SPY,${SPLITS[i]}`, SPLIT - 6),
    );
    expect(report.series?.[0]?.remark).toContain('its closes that are adjusted for splits only are gone');
    expect(await load('SPY|splits')).toBeNull();
  });

  it('is refused where they differ, and may keep what is stored', async () => {
    await importNow(await file('SPY.csv', YAHOO, yahoo, 0, 50));
    const other: Row = (i, date) =>
      `${date},1,1,1,${(SPLITS[i] as number) + (i === 47 ? 1 : 0)},${ADJUSTED[i]},1`;
    const path = await file('SPY.csv', YAHOO, other, 45);
    await expect(importNow(path)).rejects.toThrow(
      'the stored closes that are adjusted for splits only differ from these',
    );
    expect((await load('SPY|splits'))?.closes).toHaveLength(50);
    await importNow(path, { keepDifferent: true });
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS.slice(0, 50));
    await importNow(path, { replace: true });
    expect((await load('SPY|splits'))?.closes).toHaveLength(15);
  });

  it('is refused where what was paid is another price by now', async () => {
    const of =
      (times: number): Row =>
      (i, date) =>
        `${date},${times * (RAW[i] as number)},1,1,1,100,${ADJUSTED[i]},1,1,1,100,0.0,1.0`;
    await importNow(await file('SPY.csv', TIINGO, of(1), SPLIT + 1, 50));
    await expect(importNow(await file('SPY.csv', TIINGO, of(2), SPLIT + 5))).rejects.toThrow(
      'the stored closes that are not adjusted differ from these',
    );
  });

  it('is refused where its files have them on two bases', async () => {
    const files = [
      await file('SPY_1.csv', LONG, (i, date) => `${date},SPY,${SPLITS[i]},${ADJUSTED[i]}`, SPLIT, 45),
      await file(
        'SPY_2.csv',
        LONG,
        (i, date) => `${date},SPY,${2 * (SPLITS[i] as number)},${ADJUSTED[i]}`,
        SPLIT + 5,
      ),
    ];
    await expect(importNow(files)).rejects.toThrow(
      'the closes that are adjusted for splits only differ between the files',
    );
  });

  it('joins them from several files, where all have them', async () => {
    await importNow([
      await file('SPY_1.csv', LONG, (i, date) => `${date},SPY,${SPLITS[i]},${ADJUSTED[i]}`, DIVIDEND, 52),
      await file('SPY_2.csv', LONG, (i, date) => `${date},SPY,${SPLITS[i]},${ADJUSTED[i]}`, 50),
    ]);
    expect((await load('SPY|splits'))?.closes).toEqual(SPLITS.slice(DIVIDEND));
  });
});
