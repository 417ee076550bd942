import { ALL_ADJUSTED, ALL_CLOSE, type CorpusCase, SPY_ADJUSTED, SPY_CLOSE } from './case.ts';
import { LONG, lines, long, SPY } from './lines.ts';
import { panelRows, partsOf, rowsByDay } from './panel.ts';

const wide = (header: string, delimiter = ',', write = (price: string) => price) =>
  lines(
    header,
    rowsByDay().map((day) =>
      [day[0]?.row.date, ...day.map(({ row }) => write(row.adjusted))].join(delimiter),
    ),
  );
const dated = (write: (parts: ReturnType<typeof partsOf>) => string) =>
  long('date,ticker,adj_close', (ticker, r) => `"${write(partsOf(r.date))}",${ticker},${r.adjusted}`);
const comma = (price: string) => price.replace('.', ',');

/** Tables, dates and numbers, whoever wrote them. */
export const formCases: readonly CorpusCase[] = [
  { name: 'long', files: { 'prices.csv': LONG }, expected: { tickers: ALL_ADJUSTED } },
  {
    name: 'long with pandas’ index',
    files: { 'prices.csv': long(',date,ticker,adj_close', (t, r, i) => `${i},${r.date},${t},${r.adjusted}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long with row names of R, which have no header',
    files: {
      'prices.txt': long(
        'date ticker adj_close'.replaceAll(' ', '\t'),
        (t, r, i) => `${i + 1}\t${r.date}\t${t}\t${r.adjusted}`,
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long, tabs',
    files: { 'prices.tsv': long('date\tsymbol\tclose', (t, r) => `${r.date}\t${t}\t${r.close}`) },
    expected: { tickers: ALL_CLOSE },
  },
  {
    name: 'long, bars between, CRLF',
    files: { 'prices.txt': LONG.replaceAll(',', '|').replaceAll('\n', '\r\n') },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long, rows that end in a comma',
    files: { 'prices.csv': long('date,ticker,adj_close', (t, r) => `${r.date},${t},${r.adjusted},`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long, small letters and full stops',
    files: {
      'prices.csv': long(
        'date,ticker,adj_close',
        (t, r) => `${r.date},${t.toLowerCase().replace('-', '.')},${r.adjusted}`,
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long, endings of an exchange',
    files: { 'prices.csv': long('date,ticker,adj_close', (t, r) => `${r.date},${t}.US,${r.adjusted}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long behind comments',
    files: { 'prices.csv': `# from somewhere\n# 3 tickers\n${LONG}` },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long behind a title',
    files: { 'prices.csv': `Prices of three funds\n\n${LONG}` },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'long behind Excel’s line',
    files: { 'prices.csv': `sep=;\n${LONG.replaceAll(',', ';')}` },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'a file for each ticker, in a folder with other things',
    files: {
      'f/SPY.csv': lines(
        'date,close',
        SPY.map((r) => `${r.date},${r.close}`),
      ),
      'f/QQQ.csv': lines(
        'date,close',
        panelRows('QQQ').map((r) => `${r.date},${r.close}`),
      ),
      'f/brk_b.csv': lines(
        'date,close',
        panelRows('BRK-B').map((r) => `${r.date},${r.close}`),
      ),
      'f/readme.txt': 'What this is\nPrices\n',
      'f/.DS_Store': 'x',
    },
    paths: ['f'],
    expected: { tickers: ALL_CLOSE },
  },
  { name: 'wide', files: { 'panel.csv': wide('Date,SPY,QQQ,BRK-B') }, expected: { tickers: ALL_ADJUSTED } },
  {
    name: 'wide without a name of the index',
    files: { 'panel.csv': wide(',SPY,QQQ,BRK.B') },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'wide behind a numbered index',
    files: {
      'panel.csv': lines(
        'Unnamed: 0,Date,SPY',
        SPY.map((r, i) => `${i},${r.date},${r.adjusted}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'wide, semicolons and decimal commas',
    files: { 'panel.csv': wide('Datum;SPY;QQQ;BRK-B'.replace('Datum', 'Date'), ';', comma) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'wide, fields behind the ticker',
    files: { 'panel.csv': wide('Date,SPY_Close,QQQ_Close,BRK-B_Close') },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'wide, quantmod',
    files: {
      'spy.csv': lines(
        '"","SPY.Open","SPY.High","SPY.Low","SPY.Close","SPY.Volume","SPY.Adjusted"',
        SPY.map((r) => `"${r.date}",${r.open},${r.high},${r.low},${r.close},${r.volume},${r.adjusted}`),
      ),
    },
    expected: { tickers: SPY_ADJUSTED },
  },
  {
    name: 'wide with a column that is no ticker',
    files: { 'panel.csv': wide('Date,SPY,QQQ,Total') },
    expected: { refused: /Total is no ticker/ },
  },
  {
    name: 'wide with one ticker twice',
    files: { 'panel.csv': wide('Date,BRK-B,QQQ,BRK.B') },
    expected: { refused: /two columns of prices for BRK-B/ },
  },
  {
    name: 'day.month.year',
    files: { 'p.csv': dated(({ y, m, d }) => `${d}.${m}.${y}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'day-month-year',
    files: { 'p.csv': dated(({ y, m, d }) => `${d}-${m}-${y}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'day/month/year by date, beginning with days that can be both',
    files: { 'p.csv': dated(({ y, m, d }) => `${d}/${m}/${y}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'month/day/year without zeros',
    files: { 'p.csv': dated(({ y, m, d }) => `${Number(m)}/${Number(d)}/${y}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'month/day/two digits of the year, and a time',
    files: { 'p.csv': dated(({ y, m, d }) => `${Number(m)}/${Number(d)}/${y.slice(2)} 16:00`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: '05-Jan-15',
    files: { 'p.csv': dated(({ y, month, d }) => `${d}-${month}-${y.slice(2)}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: '5 Jan 2015',
    files: { 'p.csv': dated(({ y, month, d }) => `${Number(d)} ${month} ${y}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: '20150105',
    files: { 'p.csv': dated(({ y, m, d }) => `${y}${m}${d}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: '2015/01/05',
    files: { 'p.csv': dated(({ y, m, d }) => `${y}/${m}/${d}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'seconds since 1970',
    files: {
      'p.csv': dated(({ y, m, d }) => String(Date.UTC(Number(y), Number(m) - 1, Number(d), 14, 30) / 1000)),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'microseconds since 1970',
    files: { 'p.csv': dated(({ y, m, d }) => `${Date.UTC(Number(y), Number(m) - 1, Number(d))}000`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'days that can all be read both ways',
    files: { 'p.csv': lines('date,ticker,close', '05/02/2015,SPY,205.5', '06/02/2015,SPY,206.5') },
    expected: { refused: /day first or month first.*--dates day-first/ },
  },
  {
    name: 'both orders in one file',
    files: {
      'p.csv': lines(
        'date,ticker,close',
        Array.from({ length: 9 }, (_, i) => `${13 + i}/02/2015,SPY,205`),
        Array.from({ length: 9 }, (_, i) => `02/${13 + i}/2015,SPY,205`),
      ),
    },
    expected: { refused: /can only be day first/ },
  },
  {
    name: 'dollars',
    files: { 'p.csv': long('date,ticker,adj_close', (t, r) => `${r.date},${t},$${r.adjusted}`) },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'thousands from some day on',
    files: {
      'SPY.csv': lines(
        'date,close',
        panelRows('SPY', 4.75).map(
          (r) => `${r.date},"${Number(r.close).toLocaleString('en-US', { minimumFractionDigits: 2 })}"`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE, times: 4.75 },
  },
  {
    name: 'German numbers',
    files: {
      'SPY.csv': lines(
        'Date;Close',
        panelRows('SPY', 4.75).map(
          (r) =>
            `${partsOf(r.date).d}.${partsOf(r.date).m}.${partsOf(r.date).y};${Number(r.close).toLocaleString('de-DE', { minimumFractionDigits: 2 })}`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE, times: 4.75 },
  },
  {
    name: 'Swiss numbers',
    files: {
      'SPY.csv': lines(
        'Date;Close',
        panelRows('SPY', 9).map((r) => `${r.date};${r.close.slice(0, -6)}'${r.close.slice(-6)}`),
      ),
    },
    expected: { tickers: SPY_CLOSE, times: 9 },
  },
  {
    name: 'quoted decimal commas',
    files: {
      'SPY.csv': lines(
        'date,close',
        SPY.map((r) => `${r.date},"${comma(r.close)}"`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'commas that can be both',
    files: {
      'SPY.csv': lines(
        'date,close',
        SPY.map((r, i) => `${r.date},"1,${100 + i}"`),
      ),
    },
    expected: { refused: /--decimal comma or --decimal point/ },
  },
];
