import { gzipSync, zstdCompressSync } from 'node:zlib';
import { Float64, tableFromArrays, tableToIPC, vectorFromArray } from 'apache-arrow';
import { ALL_ADJUSTED, type CorpusCase, SPY_CLOSE } from './case.ts';
import { LONG, lines, long, SPY } from './lines.ts';
import { panelRows, rowsByDay, TICKERS } from './panel.ts';
import { stooqBulk } from './vendors.ts';
import { zipOf } from './zip.ts';

function utf16(text: string, isBig = false): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

const rows = rowsByDay().flat();
export const arrowLong = () =>
  tableFromArrays({
    date: rows.map(({ row }) => new Date(`${row.date}T00:00:00Z`)),
    ticker: rows.map(({ ticker }) => ticker),
    adj_close: Float64Array.from(rows, ({ row }) => Number(row.adjusted)),
  });
const arrowWide = () =>
  tableFromArrays({
    Date: SPY.map(({ date }) => date),
    ...Object.fromEntries(
      TICKERS.map((ticker) => [
        ticker,
        vectorFromArray(
          panelRows(ticker).map(({ adjusted }) => Number(adjusted)),
          new Float64(),
        ),
      ]),
    ),
  });

/** Encodings and packings. */
export const packingCases: readonly CorpusCase[] = [
  { name: 'UTF-16 with a mark', files: { 'prices.csv': utf16(LONG) }, expected: { tickers: ALL_ADJUSTED } },
  {
    name: 'UTF-16, the other way round',
    files: { 'prices.csv': utf16(LONG, true) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'UTF-16 without a mark',
    files: { 'prices.csv': Buffer.from(LONG, 'utf16le') },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'UTF-8 with a mark',
    files: { 'prices.csv': `\uFEFF${LONG}` },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Windows-1252',
    files: {
      'prices.csv': Buffer.from(
        long('date,ticker,adj_close,name', (t, r) => `${r.date},${t},${r.adjusted},Société ${t}`),
        'latin1',
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  { name: 'gzip', files: { 'prices.csv.gz': gzipSync(LONG) }, expected: { tickers: ALL_ADJUSTED } },
  {
    name: 'gzip under another name',
    files: { 'prices.csv': gzipSync(LONG) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'zstd',
    files: { 'prices.csv.zst': zstdCompressSync(Buffer.from(LONG)) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'ZIP of Stooq’s files',
    files: {
      'd_us_txt.zip': zipOf({
        'data/daily/us/spy.us.txt': stooqBulk('SPY'),
        'data/daily/us/qqq.us.txt': stooqBulk('QQQ'),
        'data/daily/us/brk-b.us.txt': stooqBulk('BRK-B'),
      }),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'ZIP with a gzip file and other things',
    files: {
      'all.zip': zipOf({ 'prices.csv.gz': gzipSync(LONG), 'licence.pdf': '%PDF', '__MACOSX/._x.csv': 'x' }),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Arrow, long',
    files: { 'prices.arrow': Buffer.from(tableToIPC(arrowLong(), 'file')) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Arrow, wide, as a stream',
    files: { 'panel.arrow': Buffer.from(tableToIPC(arrowWide(), 'stream')) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'a ticker told',
    files: {
      'whatever it is.csv': lines(
        'date,close',
        SPY.map((r) => `${r.date},${r.close}`),
      ),
    },
    options: { ticker: 'spy.us' },
    expected: { tickers: SPY_CLOSE },
  },
];
