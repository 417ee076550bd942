/**
 * What people call the index or the good that a fund holds, where the fund's name does not say it: `nasdaq 100` finds QQQ, whose name is
 * Invesco QQQ Trust. By ticker; only of funds that follow it, leveraged and inverse ones included.
 */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  'nasdaq 100': ['QQQ', 'QQQM', 'TQQQ', 'SQQQ', 'QLD', 'QID', 'PSQ'],
  's&p 500 sp500': ['SPY', 'VOO', 'IVV', 'SPLG', 'UPRO', 'SPXL', 'SPXU', 'SPXS', 'SSO', 'SDS', 'SH'],
  'dow jones industrial average': ['DIA', 'UDOW', 'SDOW', 'DDM', 'DXD', 'DOG'],
  'russell 2000 small cap': ['IWM', 'VTWO', 'TNA', 'TZA', 'UWM', 'TWM', 'RWM'],
  vix: ['VIXY', 'VXX', 'UVXY', 'SVXY', 'VIXM'],
  'treasury bonds long term': ['TLT', 'VGLT', 'SPTL', 'TMF', 'TMV', 'UBT', 'TBT', 'TBF'],
  'treasury bonds intermediate': ['IEF', 'VGIT', 'IEI', 'TYD', 'TYO'],
  'treasury bills cash short term': ['BIL', 'SHV', 'SGOV', 'SHY', 'VGSH'],
  gold: ['GLD', 'IAU', 'GLDM', 'UGL', 'GLL'],
  silver: ['SLV', 'SIVR', 'AGQ', 'ZSL'],
  'crude oil': ['USO', 'BNO', 'UCO', 'SCO'],
  'semiconductors chips': ['SOXX', 'SMH', 'SOXL', 'SOXS'],
  'technology sector': ['XLK', 'VGT', 'TECL', 'TECS'],
  'emerging markets': ['EEM', 'VWO', 'IEMG', 'EDC', 'EDZ'],
  'us dollar': ['UUP', 'UDN'],
};

const BY_TICKER: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLED).flatMap(([words, tickers]) => tickers.map((ticker) => [ticker, words] as const)),
);

/** Words that find a fund besides those of its name; empty where there are none. */
export function fundWords(ticker: string): string {
  return BY_TICKER.get(ticker) ?? '';
}
