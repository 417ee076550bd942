import { gzipSync } from 'node:zlib';
import { ALL_ADJUSTED, ALL_CLOSE, type CorpusCase, SPY_ADJUSTED, SPY_CLOSE } from './case.ts';
import { lines, SPY } from './lines.ts';
import { type PanelRow, panelRows, partsOf, rowsByDay } from './panel.ts';

const map = (row: (row: PanelRow) => string, rows: readonly PanelRow[] = SPY) => rows.map(row);
const newestFirst = (rows: readonly string[]) => [...rows].reverse();
const us = (date: string) => `${partsOf(date).m}/${partsOf(date).d}/${partsOf(date).y}`;
const compact = (date: string) => date.replaceAll('-', '');
const isEarlyInFebruary = ({ date }: PanelRow) => date >= '2015-02-02' && date <= '2015-02-04';
/** Midnight in New York, winter time. */
const midnight = (date: string) => Date.parse(`${date}T05:00:00Z`);

const STOOQ = 'Date,Open,High,Low,Close,Volume';
const stooqRows = map((r) => `${r.date},${r.open},${r.high},${r.low},${r.adjusted},${r.volume}`);
const STOOQ_BULK = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>';
export const stooqBulk = (ticker: 'SPY' | 'QQQ' | 'BRK-B', period = 'D') =>
  lines(
    STOOQ_BULK,
    map(
      (r) =>
        `${ticker}.US,${period},${compact(r.date)},000000,${r.open},${r.high},${r.low},${r.adjusted},${r.volume},0`,
      panelRows(ticker),
    ),
  );

/** Everybody else's. */
export const vendorCases: readonly CorpusCase[] = [
  {
    name: 'Stooq, one ticker',
    files: { 'spy_us_d.csv': lines(STOOQ, stooqRows) },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Stooq, a share class',
    files: {
      'brk-b_us_d.csv': lines(
        STOOQ,
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.adjusted},${r.volume}`, panelRows('BRK-B')),
      ),
    },
    expected: { tickers: { 'BRK-B': ['BRK-B', 'adjusted'] } },
  },
  {
    name: 'Stooq, an index',
    files: { '^spx_d.csv': lines(STOOQ, stooqRows) },
    expected: { tickers: { SPX: ['SPY', 'adjusted'] } },
  },
  {
    name: 'Stooq, another exchange',
    files: { 'sap_de_d.csv': lines(STOOQ, stooqRows) },
    expected: { tickers: { 'SAP-DE': ['SPY', 'adjusted'] } },
  },
  {
    name: 'Stooq, weekly',
    files: { 'spy_us_w.csv': lines(STOOQ, stooqRows) },
    expected: { refused: /no daily prices/ },
  },
  {
    name: 'Stooq, bulk, one file',
    files: { 'spy.us.txt': stooqBulk('SPY') },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Stooq, bulk, a folder',
    files: {
      'data/daily/us/nyse etfs/1/spy.us.txt': stooqBulk('SPY'),
      'data/daily/us/nasdaq etfs/qqq.us.txt': stooqBulk('QQQ'),
      'data/daily/us/nyse stocks/1/brk-b.us.txt': stooqBulk('BRK-B'),
    },
    paths: ['data'],
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Stooq, bulk, hourly bars',
    files: { 'spy.us.txt': stooqBulk('SPY', '60') },
    expected: { refused: /not[_ ]daily/ },
  },
  {
    name: 'Alpha Vantage, raw',
    files: {
      'daily_SPY.csv': lines(
        'timestamp,open,high,low,close,volume',
        newestFirst(map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.volume}`)),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Alpha Vantage, adjusted',
    files: {
      'daily_adjusted_SPY.csv': lines(
        'timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient',
        newestFirst(
          map(
            (r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume},0.0000,1.0`,
          ),
        ),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Alpha Vantage, an answer of its limit',
    files: {
      'daily_SPY.csv': '{\n  "Information": "Our standard API rate limit is 25 requests per day."\n}\n',
    },
    expected: { refused: /is JSON/ },
  },
  {
    name: 'investing.com',
    files: {
      'SPY Historical Data.csv': lines(
        '\uFEFF"Date","Price","Open","High","Low","Vol.","Change %"',
        newestFirst(
          map((r) => `"${us(r.date)}","${r.close}","${r.open}","${r.high}","${r.low}","1.37M","0.12%"`),
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'investing.com of before, month by name',
    files: {
      'SPY ETF Stock Price History.csv': lines(
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        newestFirst(
          map(
            (r) =>
              `"${partsOf(r.date).month} ${partsOf(r.date).d}, ` +
              `${partsOf(r.date).y}","${r.close}","${r.open}","${r.high}","${r.low}","1.37M","0.12%"`,
          ),
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'investing.com, prices of more than a thousand',
    files: {
      'SPX Historical Data.csv': lines(
        '"Date","Price","Open"',
        map(
          (r) =>
            `"${us(r.date)}","${Number(r.close).toLocaleString('en-US', { minimumFractionDigits: 2 })}","1,000.00"`,
          panelRows('SPY', 4.9),
        ),
      ),
    },
    expected: { tickers: { SPX: ['SPY', 'close'] }, times: 4.9 },
  },
  {
    name: 'investing.com, named by the company',
    files: {
      'Apple Stock Price History.csv': lines(
        '"Date","Price","Open"',
        map((r) => `"${us(r.date)}","${r.close}","${r.open}"`),
      ),
    },
    expected: { refused: /a name and no ticker.*--ticker/ },
  },
  {
    name: 'nasdaq.com as it comes',
    files: {
      'HistoricalData_1712345678901.csv': lines(
        'Date,Close/Last,Volume,Open,High,Low',
        newestFirst(map((r) => `${us(r.date)},$${r.close},${r.volume},$${r.open},$${r.high},$${r.low}`)),
      ),
    },
    expected: { refused: /tells no ticker.*--ticker/ },
  },
  {
    name: 'nasdaq.com with the ticker told',
    files: {
      'HistoricalData_1712345678901.csv': lines(
        'Date,Close/Last,Volume,Open,High,Low',
        newestFirst(map((r) => `${us(r.date)},$${r.close},${r.volume},$${r.open},$${r.high},$${r.low}`)),
      ),
    },
    options: { ticker: 'SPY' },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'nasdaq.com, a few days that can be read both ways',
    files: {
      'SPY.csv': lines(
        'Date,Close/Last,Volume',
        map((r) => `${us(r.date)},$${r.close},${r.volume}`, SPY.filter(isEarlyInFebruary)),
      ),
    },
    expected: { tickers: SPY_CLOSE, without: (_, row) => !isEarlyInFebruary(row) },
  },
  {
    name: 'Polygon, a flat file a day',
    files: Object.fromEntries(
      rowsByDay().map((day) => [
        `${day[0]?.row.date}.csv.gz`,
        gzipSync(
          lines(
            'ticker,volume,open,close,high,low,window_start,transactions',
            day.map(
              ({ ticker, row: r }) =>
                `${ticker.replace('-', '.')},${r.volume},${r.open},${r.close},${r.high},${r.low},${midnight(r.date)}000000,99`,
            ),
          ),
        ),
      ]),
    ),
    expected: { tickers: ALL_CLOSE },
  },
  {
    name: 'Polygon, a preferred share',
    files: {
      'flat.csv': lines(
        'ticker,volume,open,close,high,low,window_start,transactions',
        map((r) => `BACpL,${r.volume},${r.open},${r.close},${r.high},${r.low},${midnight(r.date)}000000,99`),
      ),
    },
    expected: { tickers: { 'BAC-PL': ['SPY', 'close'] } },
  },
  {
    name: 'Polygon, aggregates with short names',
    files: {
      'SPY.csv': lines(
        't,o,h,l,c,v',
        map((r) => `${midnight(r.date)},${r.open},${r.high},${r.low},${r.close},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Tiingo',
    files: {
      'SPY.csv': lines(
        'date,close,high,low,open,volume,adjClose,adjHigh,adjLow,adjOpen,adjVolume,divCash,splitFactor',
        map(
          (r) =>
            `${r.date},${r.close},${r.high},${r.low},${r.open},${r.volume},${r.adjusted},${r.high},${r.low},${r.open},${r.volume},0.0,1.0`,
        ),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Tiingo, a decorated name and instants',
    files: {
      'tiingo_spy_2014-12-01_2015-03-27.csv': lines(
        'date,close,adjClose,divCash,splitFactor',
        map((r) => `${r.date}T00:00:00.000Z,${r.close},${r.adjusted},0.0,1.0`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'EODHD, one ticker',
    files: {
      'SPY.US.csv': lines(
        'Date,Open,High,Low,Close,Adjusted_close,Volume',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'EODHD, bulk, with another exchange',
    files: {
      'eod.csv': lines(
        'Code,Ex,Date,Open,High,Low,Close,Adjusted_close,Volume',
        map((r) => `SPY,US,${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`),
        map(
          (r) => `SPY,LSE,${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`,
          panelRows('QQQ'),
        ),
      ),
    },
    expected: { tickers: { SPY: ['SPY', 'adjusted'], 'SPY-LSE': ['QQQ', 'adjusted'] } },
  },
  {
    name: 'Alpaca',
    files: {
      'bars.csv': lines(
        'symbol,timestamp,open,high,low,close,volume,trade_count,vwap',
        rowsByDay()
          .flat()
          .map(
            ({ ticker, row: r }) =>
              `${ticker.replace('-', '.')},${r.date} ` +
              `05:00:00+00:00,${r.open},${r.high},${r.low},${r.close},${r.volume},99,${r.open}`,
          ),
      ),
    },
    expected: { tickers: ALL_CLOSE },
  },
  {
    name: 'Bloomberg’s and TradingView’s tickers',
    files: {
      'long.csv': lines(
        'date,ticker,close',
        map((r) => `${r.date},SPY US Equity,${r.close}`),
        map((r) => `${r.date},NASDAQ:QQQ,${r.close}`, panelRows('QQQ')),
      ),
    },
    expected: { tickers: { SPY: ['SPY', 'close'], QQQ: ['QQQ', 'close'] } },
  },
];
