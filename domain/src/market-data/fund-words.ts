/**
 * What people call the index or the good that a fund holds, where the fund's name does not say it:
 * `nasdaq 100` finds QQQ, whose name is Invesco QQQ Trust. By ticker; only of funds that go the same way:
 * who looks for gold does not want a fund against it first.
 */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  'nasdaq 100': ['QQQ', 'QQQM', 'TQQQ'],
  's&p 500 sp500': ['SPY', 'VOO', 'IVV', 'SPLG', 'UPRO', 'SPXL'],
  'dow jones industrial average': ['DIA', 'UDOW'],
  'russell 2000 small cap': ['IWM', 'VTWO', 'TNA'],
  vix: ['VIXY', 'VXX', 'UVXY', 'SVXY', 'VIXM'],
  'treasury bonds long term': ['TLT', 'VGLT', 'SPTL', 'TMF'],
  'treasury bonds intermediate': ['IEF', 'VGIT', 'IEI'],
  'treasury bills cash short term': ['BIL', 'SHV', 'SGOV', 'SHY', 'VGSH'],
  gold: ['GLD', 'IAU', 'GLDM'],
  silver: ['SLV', 'SIVR'],
  'crude oil': ['USO', 'BNO'],
  'semiconductors chips': ['SOXX', 'SMH', 'SOXL'],
  'technology sector': ['XLK', 'VGT', 'TECL'],
  'emerging markets': ['EEM', 'VWO', 'IEMG', 'EDC'],
  'us dollar': ['UUP', 'UDN'],
};

const BY_TICKER: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLED).flatMap(([words, tickers]) => tickers.map((ticker) => [ticker, words] as const)),
);

/** Words that find a fund besides those of its name; empty where there are none. */
export function fundWords(ticker: string): string {
  return BY_TICKER.get(ticker) ?? '';
}
