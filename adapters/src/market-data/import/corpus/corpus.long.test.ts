import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { formatDay } from '@quantloom/domain/market-data/day';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMarketDataFiles } from '../../files/market-data-files.ts';
import { type ImportOptions, importFiles } from '../import-files.ts';
import { ALL_ADJUSTED, type CorpusCase, SPY_ADJUSTED } from './case.ts';
import { formCases } from './forms.ts';
import { moreSourceCases } from './held-out-sources.ts';
import { moreTableCases } from './held-out-tables.ts';
import { languageCases } from './languages.ts';
import { libraryCases } from './libraries.ts';
import { packingCases } from './packings.ts';
import { panelRows, rowsByDay } from './panel.ts';
import { refusedCases } from './refused.ts';
import { vendorCases } from './vendors.ts';
import { yahooCases } from './yahoo.ts';

/** Raw messages of the libraries below, which nobody should have to read. */
const RAW = /Error:|DuckDB|read_csv|ENOENT|Parameter|Binder|Conversion|undefined|\bat .*\.ts/;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function importCase({ files, paths, options }: Pick<CorpusCase, 'files' | 'paths' | 'options'>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return importPaths(
    (paths ?? Object.keys(files)).map((path) => join(folder, path)),
    options,
  );
}

function importPaths(files: readonly string[], options: Partial<ImportOptions> = {}) {
  return importFiles({
    dataDir: join(folder, 'data'),
    files,
    now: new Date('2016-01-04T12:00:00Z'),
    ...options,
  });
}

/** `date price` of every stored ticker. */
async function stored(): Promise<Map<string, string[]>> {
  await using marketData = await openMarketDataFiles({
    dataDir: join(folder, 'data'),
    simulatedTickers: false,
  });
  const { version } = await marketData.current();
  const tickers = (await marketData.assets(version)).map(({ ticker }) => ticker);
  const series = await marketData.load(version, tickers);
  return new Map(
    [...series].map(([ticker, { days, closes }]) => [
      ticker,
      [...days].map((day, i) => `${formatDay(day)} ${closes[i]?.toFixed(2)}`),
    ]),
  );
}

async function expectPanel({
  tickers,
  without = () => false,
  times = 1,
}: Extract<CorpusCase['expected'], { tickers: unknown }>) {
  const found = await stored();
  expect([...found.keys()].sort()).toEqual(Object.keys(tickers).sort());
  for (const [ticker, [source, price]] of Object.entries(tickers))
    expect(found.get(ticker)).toEqual(
      panelRows(source, times)
        .filter((row) => !without(source, row))
        .map((row) => `${row.date} ${row[price]}`),
    );
}

const all = [
  ...yahooCases,
  ...vendorCases,
  ...formCases,
  ...packingCases,
  ...refusedCases,
  ...moreSourceCases,
  ...moreTableCases,
  ...libraryCases,
  ...languageCases,
];

describe(`a corpus of ${all.length} small files made from one panel`, () => {
  it.each(all.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const { expected } = one;
    if ('refused' in expected) {
      const failure = await importCase(one).then(
        () => null,
        (error: Error) => error,
      );
      expect(failure).toMatchObject({
        code: 'import_refused',
        message: expect.stringMatching(expected.refused),
      });
      expect(failure?.message).not.toMatch(RAW);
      return;
    }
    await importCase(one);
    await expectPanel(expected);
  });

  it('tells which ticker came from which file, by which rule, and every ticker that it spells otherwise', async () => {
    const [spy] = vendorCases;
    const { report } = await importCase(spy as CorpusCase);
    expect(report.series?.[0]).toMatchObject({
      ticker: 'SPY',
      files: ['spy_us_d.csv'],
      remark: expect.stringContaining('SPY from spy_us_d.csv (Stooq’s names'),
    });
    const renamed = await importCase({
      files: { 'p.csv': 'date,ticker,close\n2015-02-03,BRK.B,1\n2015-02-03,QQQ.US,2\n' },
      options: { dropOthers: true },
    });
    expect(renamed.report.notes).toEqual(
      expect.arrayContaining(['BRK.B is stored as BRK-B', 'QQQ.US is stored as QQQ']),
    );
  });
});

describe('prices in another currency than dollars', () => {
  const noted = async (header: string, row: string): Promise<readonly string[]> => {
    const { report } = await importCase({
      files: { 'SPY.csv': `${header}\n${row}\n` },
      options: { dropOthers: true },
    });
    return report.notes.filter((note) => /converted/.test(note));
  };

  it('are told of, by a column or by the signs beside them', async () => {
    expect(await noted('Date;Clôture;Devise', '13/02/2015;205,5;EUR')).toEqual([
      'Prices of SPY.csv are in EUR, as its column Devise tells: they are taken as they are, nothing is converted',
    ]);
    expect(await noted('Date,Close', '2015-02-04,£206.5')).toEqual([
      'Prices of SPY.csv are in GBP, as the signs beside them tell: they are taken as they are, nothing is converted',
    ]);
    expect(await noted('Date,Close,Currency', '2015-02-05,$206.5,USD')).toEqual([]);
  });
});

describe('Parquet', () => {
  async function parquet(name: string, select: string): Promise<void> {
    const csv = join(folder, 'panel.csv');
    const rows = rowsByDay()
      .flat()
      .map(({ ticker, row }) => `${row.date},${ticker},${row.adjusted},${row.volume}`);
    await writeFile(csv, `date,ticker,price,volume\n${rows.join('\n')}\n`);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE panel AS SELECT * FROM read_csv('${csv}')`);
    await connection.run(`COPY (${select}) TO '${join(folder, name)}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  }

  it.each([
    ['long.parquet', 'SELECT date, ticker, price AS adj_close FROM panel', ALL_ADJUSTED],
    [
      'wide.parquet',
      'PIVOT (SELECT date, ticker, price FROM panel) ON ticker USING first(price) ORDER BY date',
      ALL_ADJUSTED,
    ],
    [
      'index.parquet',
      'SELECT "SPY", "QQQ", "BRK-B", CAST(date AS TIMESTAMP) AS __index_level_0__ FROM (PIVOT ' +
        '(SELECT date, ticker, price FROM panel) ON ticker USING first(price)) ORDER BY date',
      ALL_ADJUSTED,
    ],
    [
      'tuples.parquet',
      `SELECT CAST(date AS TIMESTAMP_NS) AS "('Date', '')", price AS "('Close', 'SPY')", volume AS ` +
        `"('Volume', 'SPY')" FROM panel WHERE ticker = 'SPY' ORDER BY date`,
      SPY_ADJUSTED,
    ],
    [
      'SPY.parquet',
      `SELECT CAST(date AS TIMESTAMPTZ) AS "Date", price AS "Adj Close" FROM panel WHERE ticker = 'SPY' ORDER BY date`,
      SPY_ADJUSTED,
    ],
  ])('%s', async (name, select, tickers) => {
    await parquet(name, select);
    await importPaths([join(folder, name)]);
    await expectPanel({ tickers });
  });
});
