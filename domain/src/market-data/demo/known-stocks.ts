import { parseKnownAssets } from './known-asset.ts';

/** Large companies with their first trading days; shares, own volatilities and drifts are estimates. */
export const STOCKS = parseKnownAssets(`
AAPL|Apple Inc.|1980-12-12|.24|.09|market 1.15, growth .7, technology .6
MSFT|Microsoft Corporation|1986-03-13|.17|.07|market 1.05, growth .7, technology .6
NVDA|NVIDIA Corporation|1999-01-22|.34|.14|market 1.4, growth 1, semiconductors 1
AMZN|Amazon.com, Inc.|1997-05-15|.27|.1|market 1.2, growth .9, consumer .6
GOOGL|Alphabet Inc. Class A|2004-08-19|.18|.07|market 1.05, growth .7, communication .6
GOOG|Alphabet Inc. Class C|2014-03-27|.18|.07|market 1.05, growth .7, communication .6
META|Meta Platforms, Inc.|2012-05-18|.27|.1|market 1.15, growth .8, communication .7
TSLA|Tesla, Inc.|2010-06-29|.46|.2|market 1.5, growth 1, consumer .8
BRK-B|Berkshire Hathaway Inc. Class B|1996-05-09|.13|.02|market .8, financials .4
BRK-A|Berkshire Hathaway Inc. Class A|1980-03-17|.13|.02|market .8, financials .4
JPM|JPMorgan Chase & Co.|1980-03-17|.17|.03|market 1.15, financials 1.1
V|Visa Inc.|2008-03-19|.15|.05|market 1, financials .5, growth .3
MA|Mastercard Incorporated|2006-05-25|.17|.07|market 1.05, financials .5, growth .3
JNJ|Johnson & Johnson|1962-01-02|.11|.0|market .6, health .7, staples .2
UNH|UnitedHealth Group Incorporated|1984-10-17|.22|.07|market .8, health .9
LLY|Eli Lilly and Company|1972-06-01|.2|.06|market .7, health 1
PFE|Pfizer Inc.|1972-06-01|.17|-.01|market .75, health 1
MRK|Merck & Co., Inc.|1970-01-02|.17|.0|market .65, health 1
ABBV|AbbVie Inc.|2013-01-02|.19|.05|market .7, health 1
TMO|Thermo Fisher Scientific Inc.|1980-03-17|.18|.05|market .9, health .9
AMGN|Amgen Inc.|1983-06-17|.2|.03|market .75, biotech .5, health .5
GILD|Gilead Sciences, Inc.|1992-01-22|.27|.06|market .75, biotech .8
PG|The Procter & Gamble Company|1962-01-02|.1|.0|market .55, staples 1
KO|The Coca-Cola Company|1962-01-02|.1|.0|market .58, staples .9
PEP|PepsiCo, Inc.|1972-06-01|.1|.0|market .57, staples .9
COST|Costco Wholesale Corporation|1986-07-09|.18|.07|market .85, staples .5, consumer .3
WMT|Walmart Inc.|1972-08-25|.16|.03|market .65, staples .7
MCD|McDonald's Corporation|1966-07-05|.15|.03|market .65, consumer .4, staples .3
HD|The Home Depot, Inc.|1981-09-22|.17|.04|market 1, consumer .8
NKE|NIKE, Inc.|1980-12-02|.2|.02|market .95, consumer .7
SBUX|Starbucks Corporation|1992-06-26|.21|.05|market .95, consumer .7
DIS|The Walt Disney Company|1962-01-02|.17|-.02|market 1.05, communication .6, consumer .4
NFLX|Netflix, Inc.|2002-05-23|.42|.2|market 1.1, growth .8, communication .7
CMCSA|Comcast Corporation|1988-07-07|.18|-.01|market .95, communication .8
T|AT&T Inc.|1984-07-19|.14|-.03|market .65, communication .8
VZ|Verizon Communications Inc.|1983-11-21|.13|-.03|market .6, communication .8
TMUS|T-Mobile US, Inc.|2007-04-19|.26|.06|market .8, communication .8
XOM|Exxon Mobil Corporation|1962-01-02|.12|.01|market .8, energy .9, oil .08
CVX|Chevron Corporation|1962-01-02|.13|.01|market .88, energy .95, oil .08
COP|ConocoPhillips|1981-12-31|.17|.02|market .95, energy 1.1, oil .12
SLB|Schlumberger Limited|1981-12-31|.2|-.04|market 1.1, energy 1.2, oil .12
RRC|Range Resources Corporation|1980-03-17|.42|.04|market .8, energy 1.1, oil .1
BAC|Bank of America Corporation|1973-02-21|.2|.0|market 1.2, financials 1.3
WFC|Wells Fargo & Company|1972-06-01|.18|.01|market 1.1, financials 1.2
C|Citigroup Inc.|1977-01-03|.23|-.03|market 1.3, financials 1.5
GS|The Goldman Sachs Group, Inc.|1999-05-04|.19|.02|market 1.3, financials 1
MS|Morgan Stanley|1993-02-23|.22|.02|market 1.4, financials 1.1
AXP|American Express Company|1972-06-01|.18|.03|market 1.2, financials .9
BLK|BlackRock, Inc.|1999-10-01|.2|.07|market 1.2, financials .7
SCHW|The Charles Schwab Corporation|1987-09-22|.27|.07|market 1.2, financials .9
IBM|International Business Machines Corporation|1962-01-02|.16|.0|market .9, technology .7
INTC|Intel Corporation|1980-03-17|.26|-.03|market 1.15, semiconductors .8, technology .4
AMD|Advanced Micro Devices, Inc.|1980-03-17|.44|.1|market 1.4, semiconductors 1, growth .6
QCOM|QUALCOMM Incorporated|1991-12-13|.3|.06|market 1.15, semiconductors .8, growth .4
AVGO|Broadcom Inc.|2009-08-06|.26|.16|market 1.15, semiconductors .9, growth .5
TXN|Texas Instruments Incorporated|1972-06-01|.2|.04|market 1.1, semiconductors .8
MU|Micron Technology, Inc.|1984-06-01|.4|.06|market 1.35, semiconductors 1.2
AMAT|Applied Materials, Inc.|1980-03-17|.28|.07|market 1.35, semiconductors 1.1
LRCX|Lam Research Corporation|1984-05-04|.3|.09|market 1.4, semiconductors 1.2
ASML|ASML Holding N.V.|1995-03-15|.3|.1|market 1.25, semiconductors 1
TSM|Taiwan Semiconductor Manufacturing Company Limited|1997-10-09|.23|.08|market 1.1, semiconductors .9, emerging .3
CSCO|Cisco Systems, Inc.|1990-02-16|.22|.06|market 1.15, growth .6, technology .8
ORCL|Oracle Corporation|1986-03-12|.24|.06|market 1.1, growth .5, technology .8
CRM|Salesforce, Inc.|2004-06-23|.28|.09|market 1.2, growth .9, technology .8
ADBE|Adobe Inc.|1986-08-13|.25|.07|market 1.15, growth .9, technology .8
INTU|Intuit Inc.|1993-03-12|.24|.07|market 1.05, growth .8, technology .8
NOW|ServiceNow, Inc.|2012-06-29|.28|.12|market 1.1, growth 1, technology .8
PLTR|Palantir Technologies Inc.|2020-09-30|.5|.3|market 1.4, growth 1.2, technology .8
SHOP|Shopify Inc.|2015-05-21|.42|.2|market 1.4, growth 1.4, technology .6
UBER|Uber Technologies, Inc.|2019-05-10|.35|.06|market 1.3, growth .9
ABNB|Airbnb, Inc.|2020-12-10|.32|-.02|market 1.2, growth .9, consumer .5
SQ|Block, Inc.|2015-11-19|.4|.1|market 1.5, growth 1.2, financials .3
PYPL|PayPal Holdings, Inc.|2015-07-06|.28|.0|market 1.2, growth 1, financials .3
COIN|Coinbase Global, Inc.|2021-04-14|.5|-.05|market 1.3, growth .8, crypto .6
MSTR|Strategy Incorporated|1998-06-11|.5|.02|market 1.2, growth .6, crypto .3
ROKU|Roku, Inc.|2017-09-28|.5|.1|market 1.4, growth 1.3, communication .5
ZM|Zoom Communications, Inc.|2019-04-18|.45|.0|market .7, growth 1.3
SNAP|Snap Inc.|2017-03-02|.5|-.1|market 1.2, growth 1.1, communication .7
BA|The Boeing Company|1962-01-02|.23|.0|market 1.15, industrials 1
CAT|Caterpillar Inc.|1962-01-02|.19|.03|market 1.15, industrials 1, materials .4
DE|Deere & Company|1972-06-01|.2|.04|market 1.05, industrials .9, materials .3
GE|General Electric Company|1962-01-02|.2|-.02|market 1.15, industrials 1, financials .3
HON|Honeywell International Inc.|1970-01-02|.15|.02|market 1.05, industrials 1
MMM|3M Company|1970-01-02|.14|-.02|market .9, industrials .9
UPS|United Parcel Service, Inc.|1999-11-10|.16|-.01|market .9, industrials .8
FDX|FedEx Corporation|1978-04-12|.22|.01|market 1.1, industrials .9
LMT|Lockheed Martin Corporation|1977-01-03|.19|.04|market .65, industrials .8
RTX|RTX Corporation|1970-01-02|.16|.02|market .95, industrials .9
UNP|Union Pacific Corporation|1980-01-02|.16|.03|market 1, industrials .9
DAL|Delta Air Lines, Inc.|2007-05-03|.36|.0|market 1.3, industrials .8, oil -.06
F|Ford Motor Company|1972-06-01|.28|-.04|market 1.2, consumer .7
GM|General Motors Company|2010-11-18|.24|-.02|market 1.25, consumer .6
TGT|Target Corporation|1973-02-21|.22|.02|market .95, consumer .6, staples .2
LOW|Lowe's Companies, Inc.|1980-03-17|.21|.05|market 1.05, consumer .8
BBY|Best Buy Co., Inc.|1985-04-19|.37|.06|market 1.2, consumer .9
BKNG|Booking Holdings Inc.|1999-03-30|.35|.08|market 1.2, growth .5, consumer .7
LIN|Linde plc|1992-06-17|.15|.03|market .95, materials .8
FCX|Freeport-McMoRan Inc.|1995-07-10|.32|.0|market 1.4, metals .9, materials 1
NEM|Newmont Corporation|1980-03-17|.24|-.04|market .4, gold 1.3
DOW|Dow Inc.|2019-03-20|.2|-.05|market 1.1, materials 1
NEE|NextEra Energy, Inc.|1973-02-21|.14|.03|market .6, utilities .9, rates .15
DUK|Duke Energy Corporation|1980-03-17|.11|.0|market .5, utilities 1, rates .15
SO|The Southern Company|1981-12-31|.1|.0|market .48, utilities 1, rates .15
AMT|American Tower Corporation|1998-02-27|.25|.04|market .8, realEstate .7, rates .2
PLD|Prologis, Inc.|1997-11-21|.2|.02|market 1, realEstate 1
SPG|Simon Property Group, Inc.|1993-12-14|.2|.01|market 1, realEstate 1.1
O|Realty Income Corporation|1994-10-18|.15|.01|market .65, realEstate .8, rates .2
MO|Altria Group, Inc.|1962-01-02|.17|.02|market .55, staples .8
PM|Philip Morris International Inc.|2008-03-17|.16|.02|market .65, staples .8
CL|Colgate-Palmolive Company|1973-05-02|.13|.0|market .55, staples .9
MDLZ|Mondelez International, Inc.|2001-06-13|.13|.0|market .6, staples .9
ABT|Abbott Laboratories|1980-03-17|.14|.02|market .7, health .8
MDT|Medtronic plc|1977-05-31|.15|.01|market .75, health .8
BMY|Bristol-Myers Squibb Company|1972-06-01|.18|-.02|market .65, health .9
CVS|CVS Health Corporation|1973-02-21|.21|-.01|market .75, health .6, staples .3
ISRG|Intuitive Surgical, Inc.|2000-06-13|.34|.12|market 1.05, health .9, growth .4
REGN|Regeneron Pharmaceuticals, Inc.|1991-04-02|.38|.06|market .8, biotech 1
VRTX|Vertex Pharmaceuticals Incorporated|1991-07-24|.36|.07|market .85, biotech 1
MRNA|Moderna, Inc.|2018-12-07|.6|.05|market .9, biotech 1.2
BIIB|Biogen Inc.|1991-09-17|.33|.04|market .8, biotech 1
BABA|Alibaba Group Holding Limited|2014-09-19|.28|.0|market .85, growth .4, china 1, emerging .4
BIDU|Baidu, Inc.|2005-08-05|.36|.03|market .95, growth .5, china 1, emerging .4
PDD|PDD Holdings Inc.|2018-07-26|.55|.25|market .9, growth .5, china 1, emerging .4
NIO|NIO Inc.|2018-09-12|.65|.1|market 1.2, growth .9, china .9
GME|GameStop Corp.|2002-02-13|.6|.0|market 1, consumer .8, small .8
AMC|AMC Entertainment Holdings, Inc.|2013-12-18|.75|-.3|market 1.2, consumer .8, small 1
RIOT|Riot Platforms, Inc.|2003-05-30|.8|-.2|market 1.2, crypto .5, small .6
MARA|MARA Holdings, Inc.|2012-05-04|.85|-.25|market 1.3, crypto .6, small .6
CCL|Carnival Corporation & plc|1987-07-24|.3|-.02|market 1.35, consumer .8, oil -.04
MAR|Marriott International, Inc.|1993-10-13|.22|.04|market 1.2, consumer .8
MGM|MGM Resorts International|1988-05-02|.38|-.01|market 1.4, consumer .9
X|United States Steel Corporation|1991-04-12|.4|-.04|market 1.5, materials 1.4, metals .5
AIG|American International Group, Inc.|1973-01-02|.33|-.1|market 1.2, financials 1.3
MET|MetLife, Inc.|2000-04-05|.2|.0|market 1.2, financials 1
BX|Blackstone Inc.|2007-06-22|.26|.05|market 1.3, financials .9
SPGI|S&P Global Inc.|1973-01-02|.18|.05|market 1.05, financials .4, growth .2
CB|Chubb Limited|1993-03-25|.17|.03|market .75, financials .6
PNC|The PNC Financial Services Group, Inc.|1988-01-04|.19|.0|market 1.1, financials 1.1
ADP|Automatic Data Processing, Inc.|1980-03-17|.14|.03|market .85, industrials .3, technology .3
ACN|Accenture plc|2001-07-19|.17|.03|market 1, technology .6, growth .3
PANW|Palo Alto Networks, Inc.|2012-07-20|.33|.1|market 1.1, growth 1, technology .6
CRWD|CrowdStrike Holdings, Inc.|2019-06-12|.42|.15|market 1.1, growth 1.2, technology .6
SNOW|Snowflake Inc.|2020-09-16|.45|.0|market 1.2, growth 1.3, technology .7
NET|Cloudflare, Inc.|2019-09-13|.48|.15|market 1.3, growth 1.3, technology .7
DDOG|Datadog, Inc.|2019-09-19|.42|.1|market 1.2, growth 1.3, technology .7
SMCI|Super Micro Computer, Inc.|2007-03-29|.5|.1|market 1.2, technology .8, semiconductors .4
DELL|Dell Technologies Inc.|2016-09-07|.3|.06|market 1.1, technology .8
HPQ|HP Inc.|1962-01-02|.24|.0|market 1.1, technology .9
ARM|Arm Holdings plc|2023-09-14|.5|.2|market 1.5, semiconductors 1.2, growth .8
RIVN|Rivian Automotive, Inc.|2021-11-10|.6|-.3|market 1.5, growth 1, consumer .6
SOFI|SoFi Technologies, Inc.|2020-12-01|.5|.05|market 1.5, growth 1, financials .6
HOOD|Robinhood Markets, Inc.|2021-07-29|.55|.15|market 1.5, growth 1, crypto .3
`);
