import { ALL_ADJUSTED, type CorpusCase, SPY_ADJUSTED } from './case.ts';
import { lines, SPY } from './lines.ts';
import { type PanelRow, panelRows, rowsByDay, TICKERS } from './panel.ts';

const map = (row: (row: PanelRow) => string, rows: readonly PanelRow[] = SPY) => rows.map(row);

/** Two header rows as pandas writes them, for several tickers. */
function pandas(
  fields: readonly (readonly [string, keyof PanelRow])[],
  names: readonly [string, string],
  byTicker = false,
): string {
  const columns = byTicker
    ? TICKERS.flatMap((ticker) => fields.map(([field, key]) => ({ ticker, field, key })))
    : fields.flatMap(([field, key]) => TICKERS.map((ticker) => ({ ticker, field, key })));
  const fieldRow = [names[0], ...columns.map(({ field }) => field)].join(',');
  const tickerRow = [names[1], ...columns.map(({ ticker }) => ticker)].join(',');
  const rows = SPY.map(({ date }, i) =>
    [date, ...columns.map(({ ticker, key }) => panelRows(ticker)[i]?.[key] ?? '')].join(','),
  );
  const header = byTicker ? [tickerRow, fieldRow] : [fieldRow, tickerRow];
  return lines(header, `Date${','.repeat(columns.length)}`, rows);
}

const ADJUSTED_FIELDS = [
  ['Close', 'adjusted'],
  ['High', 'high'],
  ['Low', 'low'],
  ['Open', 'open'],
  ['Volume', 'volume'],
] as const;
const BOTH_FIELDS = [
  ['Adj Close', 'adjusted'],
  ['Close', 'close'],
  ['High', 'high'],
  ['Low', 'low'],
  ['Open', 'open'],
  ['Volume', 'volume'],
] as const;

/** yfinance's and Yahoo's files. */
export const yahooCases: readonly CorpusCase[] = [
  {
    name: 'yfinance 0.2.51 on, one ticker',
    files: {
      'download.csv': lines(
        'Price,Close,High,Low,Open,Volume',
        'Ticker,SPY,SPY,SPY,SPY,SPY',
        'Date,,,,,',
        map((r) => `${r.date},${r.adjusted},${r.high},${r.low},${r.open},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'yfinance, one ticker, auto_adjust=False',
    files: {
      'x y z.csv': lines(
        'Price,Adj Close,Close,High,Low,Open,Volume',
        'Ticker,SPY,SPY,SPY,SPY,SPY,SPY',
        'Date,,,,,,',
        map((r) => `${r.date},${r.adjusted},${r.close},${r.high},${r.low},${r.open},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'yfinance, several tickers',
    files: { 'prices.csv': pandas(ADJUSTED_FIELDS, ['Price', 'Ticker']) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance, several tickers, both closes',
    files: { 'prices.csv': pandas(BOTH_FIELDS, ['Price', 'Ticker']) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance before names of levels, several tickers',
    files: { 'prices.csv': pandas(BOTH_FIELDS, ['', '']) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance, group_by ticker',
    files: { 'prices.csv': pandas(ADJUSTED_FIELDS, ['Price', 'Ticker'], true) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance, a ticker that was listed later',
    files: {
      'prices.csv': lines(
        'Price,Close,Close',
        'Ticker,QQQ,SPY',
        'Date,,',
        map(
          (r, i = SPY.indexOf(r)) => `${r.date},${i < 20 ? '' : panelRows('QQQ')[i]?.adjusted},${r.adjusted}`,
        ),
      ),
    },
    expected: {
      tickers: { SPY: ['SPY', 'adjusted'], QQQ: ['QQQ', 'adjusted'] },
      without: (ticker, row) => ticker === 'QQQ' && row.day < (SPY[20]?.day ?? 0),
    },
  },
  {
    name: 'yfinance, reset_index and no index',
    files: {
      'out.csv': lines(
        'Date,Close,High,Low,Open,Volume',
        ',SPY,SPY,SPY,SPY,SPY',
        map((r) => `${r.date},${r.adjusted},${r.high},${r.low},${r.open},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'yfinance, Ticker().history()',
    files: {
      'SPY.csv': lines(
        'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits',
        map((r) => `${r.date} 00:00:00-05:00,${r.open},${r.high},${r.low},${r.adjusted},${r.volume},0.0,0.0`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'yfinance, stacked',
    files: {
      'stacked.csv': lines(
        'Date,Ticker,Adj Close,Close,High,Low,Open,Volume',
        rowsByDay()
          .flat()
          .map(
            ({ ticker, row: r }) =>
              `${r.date},${ticker},${r.adjusted},${r.close},${r.high},${r.low},${r.open},${r.volume}`,
          ),
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance, flattened columns as tuples',
    files: {
      'flat.csv': lines(
        `Date,${TICKERS.map((t) => `"('Close', '${t}')"`).join(',')},${TICKERS.map((t) => `"('Volume', '${t}')"`).join(',')}`,
        rowsByDay().map(
          (day) =>
            `${day[0]?.row.date},${day.map(({ row }) => row.adjusted).join(',')},${day.map(({ row }) => row.volume).join(',')}`,
        ),
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance, flattened columns with an underscore',
    files: {
      'flat.csv': lines(
        `Date,${TICKERS.map((t) => `Close_${t}`).join(',')},${TICKERS.map((t) => `Volume_${t}`).join(',')}`,
        rowsByDay().map(
          (day) =>
            `${day[0]?.row.date},${day.map(({ row }) => row.adjusted).join(',')},${day.map(({ row }) => row.volume).join(',')}`,
        ),
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Yahoo’s download of before',
    files: {
      'SPY.csv': lines(
        'Date,Open,High,Low,Close,Adj Close,Volume',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Yahoo’s download with a row of nulls, loaded twice',
    files: {
      'SPY (1).csv': lines(
        'Date,Open,High,Low,Close,Adj Close,Volume',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`),
        '2015-03-30,null,null,null,null,null,null',
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Yahoo’s index',
    files: {
      '^GSPC.csv': lines(
        'Date,Open,High,Low,Close,Adj Close,Volume',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { tickers: { GSPC: ['SPY', 'adjusted'] } },
  },
];
