/** A fund that gives a multiple of its index's return every day. */
export interface LeveragedFund {
  readonly ticker: string;
  readonly name: string;
  /** Ticker of the unleveraged fund on the same index. */
  readonly base: string;
  readonly multiple: number;
  /** Yearly cost as a fraction (expense ratio), taken daily. Borrowing is on top. */
  readonly cost: number;
  readonly listedOn: string;
}

const TABLE = `
SSO|ProShares Ultra S&P500|SPY|2|0.0089|2006-06-21
UPRO|ProShares UltraPro S&P500|SPY|3|0.0091|2009-06-25
SPXL|Direxion Daily S&P 500 Bull 3X Shares|SPY|3|0.0091|2008-11-05
SH|ProShares Short S&P500|SPY|-1|0.0089|2006-06-21
SDS|ProShares UltraShort S&P500|SPY|-2|0.009|2006-07-13
SPXU|ProShares UltraPro Short S&P500|SPY|-3|0.009|2009-06-25
SPXS|Direxion Daily S&P 500 Bear 3X Shares|SPY|-3|0.0101|2008-11-05
QLD|ProShares Ultra QQQ|QQQ|2|0.0095|2006-06-21
TQQQ|ProShares UltraPro QQQ|QQQ|3|0.0088|2010-02-11
PSQ|ProShares Short QQQ|QQQ|-1|0.0095|2006-06-21
QID|ProShares UltraShort QQQ|QQQ|-2|0.0095|2006-07-13
SQQQ|ProShares UltraPro Short QQQ|QQQ|-3|0.0095|2010-02-11
DDM|ProShares Ultra Dow30|DIA|2|0.0095|2006-06-21
UDOW|ProShares UltraPro Dow30|DIA|3|0.0095|2010-02-11
DOG|ProShares Short Dow30|DIA|-1|0.0095|2006-06-21
SDOW|ProShares UltraPro Short Dow30|DIA|-3|0.0095|2010-02-11
UWM|ProShares Ultra Russell2000|IWM|2|0.0095|2007-01-25
TNA|Direxion Daily Small Cap Bull 3X Shares|IWM|3|0.0108|2008-11-05
RWM|ProShares Short Russell2000|IWM|-1|0.0095|2007-01-25
TZA|Direxion Daily Small Cap Bear 3X Shares|IWM|-3|0.0106|2008-11-05
MVV|ProShares Ultra MidCap400|MDY|2|0.0095|2006-06-21
SOXL|Direxion Daily Semiconductor Bull 3X Shares|SOXX|3|0.0076|2010-03-11
SOXS|Direxion Daily Semiconductor Bear 3X Shares|SOXX|-3|0.0101|2010-03-11
USD|ProShares Ultra Semiconductors|SOXX|2|0.0095|2007-02-01
TECL|Direxion Daily Technology Bull 3X Shares|XLK|3|0.0094|2008-12-17
TECS|Direxion Daily Technology Bear 3X Shares|XLK|-3|0.0101|2008-12-17
ROM|ProShares Ultra Technology|XLK|2|0.0095|2007-02-01
FAS|Direxion Daily Financial Bull 3X Shares|XLF|3|0.0093|2008-11-06
FAZ|Direxion Daily Financial Bear 3X Shares|XLF|-3|0.0104|2008-11-06
ERX|Direxion Daily Energy Bull 2X Shares|XLE|2|0.0093|2008-11-06
ERY|Direxion Daily Energy Bear 2X Shares|XLE|-2|0.0107|2008-11-06
CURE|Direxion Daily Healthcare Bull 3X Shares|XLV|3|0.0093|2011-06-15
UTSL|Direxion Daily Utilities Bull 3X Shares|XLU|3|0.0096|2017-05-03
RETL|Direxion Daily Retail Bull 3X Shares|XRT|3|0.0098|2010-07-14
DRN|Direxion Daily Real Estate Bull 3X Shares|VNQ|3|0.0099|2009-07-16
LABU|Direxion Daily S&P Biotech Bull 3X Shares|XBI|3|0.0093|2015-05-28
LABD|Direxion Daily S&P Biotech Bear 3X Shares|XBI|-3|0.0107|2015-05-28
EDC|Direxion Daily MSCI Emerging Markets Bull 3X Shares|EEM|3|0.0112|2008-12-17
YINN|Direxion Daily FTSE China Bull 3X Shares|FXI|3|0.0136|2009-12-03
YANG|Direxion Daily FTSE China Bear 3X Shares|FXI|-3|0.0107|2009-12-03
TMF|Direxion Daily 20+ Year Treasury Bull 3X Shares|TLT|3|0.0105|2009-04-16
TMV|Direxion Daily 20+ Year Treasury Bear 3X Shares|TLT|-3|0.0103|2009-04-16
UBT|ProShares Ultra 20+ Year Treasury|TLT|2|0.0095|2010-01-19
TBF|ProShares Short 20+ Year Treasury|TLT|-1|0.0094|2009-08-18
TBT|ProShares UltraShort 20+ Year Treasury|TLT|-2|0.0093|2008-04-29
TYD|Direxion Daily 7-10 Year Treasury Bull 3X Shares|IEF|3|0.0109|2009-04-16
UST|ProShares Ultra 7-10 Year Treasury|IEF|2|0.0095|2010-01-19
UGL|ProShares Ultra Gold|GLD|2|0.0095|2008-12-01
GLL|ProShares UltraShort Gold|GLD|-2|0.0095|2008-12-01
AGQ|ProShares Ultra Silver|SLV|2|0.0095|2008-12-01
UCO|ProShares Ultra Bloomberg Crude Oil|USO|2|0.0095|2008-11-24
NUGT|Direxion Daily Gold Miners Index Bull 2X Shares|GDX|2|0.0113|2010-12-08
DUST|Direxion Daily Gold Miners Index Bear 2X Shares|GDX|-2|0.0093|2010-12-08
`;

/** Well-known leveraged and inverse funds with their published expense ratios and first trading days. */
export const LEVERAGED_FUNDS: readonly LeveragedFund[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [ticker, name, base, multiple, cost, listedOn] = line.split('|');
    return {
      ticker: ticker ?? '',
      name: name ?? '',
      base: base ?? '',
      multiple: Number(multiple),
      cost: Number(cost),
      listedOn: listedOn ?? '',
    };
  });

/**
 * Mean yields of three-month Treasury bills by year, rounded, as published by the Federal Reserve (H.15); the
 * last one goes on.
 */
const BILL_YIELDS: Readonly<Record<number, number>> = {
  1990: 7.5,
  1991: 5.4,
  1992: 3.4,
  1993: 3.0,
  1994: 4.3,
  1995: 5.5,
  1996: 5.0,
  1997: 5.1,
  1998: 4.8,
  1999: 4.6,
  2000: 5.8,
  2001: 3.4,
  2002: 1.6,
  2003: 1.0,
  2004: 1.4,
  2005: 3.2,
  2006: 4.7,
  2007: 4.4,
  2008: 1.4,
  2009: 0.2,
  2010: 0.1,
  2011: 0.1,
  2012: 0.1,
  2013: 0.1,
  2014: 0.0,
  2015: 0.1,
  2016: 0.3,
  2017: 0.9,
  2018: 1.9,
  2019: 2.1,
  2020: 0.4,
  2021: 0.0,
  2022: 2.0,
  2023: 5.1,
  2024: 5.0,
  2025: 4.1,
  2026: 3.7,
};

/** The yearly short rate as a fraction. Before 1990 the rate of 1990, after the table its last. */
export function shortRate(year: number): number {
  return (BILL_YIELDS[Math.min(2026, Math.max(1990, year))] ?? 0) / 100;
}

export const TRADING_DAYS_PER_YEAR = 252;

/**
 * One day's return of a daily-reset fund: the multiple of the index's return, less what it borrows (or plus
 * what it earns on its collateral, where the multiple is below 1) at the short rate, less its cost. Never below -99%.
 */
export function leveragedReturn(
  fund: Pick<LeveragedFund, 'multiple' | 'cost'>,
  indexReturn: number,
  year: number,
): number {
  const carry = (1 - fund.multiple) * shortRate(year) - fund.cost;
  return Math.max(-0.99, fund.multiple * indexReturn + carry / TRADING_DAYS_PER_YEAR);
}
