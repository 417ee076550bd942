import { gzipSync } from 'node:zlib';
import { ALL_ADJUSTED, ALL_CLOSE, type CorpusCase, SPY_CLOSE } from './case.ts';
import { LONG, lines, SPY } from './lines.ts';
import { type PanelRow, panelRows, partsOf, rowsByDay } from './panel.ts';

const map = (row: (row: PanelRow) => string, rows: readonly PanelRow[] = SPY) => rows.map(row);
const everyFifth = SPY.filter((_, i) => i % 5 === 0);
const table = (names: readonly string[], date = 'Date') =>
  lines(
    [date, ...names].join(','),
    rowsByDay().map((day) => [day[0]?.row.date, ...names.map((_, i) => day[i % 3]?.row.adjusted)].join(',')),
  );

/** Tables of several tickers, periods, dates and encodings that were found missing later. */
export const moreTableCases: readonly CorpusCase[] = [
  {
    name: 'yfinance, a ticker whose name is a field (LOW)',
    files: {
      'prices.csv': lines(
        'Price,Close,Close,Volume,Volume',
        'Ticker,LOW,SPY,LOW,SPY',
        'Date,,,,',
        rowsByDay().map((day) => `${day[0]?.row.date},${day[1]?.row.adjusted},${day[0]?.row.adjusted},1,2`),
      ),
    },
    expected: { tickers: { LOW: ['QQQ', 'adjusted'], SPY: ['SPY', 'adjusted'] } },
  },
  {
    name: 'yfinance, only LOW, group_by ticker',
    files: {
      'prices.csv': lines(
        'Ticker,LOW,LOW,LOW',
        'Price,Open,Close,Volume',
        'Date,,,',
        map((r) => `${r.date},${r.open},${r.adjusted},${r.volume}`),
      ),
    },
    expected: { tickers: { LOW: ['SPY', 'adjusted'] } },
  },
  {
    name: 'yfinance through a spreadsheet that merged equal cells, by field',
    files: {
      'prices.csv': lines(
        'Price,Close,,,Volume,,',
        'Ticker,SPY,QQQ,BRK-B,SPY,QQQ,BRK-B',
        'Date,,,,,,',
        rowsByDay().map((day) =>
          [day[0]?.row.date, ...day.map(({ row }) => row.adjusted), 1, 2, 3].join(','),
        ),
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance through a spreadsheet that merged equal cells, by ticker',
    files: {
      'prices.csv': lines(
        'Ticker;SPY;;QQQ;;BRK-B;',
        'Price;Open;Close;Open;Close;Open;Close',
        'Date;;;;;;',
        rowsByDay().map((day) =>
          [day[0]?.row.date, ...day.flatMap(({ row }) => [row.open, row.adjusted])].join(';'),
        ),
      ),
    },
    expected: { tickers: ALL_ADJUSTED },
  },
  {
    name: 'yfinance 0.1, group_by ticker, no names of levels',
    files: {
      'prices.csv': lines(
        ',SPY,SPY,SPY,QQQ,QQQ,QQQ',
        ',Open,Close,Adj Close,Open,Close,Adj Close',
        'Date,,,,,,',
        rowsByDay().map((day) =>
          [
            day[0]?.row.date,
            ...day.slice(0, 2).flatMap(({ row }) => [row.open, row.close, row.adjusted]),
          ].join(','),
        ),
      ),
    },
    expected: { tickers: { SPY: ['SPY', 'adjusted'], QQQ: ['QQQ', 'adjusted'] } },
  },
  {
    name: 'yfinance, one-level columns, written by numbers',
    files: {
      'SPY.csv': lines(
        'Date,Close,High,Low,Open,Volume',
        map((r) => `${r.date},${r.close},${r.high},${r.low},${r.open},${r.volume}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'yfinance, hourly bars',
    files: {
      'SPY.csv': lines(
        'Datetime,Open,High,Low,Close,Volume',
        SPY.flatMap((r) =>
          [9, 10, 11].map(
            (h, i) => `${r.date} ${String(h).padStart(2, '0')}:30:00-05:00,1,1,1,${Number(r.close) + i},1`,
          ),
        ),
      ),
    },
    expected: { refused: /bars within a day|conflicting price/ },
  },
  {
    name: 'weekly bars under a plain name',
    files: {
      'SPY.csv': lines(
        'Date,Open,High,Low,Close,Adj Close,Volume',
        map((r) => `${r.date},${r.open},${r.high},${r.low},${r.close},${r.adjusted},${r.volume}`, everyFifth),
      ),
    },
    expected: { refused: /weekly/ },
  },
  {
    name: 'monthly bars of a panel',
    files: {
      'p.csv': lines(
        'date,SPY,QQQ',
        Array.from(
          { length: 48 },
          (_, i) =>
            `${2010 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-${String([4, 1, 1, 1, 3, 1, 1, 2, 1, 1, 1, 1][i % 12]).padStart(2, '0')},${100 + i},${200 + i}`,
        ).filter((line) => ![0, 6].includes(new Date(line.slice(0, 10)).getUTCDay())),
      ),
    },
    expected: { refused: /monthly/ },
  },
  {
    name: 'wide without a name of the index, with T and DT',
    files: { 'prices.csv': table(['T', 'DT', 'SPY'], '') },
    expected: { tickers: { T: ['SPY', 'adjusted'], DT: ['QQQ', 'adjusted'], SPY: ['BRK-B', 'adjusted'] } },
  },
  {
    name: 'wide with O, H, L and C',
    files: { 'XYZ.csv': table(['O', 'H', 'L', 'C', 'SPY', 'QQQ']) },
    expected: {
      tickers: {
        O: ['SPY', 'adjusted'],
        H: ['QQQ', 'adjusted'],
        L: ['BRK-B', 'adjusted'],
        C: ['SPY', 'adjusted'],
        SPY: ['QQQ', 'adjusted'],
        QQQ: ['BRK-B', 'adjusted'],
      },
    },
  },
  {
    name: 'wide with LOW among many',
    files: { 'prices.csv': table(['AAPL', 'MSFT', 'LOW', 'HD', 'WMT', 'KO']) },
    expected: {
      tickers: {
        AAPL: ['SPY', 'adjusted'],
        MSFT: ['QQQ', 'adjusted'],
        LOW: ['BRK-B', 'adjusted'],
        HD: ['SPY', 'adjusted'],
        WMT: ['QQQ', 'adjusted'],
        KO: ['BRK-B', 'adjusted'],
      },
    },
  },
  {
    name: 'wide, only highs and lows',
    files: { 'SPY.csv': table(['HIGH', 'LOW']) },
    expected: { refused: /no price column/ },
  },
  ...['data_A.csv', 'test_B.csv', 'portfolio_T.csv', 'SPY_volume.csv', 'AAPL vs SPY.csv', 'SPY_MX.csv'].map(
    (name): CorpusCase => ({
      name: `a name that is no ticker: ${name}`,
      files: {
        [name]: lines(
          'date,close',
          map((r) => `${r.date},${r.close}`),
        ),
      },
      expected: { refused: /--ticker/ },
    }),
  ),
  {
    name: 'lines that end in CR',
    files: { 'SPY.csv': `date,close\r${map((r) => `${r.date},${r.close}`).join('\r')}\r` },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'empty lines everywhere',
    files: { 'SPY.csv': `\n\ndate,close\n\n${map((r) => `${r.date},${r.close}`).join('\n\n')}\n\n\n` },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'rows of empty cells at the end',
    files: {
      'SPY.csv': lines(
        'date;close;',
        map((r) => `${r.date};${r.close};`),
        Array.from({ length: 3 }, () => ';;'),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'files put behind each other with their headers',
    files: {
      'p.csv': ['SPY', 'QQQ', 'BRK-B']
        .map((t) =>
          lines(
            'date,ticker,close',
            panelRows(t as 'SPY').map((r) => `${r.date},${t},${r.close}`),
          ),
        )
        .join(''),
    },
    expected: { tickers: ALL_CLOSE },
  },
  {
    name: 'a field for each row',
    files: {
      'p.csv': lines(
        'date,ticker,field,value',
        rowsByDay()
          .flat()
          .flatMap(({ ticker, row: r }) => [
            `${r.date},${ticker},close,${r.close}`,
            `${r.date},${ticker},volume,${r.volume}`,
          ]),
      ),
    },
    expected: { refused: /conflicting price|field/ },
  },
  {
    name: '2015.01.05',
    files: {
      'SPY.csv': lines(
        'date,close',
        map((r) => `${r.date.replaceAll('-', '.')},${r.close}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: '5.1.15',
    files: {
      'SPY.csv': lines(
        'date;close',
        map(
          (r) =>
            `${Number(partsOf(r.date).d)}.${Number(partsOf(r.date).m)}.${partsOf(r.date).y.slice(2)};${r.close.replace('.', ',')}`,
        ),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: '05-Jan-2015 newest first',
    files: {
      'SPY.csv': lines(
        'date,close',
        map(
          (r) =>
            `${partsOf(r.date).d}-${partsOf(r.date).month.toUpperCase()}-${partsOf(r.date).y},${r.close}`,
        ).reverse(),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'Excel’s days since 1900',
    files: {
      'SPY.csv': lines(
        'date,close',
        map((r) => `${r.day + 25569},${r.close}`),
      ),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'dates of a later time zone',
    files: {
      'SPY.csv': lines(
        'date,close',
        map((r) => `${Date.parse(`${r.date}T00:00:00+09:00`) / 1000},${r.close}`),
      ),
    },
    expected: { refused: /weekend/ },
  },
  {
    name: 'a table of returns',
    files: {
      'p.csv': lines(
        'Date,SPY,QQQ',
        map((r) => `${r.date},${r.day % 2 ? '-' : ''}0.01,${r.day % 3 ? '-' : ''}0.02`),
      ),
    },
    expected: { refused: /non[_ ]positive/ },
  },
  {
    name: 'UTF-16 BE, semicolons, decimal commas, dd.mm.yyyy',
    files: {
      'SPY.csv': Buffer.from(
        `\uFEFF${lines(
          'Datum;Schlusskurs',
          map(
            (r) =>
              `${partsOf(r.date).d}.${partsOf(r.date).m}.${partsOf(r.date).y};${r.close.replace('.', ',')}`,
          ),
        ).replaceAll('\n', '\r\n')}`,
        'utf16le',
      ).swap16(),
    },
    expected: { tickers: SPY_CLOSE },
  },
  {
    name: 'UTF-16 in gzip',
    files: { 'p.csv.gz': gzipSync(Buffer.from(`\uFEFF${LONG}`, 'utf16le')) },
    expected: { tickers: ALL_ADJUSTED },
  },
];
