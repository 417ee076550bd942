/**
 * How each factor of the demo data set behaves by stretch of time: the multiple it makes over the stretch and
 * its yearly volatility. The shapes follow what everybody remembers (two long bull markets, the crashes of
 * 2000, 2008 and 2020, the bear market of bonds); the days within are random.
 */
export interface Regime {
  /** Last day of the stretch, `YYYY-MM-DD`. */
  readonly until: string;
  /** Value at the end over value at the start. */
  readonly multiple: number;
  readonly volatility: number;
}

/** Factors with regimes, and Treasury bills, which have a yield instead. */
export type FactorName = RegimeFactor | 'bills';

export type RegimeFactor =
  | 'market'
  | 'growth'
  | 'small'
  | 'developed'
  | 'emerging'
  | 'rates'
  | 'credit'
  | 'gold'
  | 'oil'
  | 'metals'
  | 'dollar'
  | 'yen'
  | 'fear'
  | 'crypto'
  | 'technology'
  | 'semiconductors'
  | 'financials'
  | 'energy'
  | 'health'
  | 'biotech'
  | 'consumer'
  | 'staples'
  | 'industrials'
  | 'materials'
  | 'utilities'
  | 'realEstate'
  | 'communication'
  | 'china';

/**
 * Stretches as `until multiple volatility`; whatever a factor other than the market earns comes on top of the
 * market's share.
 */
const STRETCHES: Readonly<Record<RegimeFactor, string>> = {
  market: `1990-07-16 1.06 .13, 1990-10-11 .81 .20, 1994-01-31 1.78 .115, 1994-12-31 .975 .10, 1998-07-17 2.75 .14, 1998-08-31 .81 .28,
    2000-03-24 1.62 .19, 2002-10-09 .53 .22, 2007-10-09 2.14 .125, 2008-09-12 .83 .21, 2009-03-09 .55 .42, 2011-04-29 2.1 .19,
    2011-10-03 .82 .28, 2015-05-21 2.05 .125, 2016-02-11 .88 .17, 2018-09-20 1.67 .10, 2018-12-24 .81 .22, 2020-02-19 1.47 .125,
    2020-03-23 .665 .75, 2022-01-03 2.18 .175, 2022-10-12 .765 .235, 2025-02-19 1.77 .14, 2025-04-08 .82 .33, 2026-11-20 1.45 .15`,
  growth:
    '1998-10-08 1.7 .09, 2000-03-10 1.9 .16, 2002-10-07 .38 .24, 2007-10-31 1.1 .08, 2009-03-09 1.1 ' +
    '.10, 2020-08-31 1.85 .06, 2021-11-19 .97 .09, 2022-12-28 .82 .12, 2026-11-20 1.3 .08',
  small: '1999-12-31 .8 .07, 2006-12-31 1.7 .08, 2020-03-18 .72 .08, 2021-03-15 1.25 .13, 2026-11-20 .75 .10',
  developed: '2002-12-31 .62 .11, 2007-10-31 1.45 .08, 2024-12-31 .42 .08, 2026-11-20 1.2 .09',
  emerging:
    '1998-09-10 .45 .14, 2002-12-31 1.05 .14, 2007-10-31 2.1 .13, 2010-12-31 1.15 .13, 2024-12-31 ' +
    '.3 .12, 2026-11-20 1.2 .11',
  rates:
    '2000-01-20 2.1 .095, 2008-11-20 2.3 .095, 2009-06-10 .8 .18, 2012-07-25 1.85 .15, 2013-12-31 ' +
    '.82 .125, 2020-03-09 1.95 .12, 2020-08-04 1.03 .17, 2023-10-19 .64 .16, 2026-11-20 1.1 .14',
  credit:
    '2007-06-30 1.1 .02, 2008-12-15 .72 .12, 2010-12-31 1.35 .05, 2020-02-20 1.05 .03, 2020-03-23 ' +
    '.88 .18, 2026-11-20 1.15 .035',
  gold:
    '1999-08-25 .66 .11, 2008-03-17 3.7 .15, 2008-11-12 .74 .28, 2011-09-05 2.6 .18, 2015-12-17 .63 ' +
    '.17, 2020-08-06 1.9 .13, 2022-11-03 .8 .15, 2026-11-20 2.2 .16',
  oil:
    '1998-12-21 .45 .30, 2008-07-14 7.5 .30, 2008-12-19 .28 .55, 2014-06-20 1.9 .27, 2016-02-11 .25 ' +
    '.42, 2020-01-06 1.6 .30, 2020-04-28 .27 .85, 2022-06-08 5.6 .40, 2026-11-20 .75 .32',
  metals:
    '2003-12-31 1.0 .12, 2008-07-02 1.7 .14, 2008-11-20 .6 .28, 2011-04-29 2.2 .18, 2020-03-18 .42 ' +
    '.12, 2026-11-20 1.9 .15',
  dollar:
    '2002-02-01 1.25 .075, 2008-04-22 .65 .07, 2014-05-06 1.05 .075, 2022-09-27 1.45 .06, 2026-11-20 .95 .065',
  yen: '1995-04-18 1.5 .10, 2007-06-22 .62 .09, 2011-10-31 1.55 .10, 2024-07-10 .44 .075, 2026-11-20 1.05 .09',
  fear: '2007-02-26 .25 .5, 2009-03-09 1.6 .6, 2018-01-26 .004 .42, 2020-03-16 1.4 .6, 2026-11-20 .06 .5',
  crypto:
    '2013-12-31 60 .9, 2017-12-17 24 .75, 2018-12-15 .17 .75, 2021-11-10 20 .7, 2022-11-21 .24 .6, ' +
    '2025-10-06 7 .45, 2026-11-20 .8 .42',
  technology: '1999-03-31 1.5 .07, 2000-03-10 1.2 .10, 2002-10-07 .8 .12, 2026-11-20 1.15 .05',
  semiconductors: '2000-03-10 1.6 .14, 2002-10-07 .6 .18, 2015-12-31 1.0 .10, 2026-11-20 2.4 .13',
  financials: '2006-12-31 1.3 .06, 2009-03-06 .38 .20, 2026-11-20 1.05 .07',
  energy:
    '2000-12-31 .65 .10, 2008-06-30 2.3 .11, 2014-06-30 .9 .09, 2020-10-28 .22 .13, 2022-11-11 2.9 ' +
    '.17, 2026-11-20 .7 .12',
  health: '2000-03-31 1.0 .08, 2009-03-09 1.2 .07, 2015-07-20 1.4 .06, 2026-11-20 .72 .065',
  biotech:
    '2000-03-06 1.8 .18, 2002-07-31 .6 .18, 2012-12-31 1.2 .11, 2015-07-20 1.7 .13, 2026-11-20 .55 .16',
  consumer: '2009-03-09 .95 .06, 2021-11-19 1.4 .05, 2026-11-20 .85 .07',
  staples: '2000-03-10 .65 .09, 2009-03-09 1.9 .065, 2026-11-20 .95 .05',
  industrials: '2009-03-09 1.0 .05, 2026-11-20 1.05 .045',
  materials: '2000-12-31 .6 .08, 2008-06-30 1.5 .09, 2026-11-20 .72 .07',
  utilities: '2000-03-10 .55 .09, 2002-10-09 1.1 .13, 2008-01-31 1.35 .08, 2026-11-20 1.1 .085',
  realEstate:
    '2000-02-28 .55 .09, 2007-02-07 2.4 .09, 2009-03-06 .55 .24, 2019-12-31 1.25 .08, 2026-11-20 .62 .09',
  communication: '2002-10-09 .75 .09, 2026-11-20 1.1 .06',
  china: '2003-04-25 .7 .16, 2007-10-31 2.2 .16, 2020-12-31 .6 .13, 2024-01-22 .45 .19, 2026-11-20 1.3 .18',
};

/**
 * What follows the last stretch, as `growth volatility`, both a year: nobody knows its end, so that it is not
 * settled at a multiple.
 */
const AFTERWARDS: Readonly<Record<RegimeFactor, string>> = {
  market: '.08 .15',
  growth: '.01 .08',
  small: '0 .09',
  developed: '0 .085',
  emerging: '0 .11',
  rates: '.01 .13',
  credit: '.02 .035',
  gold: '.05 .15',
  oil: '0 .32',
  metals: '.02 .14',
  dollar: '0 .065',
  yen: '0 .085',
  fear: '-.35 .5',
  crypto: '.15 .5',
  technology: '.01 .05',
  semiconductors: '.03 .12',
  financials: '0 .07',
  energy: '0 .12',
  health: '0 .065',
  biotech: '0 .15',
  consumer: '0 .06',
  staples: '0 .055',
  industrials: '0 .045',
  materials: '0 .07',
  utilities: '0 .085',
  realEstate: '0 .085',
  communication: '0 .06',
  china: '0 .18',
};

/** How a factor goes on behind its last stretch: growth and volatility a year, fractions. */
export function afterwards(factor: RegimeFactor): { readonly growth: number; readonly volatility: number } {
  const [growth, volatility] = AFTERWARDS[factor].split(' ');
  return { growth: Number(growth), volatility: Number(volatility) };
}

/** The regimes of a factor, in order of time, the last one up to the end of the demo data set as it begins. */
export function regimesOf(factor: RegimeFactor): readonly Regime[] {
  return STRETCHES[factor].split(',').map((stretch) => {
    const [until, multiple, volatility] = stretch.trim().split(/\s+/);
    return { until: until ?? '', multiple: Number(multiple), volatility: Number(volatility) };
  });
}

export const FACTOR_NAMES = Object.keys(STRETCHES) as RegimeFactor[];
