import { type CorpusCase, SPY_ADJUSTED, SPY_CLOSE } from './case.ts';
import { lines, SPY } from './lines.ts';
import { type PanelRow, panelRows, partsOf, rowsByDay } from './panel.ts';
import { zipOf } from './zip.ts';

const map = (row: (row: PanelRow) => string, rows: readonly PanelRow[] = SPY) => rows.map(row);
const dotted = (date: string) => `${partsOf(date).d}.${partsOf(date).m}.${partsOf(date).y}`;
const slashed = (date: string) => dotted(date).replaceAll('.', '/');
const comma = (price: string) => price.replace('.', ',');
/** A table with both closes, semicolons and decimal commas. */
const bothCloses = (header: string, date: (date: string) => string): CorpusCase['files'] => ({
  'SPY.csv': lines(
    header,
    map((r) => `${date(r.date)};${comma(r.open)};${comma(r.close)};${comma(r.adjusted)};${r.volume}`),
  ),
});
const onePrice = (header: string, name = 'SPY.csv'): CorpusCase['files'] => ({
  [name]: lines(
    header,
    map((r) => `${r.date},${r.close}`),
  ),
});
const JAPANESE = lines(
  '日付,始値,終値,出来高',
  map((r) => `${r.date.replaceAll('-', '/')},${r.open},${r.close},${r.volume}`),
);
/** 日付,始値,終値,出来高 in Shift_JIS. */
const SHIFT_JIS_HEADER = Buffer.from('93fa95742c8e6e926c2c8f49926c2c8f6f97888d82', 'hex');

/** Names of columns, dates and encodings of people who do not write English, and what stands in front of `Price`. */
export const languageCases: readonly CorpusCase[] = [
  ...[
    ['German', 'Datum;Eröffnung;Schluss*;Adj. Schluss**;Volumen', dotted],
    ['German, in full', 'Datum;Eröffnung;Schlusskurs;Bereinigter Schlusskurs;Volumen', dotted],
    ['French', 'Date;Ouverture;Clôture*;Clôture ajustée**;Volume', slashed],
    ['Spanish', 'Fecha;Abrir;Cierre*;Cierre aj.**;Volumen', slashed],
    ['Spanish, in full', 'Fecha;Apertura;Cierre;Cierre ajustado;Volumen', slashed],
    ['Italian', 'Data;Apertura;Chiusura*;Chius. aggiust.**;Volume', slashed],
    ['Portuguese', 'Data;Abertura;Fechamento*;Fechamento ajustado**;Volume', slashed],
    ['dollars in the header', 'Date;Open (USD);Close (USD);Adj Close (USD);Volume', (date: string) => date],
  ].map(
    ([name, header, date]): CorpusCase => ({
      name: `both closes, ${name}`,
      files: bothCloses(header as string, date as (date: string) => string),
      expected: { tickers: SPY_ADJUSTED },
    }),
  ),
  {
    name: 'Japanese, both closes',
    files: {
      'SPY.csv': lines(
        '日付,始値,終値,調整後終値',
        map((r) => `${r.date},${r.open},${r.close},${r.adjusted}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'Japanese dates',
    files: {
      'SPY.csv': lines(
        '日付け,終値',
        map(
          (r) =>
            `${partsOf(r.date).y}年${Number(partsOf(r.date).m)}月${Number(partsOf(r.date).d)}日,${r.close}`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Shift_JIS',
    files: {
      'SPY.csv': Buffer.concat([SHIFT_JIS_HEADER, Buffer.from(JAPANESE.slice(JAPANESE.indexOf('\n')))]),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'French in Windows-1252',
    files: {
      'SPY.csv': Buffer.from(
        lines(
          'Date;Ouverture;Clôture',
          map((r) => `${slashed(r.date)};${comma(r.open)};${comma(r.close)}`),
        ),
        'latin1',
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Russian',
    files: {
      'SPY.csv': lines(
        'Дата;Цена;Откр.',
        map((r) => `${dotted(r.date)};${comma(r.close)};${comma(r.open)}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'a column of dates under a name that is not known, with a total below',
    files: {
      'SPY.csv': lines(
        'Kursdatum,Schlusskurs,Umsatz',
        map((r) => `${r.date},${r.close},20150105`),
        'Summe,,1',
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'two columns of dates under names that are not known',
    files: {
      'SPY.csv': lines(
        'Kursdatum,Stand,Schlusskurs',
        map((r) => `${r.date},${r.date},${r.close}`),
      ),
    },
    expected: { refused: /no date column/ },
  },
  {
    name: 'a table with a total under a Japanese name',
    files: {
      'panel.csv': lines(
        '日付,SPY,QQQ,合計',
        rowsByDay().map((day) => `${day[0]?.row.date},${day[0]?.row.close},${day[1]?.row.close},1`),
      ),
    },
    expected: { refused: /合計 is no ticker/ },
  },
  ...['Date,Closing Price', 'Date,Last Price', 'Date,PX_LAST', 'Date,Price Close'].map(
    (header): CorpusCase => ({ name: header, files: onePrice(header), expected: { tickers: SPY_CLOSE } }),
  ),
  ...['Unit Price', 'Prev Close', 'Stock Price', 'Apple Price', 'day_close'].map(
    (name): CorpusCase => ({
      name: `${name}, which is the price of no ticker of that name`,
      files: onePrice(`Date,${name}`),
      expected: { refused: new RegExp(`no price column, and ${name} is no ticker`) },
    }),
  ),
  {
    name: 'small letters before a field',
    files: onePrice('date,spy_close', 'p.csv'),
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Nasdaq’s Nordic exchanges',
    files: {
      'SPY.csv': lines(
        'sep=;',
        'Date;Bid;Ask;Opening price;Closing price;Average price',
        map((r) => `${r.date};1,00;1,00;${comma(r.open)};${comma(r.close)};1,00`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Excel’s days with a time',
    files: {
      'SPY.csv': lines(
        'date,close',
        map((r) => `${r.day + 25569}.6666667,${r.close}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'days that pandas took for fractions',
    files: {
      'SPY.csv': lines(
        'date,close',
        map((r) => `${r.date.replaceAll('-', '')}.0,${r.close}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'MetaStock',
    files: {
      'prices.txt': lines(
        '<TICKER>,<PER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<CLOSE>',
        map((r) => `SPY,D,${r.date.replaceAll('-', '')},000000,${r.open},${r.close}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'euros behind the prices',
    files: {
      'SPY.csv': lines(
        'Datum;Schlusskurs',
        map((r) => `${dotted(r.date)};${comma(r.close)} EUR`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'two currencies of one ticker',
    files: {
      'p.csv': lines(
        'date,ticker,close,currency',
        map((r) => `${r.date},SPY,${r.close},USD`).slice(0, 40),
        map((r) => `${r.date},SPY,${(Number(r.close) * 0.9).toFixed(2)},EUR`).slice(40),
        map((r) => `${r.date},QQQ,${r.close},USD`, panelRows('QQQ')),
      ),
    },
    expected: { refused: /SPY has prices in EUR and USD \(column currency\)/ },
  },
  {
    name: 'one ticker at two exchanges, each in its own currency',
    files: {
      'eod.csv': lines(
        'Code,Ex,Date,Close,Adjusted_close,Currency',
        map((r) => `SPY,US,${r.date},${r.close},${r.adjusted},USD`),
        map((r) => `SPY,LSE,${r.date},${r.close},${r.adjusted},GBP`, panelRows('QQQ')),
      ),
    },
    expected: { tickers: { SPY: ['SPY', 'adjusted'], 'SPY-LSE': ['QQQ', 'adjusted'] } },
  },
  ...['prices.csv', 'prices.zip', 'prices.xlsb'].map(
    (name): CorpusCase => ({
      name: `a spreadsheet called ${name}`,
      files: { [name]: zipOf({ '[Content_Types].xml': '<x/>', 'xl/workbook.xml': '<x/>' }) },
      expected: { refused: new RegExp(`${name} is a spreadsheet: save it as CSV`) },
    }),
  ),
  {
    name: 'a spreadsheet of before 2007',
    files: { 'prices.xls': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]) },
    expected: { refused: /prices\.xls is a spreadsheet: save it as CSV/ },
  },
  {
    name: 'an archive of a spreadsheet',
    files: { 'prices.zip': zipOf({ 'SPY.xlsx': zipOf({ '[Content_Types].xml': '<x/>' }) }) },
    expected: { refused: /no price file in prices\.zip: SPY\.xlsx is a spreadsheet, save it as CSV/ },
  },
];
