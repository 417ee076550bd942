import { tableToIPC } from 'apache-arrow';
import type { CorpusCase } from './case.ts';
import { LONG, lines, long, SPY } from './lines.ts';
import { arrowLong } from './packings.ts';
import { zipOf } from './zip.ts';

/** What is refused, in words. */
export const refusedCases: readonly CorpusCase[] = [
  ...[
    'prices.csv',
    'data.csv',
    'apple.csv',
    'Tesla.csv',
    'my portfolio.csv',
    'SPY QQQ.csv',
    '2015.csv',
    'export (3).csv',
  ].map(
    (name): CorpusCase => ({
      name: `a name that is no ticker: ${name}`,
      files: {
        [name]: lines(
          'date,close',
          SPY.map((r) => `${r.date},${r.close}`),
        ),
      },
      expected: { refused: /--ticker/ },
    }),
  ),
  {
    name: 'a ticker told of a file that names its own',
    files: { 'long.csv': LONG },
    options: { ticker: 'QQQ' },
    expected: { refused: /column ticker names the tickers: leave --ticker out/ },
  },
  {
    name: 'no header',
    files: { 'SPY.csv': lines(SPY.map((r) => `${r.date},${r.close}`)) },
    expected: { refused: /no line with the names of its columns/ },
  },
  {
    name: 'no close',
    files: {
      'SPY.csv': lines(
        'date,open,high,low',
        SPY.map((r) => `${r.date},${r.open},${r.high},${r.low}`),
      ),
    },
    expected: { refused: /no price column/ },
  },
  {
    name: 'a spreadsheet',
    files: { 'prices.xlsx': zipOf({ '[Content_Types].xml': '<x/>' }) },
    expected: { refused: /spreadsheet: save it as CSV/ },
  },
  {
    name: 'a picture',
    files: { 'prices.csv': Buffer.from('89504e470d0a1a0a0000000d49484452000000100000', 'hex') },
    expected: { refused: /not a text file/ },
  },
  {
    name: 'a page',
    files: { 'prices.csv': '<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n' },
    expected: { refused: /no date column/ },
  },
  {
    name: 'JSON',
    files: { 'prices.csv': '[{"date":"2015-01-05","close":1}]\n' },
    expected: { refused: /is JSON/ },
  },
  {
    name: 'an archive in an archive',
    files: { 'a.zip': zipOf({ 'b.zip': zipOf({ 'prices.csv': LONG }) }) },
    expected: { refused: /no price file in a\.zip/ },
  },
  {
    name: 'a ZIP archive that was cut off',
    files: { 'a.zip': zipOf({ 'prices.csv': LONG }).subarray(0, 300) },
    expected: { refused: /no ZIP archive, or is cut off/ },
  },
  {
    name: 'an Arrow file that was cut off',
    files: { 'a.arrow': Buffer.from(tableToIPC(arrowLong(), 'file')).subarray(0, 700) },
    expected: { refused: /no Arrow file, or is damaged|empty|usable/ },
  },
  {
    name: 'another price in another file',
    files: {
      'a.csv': LONG,
      'b.csv': long(
        'date,ticker,adj_close',
        (t, r) => `${r.date},${t},${(Number(r.adjusted) * (r.day % 2 ? 1.01 : 1)).toFixed(2)}`,
      ),
    },
    expected: { refused: /a\.csv and b\.csv, with different prices/ },
  },
  {
    name: 'raw and adjusted prices of one ticker',
    files: {
      'daily_SPY.csv': lines(
        'timestamp,open,high,low,close,volume',
        SPY.map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.volume}`),
      ),
      'spy_us_d.csv': lines(
        'Date,Open,High,Low,Close,Volume',
        SPY.map((r) => `${r.date},${r.open},${r.high},${r.low},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { refused: /daily_SPY\.csv and spy_us_d\.csv/ },
  },
];
