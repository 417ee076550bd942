import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { type ImportOptions, importFiles, previewImport } from './import-files.ts';

const NOW = new Date('2024-06-03T12:00:00Z');
/** 2022-11-11 to 2024-05-31: 390 sessions. */
const DAYS = sessionsBetween(19_300, 19_874).slice(-390);
/** Prices as computed, with all their digits. */
const PRICES = Array.from(DAYS, (_, i) => 100 * Math.exp(0.0004 * i + 0.05 * Math.sin(i / 9)));

let folder: string;
let dataDir: string;
let marketData: MarketDataFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'append-'));
  dataDir = join(folder, 'data');
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

/** A long file of the days from `from` to before `to`, each price times `factor`. */
async function csv(
  name: string,
  from: number,
  to: number,
  more: {
    factor?: number;
    ticker?: string;
    column?: string;
    edit?: (price: number, i: number) => number;
  } = {},
): Promise<string> {
  const { factor = 1, ticker = 'SPY', column = 'adj_close', edit = (price) => price } = more;
  const rows = Array.from(DAYS)
    .slice(from, to)
    .map((day, i) => `${formatDay(day)},${ticker},${edit((PRICES[from + i] as number) * factor, from + i)}`);
  const path = join(folder, name);
  await writeFile(path, `date,ticker,${column}\n${rows.join('\n')}\n`);
  return path;
}

const importNow = (files: readonly string[], more: Partial<ImportOptions> = {}) =>
  importFiles({ dataDir, files, now: NOW, ...more });

async function closes(ticker = 'SPY'): Promise<number[]> {
  const { version } = await marketData.current();
  return [...((await marketData.load(version, [ticker])).get(ticker)?.closes ?? [])];
}

describe('an import of a known ticker', () => {
  it('appends the new days where the others agree', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    const { report } = await importNow([await csv('b.csv', 370, 390)]);
    expect(await closes()).toEqual(PRICES);
    expect(report.series).toEqual([
      {
        ticker: 'SPY',
        action: 'appended',
        before: 378,
        after: 390,
        added: 12,
        changed: 0,
        lost: 0,
        changedFrom: null,
        addedFrom: '2024-05-15',
        files: ['b.csv'],
      },
    ]);
  });

  it('appends days right behind the stored ones, and says what could not be seen', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    const { report } = await importNow([await csv('b.csv', 378, 390)]);
    expect(await closes()).toEqual(PRICES);
    expect(report.series?.[0]?.remark).toContain('no day in common');
  });

  it('refuses days that are apart from the stored ones', async () => {
    await importNow([await csv('a.csv', 0, 300)]);
    const path = await csv('b.csv', 378, 390);
    await expect(importNow([path])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('there is no day in common, and between'),
    });
    expect(await closes()).toHaveLength(300);
  });

  it('refuses a seam that looks like a split', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    await expect(importNow([await csv('b.csv', 378, 390, { factor: 0.5 })])).rejects.toThrow(
      'a split lies between',
    );
  });

  it('puts the stored days on a new basis, and says so', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    const { report } = await importNow([await csv('b.csv', 360, 390, { factor: 0.25 })]);
    const after = await closes();
    expect(after).toHaveLength(390);
    for (const [i, close] of after.entries())
      expect(close / ((PRICES[i] as number) * 0.25)).toBeCloseTo(1, 9);
    expect(report.series?.[0]).toMatchObject({
      action: 'rescaled',
      before: 378,
      after: 390,
      added: 12,
      changed: 378,
    });
    expect(report.series?.[0]?.remark).toContain('factor 0.250000 (a split of 4:1?)');
  });

  it('replaces a series whose whole history came on a new basis', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    const { report } = await importNow([await csv('b.csv', 0, 390, { factor: 0.99 })]);
    expect(await closes()).toEqual(PRICES.map((price) => price * 0.99));
    expect(report.series?.[0]).toMatchObject({ action: 'replaced', added: 12, changed: 378, lost: 0 });
  });

  it('refuses another past with its days, unless told to replace it or to keep what there is', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    await importNow([await csv('q.csv', 0, 378, { ticker: 'QQQ' })]);
    const edit = (price: number, i: number) => (i === 375 ? price * 1.01 : price);
    const other = await csv('b.csv', 370, 390, { edit });
    const fine = await csv('c.csv', 370, 390, { ticker: 'QQQ' });
    await expect(importNow([other, fine])).rejects.toMatchObject({
      message: expect.stringContaining(
        `SPY: 1 of 8 common days have another price (${formatDay(DAYS[375] as number)}`,
      ),
    });
    expect(await closes('QQQ')).toHaveLength(378);
    const { report } = await importNow([other, fine], { keepDifferent: true });
    expect(await closes()).toEqual(PRICES.slice(0, 378));
    expect(await closes('QQQ')).toHaveLength(390);
    expect(report.series?.map(({ ticker, action }) => `${ticker} ${action}`)).toEqual([
      'QQQ appended',
      'SPY kept',
    ]);
    const replaced = await importNow([other], { replace: true });
    expect(await closes()).toHaveLength(20);
    expect(replaced.report.series?.[0]).toMatchObject({
      action: 'replaced',
      before: 378,
      after: 20,
      lost: 370,
    });
    expect(await closes('QQQ')).toHaveLength(390);
  });

  it('keeps days that a file leaves out', async () => {
    await importNow([await csv('a.csv', 0, 378)]);
    const path = await csv('b.csv', 300, 390);
    const { readFile } = await import('node:fs/promises');
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines.splice(10, 5);
    await writeFile(path, lines.join('\n'));
    await importNow([path]);
    expect(await closes()).toEqual(PRICES);
  });

  it('shows what it would do, and changes nothing', async () => {
    const first = await importNow([await csv('a.csv', 0, 378)]);
    const report = await previewImport({ dataDir, files: [await csv('b.csv', 370, 390)], now: NOW });
    expect(report).toMatchObject({ problems: [], series: [{ action: 'appended', added: 12 }] });
    const other = await csv('c.csv', 370, 390, { edit: (price, i) => (i === 375 ? price * 1.01 : price) });
    const refused = await previewImport({ dataDir, files: [other], now: NOW });
    expect(refused.problems?.[0]).toContain('another price');
    expect(await marketData.current()).toEqual(first.manifest);
  });
});

describe('several files of one ticker', () => {
  it('joins files that agree where they overlap', async () => {
    const { report } = await importNow([await csv('a.csv', 0, 200), await csv('b.csv', 190, 390)]);
    expect(await closes()).toEqual(PRICES);
    expect(report.series?.[0]?.files).toEqual(['a.csv', 'b.csv']);
    expect(report.rejectedRows).toBe(0);
  });

  it('joins files of the same columns that follow each other', async () => {
    await importNow([await csv('a.csv', 0, 200), await csv('b.csv', 200, 390)]);
    expect(await closes()).toEqual(PRICES);
  });

  it.each([
    [
      'of another basis',
      { factor: 0.5 },
      100,
      'SPY is in a.csv and b.csv, and the second is the first times 0.5',
    ],
    [
      'with another price',
      { edit: (p: number, i: number) => (i === 150 ? p * 1.02 : p) },
      100,
      'different prices on 1 of 100',
    ],
    ['behind it, of another column', { column: 'close' }, 200, 'different prices (adj_close and close)'],
    ['behind it, at another level', { factor: 0.2 }, 200, 'the price moves by -80%'],
  ])('refuses a file %s, naming both', async (_, more, from, sentence) => {
    const files = [await csv('a.csv', 0, 200), await csv('b.csv', from, 390, more)];
    await expect(importNow(files)).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(/a\.csv and b\.csv/),
    });
    await expect(importNow(files)).rejects.toThrow(sentence);
    expect((await marketData.current()).isSimulated).toBe(true);
  });
});

describe('the order of day and month', () => {
  const byDate = async (
    name: string,
    days: readonly number[],
    write: (y: string, m: string, d: string) => string,
  ) => {
    const rows = days.flatMap((day) => {
      const [y = '', m = '', d = ''] = formatDay(day).split('-');
      return ['SPY', 'QQQ'].map((ticker, i) => `${write(y, m, d)},${ticker},${100 + i + (day % 7)}`);
    });
    const path = join(folder, name);
    await writeFile(path, `date,ticker,close\n${rows.join('\n')}\n`);
    return path;
  };
  const dayFirst = (y: string, m: string, d: string) => `${d}/${m}/${y}`;

  it('is decided by all dates of a file, not by the first', async () => {
    // The first 1,000 rows can be read both ways.
    const low = Array.from(DAYS).filter((day) => Number(formatDay(day).slice(8)) <= 12);
    const path = await byDate('a.csv', [...low, ...Array.from(DAYS).slice(-15)], dayFirst);
    const { report } = await importNow([path], { allowBadRows: true });
    expect(report.notes.join()).toContain('Dates are read day first');
    expect(report.firstDay).toBe(formatDay(Math.min(...low)));
    expect(report.rejectedByReason).toEqual({ duplicate_day: expect.any(Number) });
  });

  it('is asked for where both readings are possible, and taken as told', async () => {
    const day = 19_844;
    expect(formatDay(day)).toBe('2024-05-01');
    const path = await byDate('a.csv', [day, day + 1, day + 2], dayFirst);
    await expect(importNow([path])).rejects.toMatchObject({
      code: 'import_refused',
      question: 'dates',
      message: expect.stringContaining('Say it with --dates day-first or --dates month-first'),
    });
    const { report } = await importNow([path], { dates: 'day_first' });
    expect([report.firstDay, report.lastDay]).toEqual(['2024-05-01', '2024-05-03']);
  });

  it('publishes nothing of a file of which more than 2% cannot be right, unless told to', async () => {
    const path = await csv('a.csv', 0, 100, { edit: (price, i) => (i % 30 === 0 ? -1 : price) });
    await expect(importNow([path])).rejects.toThrow('4 of 100 rows cannot be right (4.0%, more than 2%)');
    expect((await marketData.current()).isSimulated).toBe(true);
    const { report } = await importNow([path], { allowBadRows: true });
    expect(report).toMatchObject({ rows: 96, rejectedRows: 4 });
    await importNow([await csv('b.csv', 0, 100, { edit: (price, i) => (i === 30 ? -1 : price) })]);
  });
});
