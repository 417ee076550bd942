import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { formatDay } from '@quantloom/domain/market-data/day';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { type ImportOptions, importFiles } from './import-files.ts';

const NOW = new Date('2024-06-03T12:00:00Z');
const SHIPPED = new URL('../../../../docs/examples/public_domain.csv.gz', import.meta.url).pathname;

let folder: string;
let dataDir: string;
let marketData: MarketDataFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  dataDir = join(folder, 'data');
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const importNow = (files: readonly string[], more: Partial<ImportOptions> = {}) =>
  importFiles({ dataDir, files, now: NOW, ...more });

/** `YYYY-MM-DD close` lines of a ticker in the current version. */
async function prices(ticker: string): Promise<string[]> {
  const { version } = await marketData.current();
  const series = (await marketData.load(version, [ticker])).get(ticker);
  return series ? [...series.days].map((day, i) => `${formatDay(day)} ${series.closes[i]}`) : [];
}

describe('importFiles', () => {
  it('takes simulated series that a file brings along', async () => {
    const path = await file(
      'own.csv',
      'date,ticker,adj_close\n2024-01-02,SPY,1.5\n2024-01-02,SIM:GLD,7\n2024-01-03,SIM:GLD,7.1\n2024-01-03,SPY,2\n',
    );
    const { report } = await importNow([path]);
    expect(report.rejectedByReason).toEqual({});
    expect(await prices('SIM:GLD')).toEqual(['2024-01-02 7', '2024-01-03 7.1']);
  });

  it('takes the long form, and the version is current for a service that runs', async () => {
    expect((await marketData.current()).isSimulated).toBe(true);
    const path = await file(
      'a.csv',
      'date,ticker,adj_close,name\n2024-01-03,SPY,2\n2024-01-02,SPY,1.5,"S&P, 500"\n2024-01-02,brk.b,3\n',
    );
    const { manifest, report } = await importNow([path]);
    expect(await marketData.current()).toEqual(manifest);
    expect(manifest).toMatchObject({
      isSimulated: false,
      assetCount: 2,
      lastDay: '2024-01-03',
      label: 'a.csv',
    });
    expect(await prices('SPY')).toEqual(['2024-01-02 1.5', '2024-01-03 2']);
    expect(await prices('BRKB')).toEqual(['2024-01-02 3']);
    expect(report).toMatchObject({ rows: 3, tickers: 2, rejectedRows: 0, firstDay: '2024-01-02' });
    const spy = (await marketData.assets(manifest.version)).find(({ ticker }) => ticker === 'SPY');
    expect(spy).toMatchObject({ name: 'S&P, 500', adjustment: 'splits_and_dividends', isSimulated: false });
    expect(await marketData.report(manifest.version)).toEqual(report);
  });

  it.each([
    ['Date,Open,Close,Adj Close,Volume\n2024-01-02,9,9,1.5,7\n', '1.5'],
    ['timestamp;close\n2024-01-02 00:00:00-05:00;1.5\n', '1.5'],
    ['date\tadjusted_close\n2024-01-02T05:00:00Z\t1.5\n', '1.5'],
    ['"Date","Adj. Close"\r\n"2024-01-02","1.5"\r\n', '1.5'],
    ['\uFEFFdate,close\n20240102,1.5\n', '1.5'],
    ['date,close\n01/02/2024,1.5\n01/31/2024,2\n', '1.5'],
    ['date,close\n02/01/2024,1.5\n31/01/2024,2\n', '1.5'],
    ['date,close\n2024/01/02,1.5', '1.5'],
    ['timestamp,adjclose\n1704153600,1.5\n', '1.5'],
    ['date,Close (USD)\n2024-01-02,1.5\n', '1.5'],
    ['date,Close [sek]\n2024-01-02,1.5\n', '1.5'],
    ['timestamp,adjclose\n1704153600000,15e-1\n', '1.5'],
  ])('takes one file per ticker in the form %j', async (content, close) => {
    await importNow([await file('xyz.us.csv', content)]);
    expect((await prices('XYZ'))[0]).toBe(`2024-01-02 ${close}`);
  });

  it('takes Parquet, of dates and of texts', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const long = join(folder, 'long.parquet');
    const single = join(folder, 'QQQ.parquet');
    await connection.run(`COPY (SELECT DATE '2024-01-02' AS date, 'SPY' AS symbol, 1.5 AS "Adj Close" UNION ALL
      SELECT DATE '2024-01-06', 'SPY', 2 ORDER BY 1) TO '${long}' (FORMAT parquet)`);
    await connection.run(
      `COPY (SELECT TIMESTAMP '2024-01-02 00:00:00' AS "Date", 7::DOUBLE AS close) TO '${single}' (FORMAT parquet)`,
    );
    const epoch = join(folder, 'GLD.parquet');
    await connection.run(
      `COPY (SELECT 1704153600::BIGINT AS timestamp, 8.5::FLOAT AS price) TO '${epoch}' (FORMAT parquet)`,
    );
    connection.closeSync();
    const { report } = await importNow([long, single, epoch], { allowBadRows: true });
    expect(await prices('GLD')).toEqual(['2024-01-02 8.5']);
    expect(await prices('SPY')).toEqual(['2024-01-02 1.5']);
    expect(await prices('QQQ')).toEqual(['2024-01-02 7']);
    expect(report.rejected).toEqual([
      { file: 'long.parquet', line: 2, reason: 'weekend', ticker: 'SPY', date: '2024-01-06', price: '2.0' },
    ]);
    expect(report.notes.join()).toContain('The prices of 2 files');
  });

  it('reports every row that it leaves out, with its line and reason', async () => {
    const rows = [
      'date,ticker,adj_close',
      '2024-01-02,SPY,1', // 2
      '2024-02-30,SPY,1', // 3
      'yesterday,SPY,1', // 4
      '2024-01-06,SPY,1', // 5, a Saturday
      '', // 6
      '2024-01-03,SPY,0', // 7
      '2024-01-04,SPY,-1', // 8
      '2024-01-05,SPY,NaN', // 9
      '2024-01-05,SPY,inf', // 10
      '2024-01-05,SPY,', // 11
      '2024-01-05,SPY,"1,5"', // 12
      '2024-01-02,SPY,1.1', // 13
      '2024-01-05,$A,1', // 14
      '2034-01-05,SPY,1', // 15
      '2024-01-05,SPY,1,2,3', // 16
      '2024-01-05,SPY', // 17
      '2024-01-08,"SP', // 18
      'Y",1', // 19: the end of a ticker with a line break
      '2024-01-09,SPY,2', // 20
      ',,', // 21
      '2024-01-10,SPY,2', // 22
      '2024-01-10,SPY,2.0', // 23
    ];
    for (const name of ['a.csv', 'b.csv.gz', 'windows.csv']) {
      const content = rows.join(name === 'windows.csv' ? '\r\n' : '\n');
      const path = await file(name, name.endsWith('gz') ? gzipSync(content) : content);
      const { report } = await importNow([path], { allowBadRows: true, replace: true });
      expect(report.rejected.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
        '2 conflicting_price',
        '3 bad_date',
        '4 bad_date',
        '5 weekend',
        '7 non_positive_price',
        '8 non_positive_price',
        '9 missing_price',
        '10 bad_price',
        '11 missing_price',
        '12 bad_price',
        '13 conflicting_price',
        '14 bad_ticker',
        '15 in_the_future',
        '16 malformed_row',
        '17 missing_price',
        '18 bad_ticker',
        '21 missing_price',
        '23 duplicate_day',
      ]);
      expect(report.rejected[2]).toEqual({
        file: name,
        line: 4,
        reason: 'bad_date',
        ticker: 'SPY',
        date: 'yesterday',
        price: '1',
      });
      expect(report.rejectedRows).toBe(18);
      expect(Object.values(report.rejectedByReason).reduce((a, b) => a + b)).toBe(18);
      expect(report.files).toEqual([
        {
          file: name,
          rows: 20,
          rejected: 18,
          priceColumn: 'adj_close',
          form: 'prices, a row for each ticker and day',
        },
      ]);
      expect(await prices('SPY')).toEqual(['2024-01-09 2', '2024-01-10 2']);
    }
  });

  it('replaces whole series where it is told to, and keeps the other tickers unless it starts afresh', async () => {
    await importNow([
      await file('a.csv', 'date,ticker,close\n2024-01-02,A,1\n2024-01-03,A,2\n2024-01-02,B,3\n'),
    ]);
    const { report } = await importNow([await file('b.csv', 'date,ticker,close\n2024-01-03,A,9\n')], {
      replace: true,
    });
    expect(report).toMatchObject({ tickers: 1, keptTickers: 1, rows: 1 });
    expect(report.series).toMatchObject([
      { ticker: 'A', action: 'replaced', before: 2, after: 1, added: 0, changed: 1, lost: 1 },
    ]);
    expect(await prices('A')).toEqual(['2024-01-03 9']);
    expect(await prices('B')).toEqual(['2024-01-02 3']);
    await importNow([await file('c.csv', 'date,ticker,close\n2024-01-03,C,9\n')], { dropOthers: true });
    expect(await prices('B')).toEqual([]);
  });

  it.each([
    ['empty.csv', '', 'is empty'],
    ['x.csv', 'a,b\n1,2\n', 'has no date column. Its columns are: a, b'],
    ['x.csv', 'date,ticker\n1,2\n', 'has no price column'],
    ['x.csv', 'date,date,close\n1,2,3\n', 'same name'],
    ['$$.csv', 'date,close\n2024-01-02,2\n', 'no ticker'],
    ['x.csv', 'date,close\n', 'No usable price'],
    ['x.csv', 'date,close\nnever,1\n', '1 × bad date'],
    ['x.csv', 'date\0,close\n', 'is not a text file'],
    ['x.csv.gz', 'this is no gzip', 'cannot be read'],
    ['x.parquet', 'this is no parquet', 'cannot be read'],
  ])('refuses %s with content %j and changes nothing', async (name, content, sentence) => {
    const before = await importNow([await file('good.csv', 'date,close\n2024-01-02,1\n')]);
    const path = await file(name, content);
    await expect(importNow([path])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining(sentence),
    });
    expect(await marketData.current()).toEqual(before.manifest);
    expect(await readdir(join(dataDir, 'market-data', 'work'))).toEqual([]);
    expect(await marketData.versions()).toHaveLength(2);
  });

  it('refuses a truncated gzip file whole', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, i) => `${formatDay(Math.floor(i / 5) * 7 + (i % 5) + 4)},SPY,${1 + Math.random()}`,
    );
    const whole = gzipSync(`date,ticker,adj_close\n${rows.join('\n')}\n`);
    const path = await file('cut.csv.gz', whole.subarray(0, Math.floor(whole.length / 2)));
    await expect(importNow([path])).rejects.toMatchObject({ code: 'import_refused' });
    expect((await marketData.current()).isSimulated).toBe(true);
  });

  it('says which file it cannot find', async () => {
    await expect(importNow([join(folder, 'nowhere.csv')])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('nowhere.csv'),
    });
  });

  it('imports the example file that comes with the product', async () => {
    const { report } = await importNow([SHIPPED]);
    expect(report).toMatchObject({ rows: 12_154, tickers: 5, rejectedRows: 0 });
  });
});

describe('currencies of a file', () => {
  const HEAD = 'date,ticker,close,currency\n';

  it('are never mixed in one series', async () => {
    const before = await marketData.current();
    const path = await file('mixed.csv', `${HEAD}2024-01-02,SPY,470,USD\n2024-01-03,SPY,430,EUR\n`);
    await expect(importNow([path])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('SPY has prices in EUR and USD (column currency)'),
    });
    expect(await marketData.current()).toEqual(before);
  });

  it('are told where they are not dollars, and nothing is converted', async () => {
    const path = await file('euro.csv', `${HEAD}2024-01-02,SPY,470,USD\n2024-01-02,EUNL,81.5,eur\n`);
    const told = JSON.stringify(await importNow([path]));
    expect(told).toContain('Prices of euro.csv are in EUR, as its column currency tells');
    expect(await prices('EUNL')).toEqual(['2024-01-02 81.5']);
    const dollars = await file('dollars.csv', `${HEAD}2024-01-02,TLT,98,USD\n`);
    expect(JSON.stringify(await importNow([dollars]))).not.toContain('Prices of');
  });

  it('are told by the signs beside the prices, too', async () => {
    const path = await file(
      'signs.csv',
      'date,ticker,close\n2024-01-02,EUNL,€81.50\n2024-01-03,EUNL,€82.25\n',
    );
    const told = JSON.stringify(await importNow([path]));
    expect(told).toContain('Prices of signs.csv are in EUR, as the signs beside them tell');
    expect(await prices('EUNL')).toEqual(['2024-01-02 81.5', '2024-01-03 82.25']);
  });
});
