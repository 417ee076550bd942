import { parseKnownAssets } from './known-asset.ts';

/**
 * Well-known funds with their first trading days; shares and own volatilities are estimates, drifts mostly
 * their expense ratios.
 */
export const FUNDS = parseKnownAssets(`
SPY|SPDR S&P 500 ETF Trust|1993-01-29|.008|-.0009|market 1
IVV|iShares Core S&P 500 ETF|2000-05-19|.008|-.0003|market 1
VOO|Vanguard S&P 500 ETF|2010-09-09|.008|-.0003|market 1
SPLG|SPDR Portfolio S&P 500 ETF|2005-11-15|.01|-.0002|market 1
VTI|Vanguard Total Stock Market ETF|2001-06-15|.008|-.0003|market 1, small .12
ITOT|iShares Core S&P Total U.S. Stock Market ETF|2004-01-23|.009|-.0003|market 1, small .12
SCHB|Schwab U.S. Broad Market ETF|2009-11-03|.009|-.0003|market 1, small .12
RSP|Invesco S&P 500 Equal Weight ETF|2003-05-01|.02|-.002|market 1.02, small .35
DIA|SPDR Dow Jones Industrial Average ETF Trust|1998-01-20|.025|-.0016|market .93, industrials .3, staples .1
QQQ|Invesco QQQ Trust|1999-03-10|.02|-.002|market 1.08, growth 1
QQQM|Invesco NASDAQ 100 ETF|2020-10-13|.02|-.0015|market 1.08, growth 1
ONEQ|Fidelity Nasdaq Composite Index ETF|2003-10-01|.02|-.0021|market 1.07, growth .85, small .1
IWM|iShares Russell 2000 ETF|2000-05-26|.02|-.0019|market 1.08, small 1
IWB|iShares Russell 1000 ETF|2000-05-19|.01|-.0015|market 1
IWF|iShares Russell 1000 Growth ETF|2000-05-26|.02|-.0019|market 1.04, growth .6
IWD|iShares Russell 1000 Value ETF|2000-05-26|.02|-.0019|market .96, growth -.45
IWN|iShares Russell 2000 Value ETF|2000-07-28|.03|-.0024|market 1.03, small 1, growth -.3
IWO|iShares Russell 2000 Growth ETF|2000-07-28|.03|-.0024|market 1.15, small 1, growth .35
MDY|SPDR S&P MidCap 400 ETF Trust|1995-05-04|.025|-.0023|market 1.05, small .55
IJH|iShares Core S&P Mid-Cap ETF|2000-05-26|.02|-.0005|market 1.05, small .55
IJR|iShares Core S&P Small-Cap ETF|2000-05-26|.025|-.0006|market 1.06, small .95
VB|Vanguard Small-Cap ETF|2004-01-30|.02|-.0005|market 1.07, small .85
VO|Vanguard Mid-Cap ETF|2004-01-30|.02|-.0004|market 1.03, small .4
VUG|Vanguard Growth ETF|2004-01-30|.02|-.0004|market 1.05, growth .65
VTV|Vanguard Value ETF|2004-01-30|.02|-.0004|market .94, growth -.4
SCHD|Schwab U.S. Dividend Equity ETF|2011-10-20|.03|-.0006|market .88, staples .3, growth -.3
VIG|Vanguard Dividend Appreciation ETF|2006-05-02|.02|-.0006|market .88, staples .25
VYM|Vanguard High Dividend Yield ETF|2006-11-16|.02|-.0006|market .9, growth -.35
DVY|iShares Select Dividend ETF|2003-11-07|.03|-.0038|market .88, utilities .3, financials .2
SPLV|Invesco S&P 500 Low Volatility ETF|2011-05-05|.03|-.0025|market .7, staples .4, utilities .3
USMV|iShares MSCI USA Min Vol Factor ETF|2011-10-20|.025|-.0015|market .75, staples .3
MTUM|iShares MSCI USA Momentum Factor ETF|2013-04-18|.06|-.0015|market 1.03, growth .5
QUAL|iShares MSCI USA Quality Factor ETF|2013-07-18|.02|-.0015|market 1, growth .2
BTAL|AGF U.S. Market Neutral Anti-Beta Fund|2011-09-13|.08|.065|market -.5, small -.5, staples .3
XLK|Technology Select Sector SPDR Fund|1998-12-22|.025|-.001|market 1.08, growth .7, technology 1
XLF|Financial Select Sector SPDR Fund|1998-12-22|.03|-.001|market 1.1, financials 1
XLE|Energy Select Sector SPDR Fund|1998-12-22|.04|-.001|market .95, energy 1, oil .12
XLV|Health Care Select Sector SPDR Fund|1998-12-22|.025|-.001|market .8, health 1
XLI|Industrial Select Sector SPDR Fund|1998-12-22|.025|-.001|market 1.02, industrials 1
XLP|Consumer Staples Select Sector SPDR Fund|1998-12-22|.025|-.001|market .6, staples 1
XLY|Consumer Discretionary Select Sector SPDR Fund|1998-12-22|.025|-.001|market 1.07, consumer 1, growth .15
XLU|Utilities Select Sector SPDR Fund|1998-12-22|.04|-.001|market .6, utilities 1, rates .15
XLB|Materials Select Sector SPDR Fund|1998-12-22|.03|-.001|market 1.05, materials 1
XLRE|Real Estate Select Sector SPDR Fund|2015-10-08|.03|-.001|market .85, realEstate 1, rates .15
XLC|Communication Services Select Sector SPDR Fund|2018-06-19|.03|-.001|market 1, communication 1, growth .3
VGT|Vanguard Information Technology ETF|2004-01-30|.025|-.001|market 1.1, growth .75, technology 1
VHT|Vanguard Health Care ETF|2004-01-30|.025|-.001|market .82, health 1
VDE|Vanguard Energy ETF|2004-09-29|.04|-.001|market 1, energy 1, oil .12
VFH|Vanguard Financials ETF|2004-01-30|.03|-.001|market 1.08, financials 1
VPU|Vanguard Utilities ETF|2004-01-30|.04|-.001|market .6, utilities 1, rates .15
SMH|VanEck Semiconductor ETF|2000-06-05|.05|-.0035|market 1.2, growth .8, semiconductors 1
SOXX|iShares Semiconductor ETF|2001-07-13|.05|-.0035|market 1.22, growth .8, semiconductors 1
IGV|iShares Expanded Tech-Software Sector ETF|2001-07-13|.06|-.004|market 1.08, growth .9, technology 1
IBB|iShares Biotechnology ETF|2001-02-09|.05|-.0045|market .85, biotech 1, growth .2
XBI|SPDR S&P Biotech ETF|2006-02-06|.1|-.0035|market 1, biotech 1.15, small .5
KRE|SPDR S&P Regional Banking ETF|2006-06-22|.08|-.0035|market 1.05, financials 1, small .7
KBE|SPDR S&P Bank ETF|2005-11-15|.06|-.0035|market 1.08, financials 1.1, small .4
XRT|SPDR S&P Retail ETF|2006-06-22|.08|-.0035|market 1.1, consumer .8, small .6
XHB|SPDR S&P Homebuilders ETF|2006-02-06|.1|-.0035|market 1.15, consumer .6, realEstate .5, small .5
ITB|iShares U.S. Home Construction ETF|2006-05-05|.11|-.004|market 1.15, consumer .6, realEstate .5, small .4
XME|SPDR S&P Metals & Mining ETF|2006-06-22|.12|-.0035|market 1.3, materials 1.2, metals .5, small .4
XOP|SPDR S&P Oil & Gas Exploration & Production ETF|2006-06-22|.1|-.0035|market 1.15, energy 1.4, oil .25, small .4
OIH|VanEck Oil Services ETF|2001-02-26|.1|-.0035|market 1.15, energy 1.5, oil .25
ITA|iShares U.S. Aerospace & Defense ETF|2006-05-05|.06|-.004|market 1, industrials 1
JETS|U.S. Global Jets ETF|2015-04-30|.14|-.006|market 1.2, industrials .8, small .5, oil -.05
IYR|iShares U.S. Real Estate ETF|2000-06-19|.03|-.004|market .85, realEstate 1, rates .1
VNQ|Vanguard Real Estate ETF|2004-09-29|.03|-.001|market .88, realEstate 1.02, rates .1
IYT|iShares U.S. Transportation ETF|2003-10-10|.06|-.004|market 1.08, industrials 1, small .3
EFA|iShares MSCI EAFE ETF|2001-08-27|.02|-.0033|market .9, developed 1, dollar -.25
VEA|Vanguard FTSE Developed Markets ETF|2007-07-26|.02|-.0005|market .9, developed 1, dollar -.25
IEFA|iShares Core MSCI EAFE ETF|2012-10-24|.02|-.0007|market .88, developed 1, dollar -.25
IEV|iShares Europe ETF|2000-07-28|.04|-.006|market .95, developed 1.1, dollar -.3
VGK|Vanguard FTSE Europe ETF|2005-03-10|.04|-.0006|market .95, developed 1.1, dollar -.3
EWJ|iShares MSCI Japan ETF|1996-03-18|.1|-.005|market .75, developed .9, yen .2
EWG|iShares MSCI Germany ETF|1996-03-18|.09|-.005|market 1, developed 1.2, dollar -.3
EWU|iShares MSCI United Kingdom ETF|1996-03-18|.07|-.005|market .85, developed 1, dollar -.25
EWC|iShares MSCI Canada ETF|1996-03-18|.08|-.005|market .9, developed .5, energy .2, oil .05
EWA|iShares MSCI Australia ETF|1996-03-18|.09|-.005|market .9, developed .9, metals .2
EEM|iShares MSCI Emerging Markets ETF|2003-04-14|.03|-.0068|market .98, emerging 1, dollar -.2
VWO|Vanguard FTSE Emerging Markets ETF|2005-03-10|.03|-.0008|market .95, emerging 1, dollar -.2
IEMG|iShares Core MSCI Emerging Markets ETF|2012-10-24|.03|-.0009|market .9, emerging 1, dollar -.2
EWZ|iShares MSCI Brazil ETF|2000-07-14|.16|-.006|market 1.1, emerging 1.3, dollar -.6, oil .1
FXI|iShares China Large-Cap ETF|2004-10-08|.08|-.0074|market .75, emerging .6, china 1
MCHI|iShares MSCI China ETF|2011-03-31|.06|-.0059|market .75, emerging .6, china 1
KWEB|KraneShares CSI China Internet ETF|2013-08-01|.15|-.007|market .85, growth .4, emerging .6, china 1.2
INDA|iShares MSCI India ETF|2012-02-03|.11|-.006|market .7, emerging .7
EWY|iShares MSCI South Korea ETF|2000-05-12|.12|-.006|market 1.05, emerging .9, technology .3
EWT|iShares MSCI Taiwan ETF|2000-06-23|.11|-.006|market .95, emerging .8, semiconductors .3
VT|Vanguard Total World Stock ETF|2008-06-26|.02|-.0006|market .96, developed .35, emerging .12
ACWI|iShares MSCI ACWI ETF|2008-03-28|.02|-.0032|market .97, developed .35, emerging .12
VXUS|Vanguard Total International Stock ETF|2011-01-28|.02|-.0005|market .9, developed .75, emerging .3, dollar -.2
TLT|iShares 20+ Year Treasury Bond ETF|2002-07-30|.02|.012|rates 1, market -.22
IEF|iShares 7-10 Year Treasury Bond ETF|2002-07-30|.012|.012|rates .44, market -.1
IEI|iShares 3-7 Year Treasury Bond ETF|2007-01-11|.01|.012|rates .27, market -.05
SHY|iShares 1-3 Year Treasury Bond ETF|2002-07-30|.005|-.001|bills .85, rates .08, market -.012
VGIT|Vanguard Intermediate-Term Treasury ETF|2009-11-23|.01|.012|rates .32, market -.06
VGLT|Vanguard Long-Term Treasury ETF|2009-11-24|.02|.012|rates .95, market -.2
EDV|Vanguard Extended Duration Treasury ETF|2007-12-10|.04|.012|rates 1.5, market -.3
GOVT|iShares U.S. Treasury Bond ETF|2012-02-24|.012|.011|rates .37, market -.07
ZROZ|PIMCO 25+ Year Zero Coupon U.S. Treasury Index ETF|2009-11-04|.05|.012|rates 1.65, market -.32
BIL|SPDR Bloomberg 1-3 Month T-Bill ETF|2007-05-30|.0008|-.0014|bills 1
SHV|iShares Short Treasury Bond ETF|2007-01-11|.001|-.0015|bills 1, rates .005
SGOV|iShares 0-3 Month Treasury Bond ETF|2020-05-28|.0008|-.0009|bills 1
AGG|iShares Core U.S. Aggregate Bond ETF|2003-09-29|.02|.015|rates .3, market -.02, credit .15
BND|Vanguard Total Bond Market ETF|2007-04-10|.02|.015|rates .3, market -.02, credit .15
LQD|iShares iBoxx $ Investment Grade Corporate Bond ETF|2002-07-30|.02|.014|rates .48, market .02, credit .9
VCIT|Vanguard Intermediate-Term Corporate Bond ETF|2009-11-23|.015|.014|rates .38, market .02, credit .7
HYG|iShares iBoxx $ High Yield Corporate Bond ETF|2007-04-11|.03|.01|market .38, credit 1.1, rates .06
JNK|SPDR Bloomberg High Yield Bond ETF|2007-12-04|.03|.01|market .39, credit 1.1, rates .06
EMB|iShares J.P. Morgan USD Emerging Markets Bond ETF|2007-12-19|.03|.012|market .25, credit 1, rates .4, emerging .15
TIP|iShares TIPS Bond ETF|2003-12-05|.02|.014|rates .38, gold .06
MUB|iShares National Muni Bond ETF|2007-09-10|.02|.014|rates .2, credit .3
BSV|Vanguard Short-Term Bond ETF|2007-04-10|.008|.015|rates .12, credit .05
BNDX|Vanguard Total International Bond ETF|2013-06-04|.02|.014|rates .25
PFF|iShares Preferred and Income Securities ETF|2007-03-30|.06|.01|market .45, financials .5, credit .6
CWB|SPDR Bloomberg Convertible Securities ETF|2009-04-16|.03|-.004|market .75, growth .3, small .2
GLD|SPDR Gold Shares|2004-11-18|.015|-.004|gold 1, dollar -.35
IAU|iShares Gold Trust|2005-01-28|.015|-.0025|gold 1, dollar -.35
SLV|iShares Silver Trust|2006-04-28|.17|-.005|gold 1.35, market .2, metals .4, dollar -.3
GDX|VanEck Gold Miners ETF|2006-05-22|.16|-.06|gold 1.75, market .45
GDXJ|VanEck Junior Gold Miners ETF|2009-11-11|.2|-.08|gold 1.85, market .5, small .4
PPLT|abrdn Physical Platinum Shares ETF|2010-01-08|.16|-.03|gold .7, metals .5, market .15
DBC|Invesco DB Commodity Index Tracking Fund|2006-02-06|.05|-.035|oil .38, metals .35, gold .1, dollar -.25
GSG|iShares S&P GSCI Commodity-Indexed Trust|2006-07-21|.06|-.05|oil .5, metals .25, dollar -.2
DBA|Invesco DB Agriculture Fund|2007-01-05|.13|-.01|metals .3, dollar -.2
USO|United States Oil Fund|2006-04-10|.06|-.12|oil 1
BNO|United States Brent Oil Fund|2010-06-02|.07|-.06|oil .95
UNG|United States Natural Gas Fund|2007-04-18|.5|-.3|oil .15
CPER|United States Copper Index Fund|2011-11-15|.1|-.01|metals 1, market .25
UUP|Invesco DB US Dollar Index Bullish Fund|2007-03-01|.015|.006|dollar 1, market -.06
FXE|Invesco CurrencyShares Euro Trust|2005-12-12|.03|-.004|dollar -1.15, market .05
FXY|Invesco CurrencyShares Japanese Yen Trust|2007-02-13|.03|-.004|yen 1, market -.08
FXB|Invesco CurrencyShares British Pound Sterling Trust|2006-06-26|.06|-.004|dollar -.85, market .08
VIXY|ProShares VIX Short-Term Futures ETF|2011-01-04|.1|-.1|fear 1, market -3
VXX|iPath Series B S&P 500 VIX Short-Term Futures ETN|2018-01-25|.1|-.1|fear 1, market -3
UVXY|ProShares Ultra VIX Short-Term Futures ETF|2011-10-04|.15|.15|fear 1.5, market -4.6
SVXY|ProShares Short VIX Short-Term Futures ETF|2011-10-04|.1|-.12|fear -.5, market 2
ARKK|ARK Innovation ETF|2014-10-31|.16|-.02|market 1.3, growth 1.6, small .6, biotech .3
BITO|ProShares Bitcoin ETF|2021-10-19|.06|-.05|crypto 1
GBTC|Grayscale Bitcoin Trust|2015-05-11|.2|-.02|crypto 1
IBIT|iShares Bitcoin Trust ETF|2024-01-11|.03|-.0025|crypto 1
AOR|iShares Core 60/40 Balanced Allocation ETF|2008-11-04|.02|.004|market .55, developed .2, rates .13
NTSX|WisdomTree U.S. Efficient Core Fund|2018-08-02|.02|-.015|market .9, rates .3
RPAR|RPAR Risk Parity ETF|2019-12-13|.04|.005|market .3, rates .45, gold .2, credit .3
DBMF|iMGP DBi Managed Futures Strategy ETF|2019-05-08|.1|.03|dollar .3, rates -.1
KMLM|KFA Mount Lucas Managed Futures Index Strategy ETF|2020-12-02|.11|.02|dollar .3, rates -.2
PDBC|Invesco Optimum Yield Diversified Commodity Strategy|2014-11-07|.05|-.03|oil .38, metals .35, gold .1, dollar -.25
JEPI|JPMorgan Equity Premium Income ETF|2020-05-21|.03|.02|market .6, staples .2
SPYG|SPDR Portfolio S&P 500 Growth ETF|2000-09-29|.02|-.0004|market 1.04, growth .55
SPYV|SPDR Portfolio S&P 500 Value ETF|2000-09-29|.02|-.0004|market .96, growth -.45
`);
