import { ALL_ADJUSTED, ALL_CLOSE, type CorpusCase, SPY_ADJUSTED, SPY_CLOSE } from './case.ts';
import { lines, long, SPY } from './lines.ts';
import { type PanelRow, panelRows, partsOf } from './panel.ts';
import { zipOf } from './zip.ts';

const map = (row: (row: PanelRow) => string, rows: readonly PanelRow[] = SPY) => rows.map(row);
const us = (date: string) => `${partsOf(date).m}/${partsOf(date).d}/${partsOf(date).y}`;
const everyFifth = SPY.filter((_, i) => i % 5 === 0);
const ohlcv = map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.volume}`);

/** What programs and pages write besides the common ones. */
export const moreSourceCases: readonly CorpusCase[] = [
  {
    name: 'Kaggle’s five years, tickers under Name',
    files: {
      'all_stocks_5yr.csv': long(
        'date,open,high,low,close,volume,Name',
        (t, r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.volume},${t}`,
      ),
    },
    expected: { tickers: ALL_CLOSE },
  },
  {
    name: 'Stooq in Polish',
    files: {
      'spy_us_d.csv': lines(
        'Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Stooq, a share of Warsaw, whose names have no exchange',
    files: { 'cdr_d.csv': lines('Date,Open,High,Low,Close,Volume', ohlcv) },
    expected: { refused: /Warsaw/ },
  },
  {
    name: 'Stooq, loaded twice',
    files: { 'spy_us_d (1).csv': lines('Date,Open,High,Low,Close,Volume', ohlcv) },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Stooq bulk in a ZIP with empty files',
    files: {
      'd_us_txt.zip': zipOf({
        'data/daily/us/nyse stocks/1/a.us.txt': '',
        'data/daily/us/nyse etfs/1/spy.us.txt': lines(
          '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
          map(
            (r) =>
              `SPY.US,D,${r.date.replaceAll('-', '')},000000,${r.open},${r.high},${r.low},${r.adjusted},${r.volume},0`,
          ),
        ),
      }),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Stooq, a day of all markets',
    files: {
      'data_d.txt': lines(
        '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
        map((r) => `SPY.US,D,${r.date.replaceAll('-', '')},000000,1,1,1,${r.adjusted},1,0`),
        map((r) => `^SPX,D,${r.date.replaceAll('-', '')},000000,1,1,1,${r.adjusted},1,0`, panelRows('QQQ')),
        map(
          (r) => `SPY.UK,D,${r.date.replaceAll('-', '')},000000,1,1,1,${r.adjusted},1,0`,
          panelRows('BRK-B'),
        ),
      ),
    },
    expected: {
      tickers: { SPY: ['SPY', 'adjusted'], SPX: ['QQQ', 'adjusted'], 'SPY-UK': ['BRK-B', 'adjusted'] },
    },
  },
  {
    name: 'MetaTrader',
    files: {
      'SPY_Daily.csv': lines(
        '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
        map((r) => `${r.date.replaceAll('-', '.')}\t${r.open}\t${r.high}\t${r.low}\t${r.close}\t1\t2\t3`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Alpha Vantage, JSON',
    files: {
      'SPY.json': JSON.stringify(
        {
          'Meta Data': { '1. Information': 'Daily Prices', '2. Symbol': 'SPY' },
          'Time Series (Daily)': Object.fromEntries(
            SPY.map((r) => [r.date, { '1. open': r.open, '4. close': r.close, '5. volume': r.volume }]),
          ),
        },
        null,
        2,
      ),
    },
    expected: { refused: /JSON/ },
  },
  {
    name: 'JSON on one line called CSV',
    files: { 'SPY.csv': JSON.stringify(SPY.map((r) => ({ date: r.date, close: r.close }))) },
    expected: { refused: /JSON/ },
  },
  {
    name: 'JSON a line for each row',
    files: { 'SPY.csv': lines(map((r) => JSON.stringify({ date: r.date, close: r.close }))) },
    expected: { refused: /JSON/ },
  },
  {
    name: 'Alpha Vantage, weekly under another name',
    files: {
      'weekly_adjusted_SPY.csv': lines(
        'timestamp,open,high,low,close,adjusted close,volume,dividend amount',
        map((r) => `${r.date},1,1,1,${r.close},${r.adjusted},1,0`, everyFifth),
      ),
    },
    expected: { refused: /no daily/ },
  },
  {
    name: 'investing.com in German',
    files: {
      'SPY Historische Daten.csv': lines(
        '\uFEFF"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"',
        map(
          (r) =>
            `"${partsOf(r.date).d}.${partsOf(r.date).m}.${partsOf(r.date).y}","${r.close.replace('.', ',')}","1","1","1","1,37M","0,12%"`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'investing.com, dd/mm',
    files: {
      'SPY Historical Data.csv': lines(
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        map(
          (r) =>
            `"${partsOf(r.date).d}/${partsOf(r.date).m}/${partsOf(r.date).y}","${r.close}","1","1","1","1.2M","-0.5%"`,
        ).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'investing.com, dd-mm-yyyy',
    files: {
      'SPY Historical Data (2).csv': lines(
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        map(
          (r) =>
            `"${partsOf(r.date).d}-${partsOf(r.date).m}-${partsOf(r.date).y}","${r.close}","1","1","1","","-0.5%"`,
        ).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'investing.com, weekly bars',
    files: {
      'SPY Historical Data.csv': lines(
        '"Date","Price","Open","High","Low","Vol.","Change %"',
        map(
          (r) =>
            `"${us(new Date((r.day - 1) * 864e5).toISOString().slice(0, 10))}","${r.close}","1","1","1","","-0.5%"`,
          everyFifth,
        ),
      ),
    },
    expected: { refused: /weekend|weekly/ },
  },
  {
    name: 'nasdaq.com of before, with spaces',
    files: {
      'SPY.csv': lines(
        'Date, Close/Last, Volume, Open, High, Low',
        map((r) => `${us(r.date)}, $${r.close}, ${r.volume}, $${r.open}, $${r.high}, $${r.low}`).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'nasdaq.com of long before, a row of today’s time',
    files: {
      'SPY.csv': lines(
        '"date","close","volume","open","high","low"',
        '"16:00","205.55","100","1","1","1"',
        map((r) => `"${r.date.replaceAll('-', '/')}","${r.close}","${r.volume}.0000","1","1","1"`).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Google Sheets’ GOOGLEFINANCE',
    files: {
      'SPY.csv': lines(
        'Date,Close',
        map(
          (r) =>
            `${Number(partsOf(r.date).m)}/${Number(partsOf(r.date).d)}/${partsOf(r.date).y} 16:00:00,${r.close}`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'WSJ, spaces and two digits of the year',
    files: {
      'SPY.csv': lines(
        'Date, Open, High, Low, Close, Volume',
        map(
          (r) =>
            `${us(r.date).slice(0, 6)}${partsOf(r.date).y.slice(2)}, ${r.open}, ${r.high}, ` +
            `${r.low}, ${r.close}, ${r.volume}`,
        ).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Barchart with its last line',
    files: {
      'spy_daily_historical-data-03-27-2015.csv': lines(
        'Time,Open,High,Low,Last,Change,%Chg,Volume',
        map((r) => `${us(r.date)},${r.open},${r.high},${r.low},${r.close},1.1,+0.5%,${r.volume}`).reverse(),
        '"Downloaded from Barchart.com as of 03-27-2015 03:15pm CDT"',
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Macrotrends behind fifteen lines of text',
    files: {
      'MacroTrends_Data_Download_SPY.csv': lines(
        '"Disclaimer, this is a long text, with commas, and more, and more, and more, and more, and more."',
        Array.from({ length: 13 }, (_, i) => (i % 2 ? '' : `Line ${i} of the text`)),
        'date,open,high,low,close,volume',
        ohlcv,
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'TradingView',
    files: {
      'BATS_SPY, 1D.csv': lines(
        'time,open,high,low,close,Volume',
        map(
          (r) =>
            `${Date.parse(`${r.date}T14:30:00Z`) / 1000},${r.open},${r.high},${r.low},${r.close},${r.volume}`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'TradingView, weekly',
    files: {
      'BATS_SPY, 1W_a1b2c.csv': lines(
        'time,open,high,low,close,Volume',
        map(
          (r) =>
            `${Date.parse(`${r.date}T14:30:00Z`) / 1000},${r.open},${r.high},${r.low},${r.close},${r.volume}`,
        ),
      ),
    },
    expected: { refused: /no daily/ },
  },
  {
    name: 'TradingView, another exchange',
    files: {
      'XETR_SAP, 1D.csv': lines(
        'time,open,high,low,close',
        map((r) => `${r.date},1,1,1,${r.close}`),
      ),
    },
    expected: { refused: /--ticker/ },
  },
  {
    name: 'Quandl’s WIKI',
    files: {
      'WIKI_PRICES.csv': long(
        'ticker,date,open,high,low,close,volume,ex-dividend,split_ratio,adj_open,adj_high,adj_low,adj_close,adj_volume',
        (t, r) => `${t.replace('-', '_')},${r.date},1,1,1,${r.close},1,0,1,1,1,1,${r.adjusted},1`,
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Sharadar',
    files: {
      'SEP.csv': long(
        'ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated',
        (t, r) => `${t.replace('-', '.')},${r.date},1,1,1,${r.open},1,${r.adjusted},${r.close},2020-05-01`,
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'SimFin',
    files: {
      'us-shareprices-daily.csv': long(
        'Ticker;SimFinId;Date;Open;High;Low;Close;Adj. Close;Volume;Dividend;Shares Outstanding',
        (t, r) => `${t};1;${r.date};1;1;1;${r.close};${r.adjusted};1;;5`,
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'Polygon, a when-issued share is not another one',
    files: {
      'flat.csv': lines(
        'ticker,volume,open,close,high,low,window_start,transactions',
        map((r) => `AANw,1,1,${r.close},1,1,${Date.parse(`${r.date}T05:00:00Z`)}000000,9`),
      ),
    },
    expected: { tickers: { 'AAN-W': ['SPY', 'close'] } },
  },
  {
    name: 'EODHD with a count as its last line',
    files: {
      'SPY.US.csv': lines(
        'Date,Open,High,Low,Close,Adjusted_close,Volume',
        map((r) => `${r.date},1,1,1,${r.close},${r.adjusted},1`),
        '81',
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
];
