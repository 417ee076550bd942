import type { Asset, DataSetManifest, PriceSeries } from '../../ports/market-data.ts';
import { day, formatDay, parseDay, yearOf } from '../day.ts';
import { leveragedReturn } from '../leveraged-funds.ts';
import { isSessionByRule } from '../trading-calendar.ts';
import { DEMO_ASSET_COUNT, type DemoAsset, demoCatalogue } from './catalogue.ts';
import { Random, squareRoot } from './deterministic.ts';
import { DEMO_LAST_DAY, DEMO_SEED, type DemoFactors, demoFactors } from './factors.ts';
import type { FactorName } from './regimes.ts';

/** Changes with the model, never without: a result names the version it was made with. */
const MODEL = 'demo1';
const DEMO_VERSIONS = new RegExp(`^(\\d{4})(\\d\\d)(\\d\\d)T000000Z-${MODEL}$`);

/**
 * The demo data set as it ends on a day (`YYYY-MM-DD`), of which nothing is stored: whoever knows the version
 * can make it.
 */
export function demoManifest(lastDay: string): DataSetManifest {
  return {
    version: `${lastDay.replaceAll('-', '')}T000000Z-${MODEL}`,
    createdAt: `${lastDay}T00:00:00.000Z`,
    label: 'Demo: simulated prices',
    isSimulated: true,
    lastDay,
    assetCount: DEMO_ASSET_COUNT,
  };
}

/** The first of the demo's versions, with which every installation begins. */
export const DEMO_MANIFEST: DataSetManifest = demoManifest(DEMO_LAST_DAY);
export const DEMO_VERSION = DEMO_MANIFEST.version;

/** The day on which one of the demo's versions ends; null for other versions and for days on which none does. */
export function lastDayOfDemo(version: string): string | null {
  const [, ...date] = DEMO_VERSIONS.exec(version) ?? [];
  const last = parseDay(date.join('-'));
  if (last === null || last < day(DEMO_LAST_DAY) || last > LATEST_DAY) return null;
  return isSessionByRule(last) ? formatDay(last) : null;
}

/** Farther away than anybody moves on to; a version that names a later day is a slip. */
const LATEST_DAY = day('2099-12-31');

let assets: { readonly lastDay: string; readonly all: readonly Asset[] } | null = null;

/** All demo assets, ordered by ticker. Those that were still traded at its first end are traded for ever. */
export function demoAssets(lastDay: string = DEMO_LAST_DAY): readonly Asset[] {
  if (assets?.lastDay === lastDay) return assets.all;
  const all = [...demoCatalogue().values()]
    .map(
      (asset): Asset => ({
        ticker: asset.ticker,
        name: asset.name,
        firstDay: asset.firstDay,
        lastDay: endOf(asset, lastDay),
        source: 'simulated',
        adjustment: 'splits_and_dividends',
        isSimulated: true,
      }),
    )
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
  assets = { lastDay, all };
  return all;
}

function endOf(asset: DemoAsset, lastDay: string): string {
  return asset.lastDay === DEMO_LAST_DAY ? lastDay : asset.lastDay;
}

/** A well-known ticker's name, or null. */
export function knownName(ticker: string): string | null {
  const asset = demoCatalogue().get(ticker);
  return asset?.listedOn ? asset.name : null;
}

/** The day a well-known ticker was first traded, or null. */
export function listingDay(ticker: string): number | null {
  const listedOn = demoCatalogue().get(ticker)?.listedOn;
  return listedOn ? parseDay(listedOn) : null;
}

/**
 * One demo asset's prices up to a day (the first end or a later one), made from the seed in about a
 * millisecond: bit for bit those of an earlier end, and more. Throws a RangeError for a ticker that is not in
 * the catalogue.
 */
export function demoSeries(ticker: string, lastDay: string = DEMO_LAST_DAY): PriceSeries {
  const asset = demoCatalogue().get(ticker);
  if (!asset) throw new RangeError(`${ticker} is not in the demo data set`);
  const factors = demoFactors(lastDay);
  const { days } = factors;
  const from = indexAtOrAfter(days, day(asset.firstDay));
  const to = indexAtOrAfter(days, day(endOf(asset, lastDay)) + 1);
  const returns = demoReturns(asset, factors);
  const count = to - from;
  const series = {
    ticker,
    days: new Int32Array(new SharedArrayBuffer(count * 4)),
    closes: new Float64Array(new SharedArrayBuffer(count * 8)),
  };
  series.days.set(days.subarray(from, to));
  let price = 1;
  for (let i = 0; i < count; i++) {
    if (i > 0) price *= 1 + (returns[from + i] as number);
    series.closes[i] = price;
  }
  // Like adjusted prices, they ended where the price would be on the first end's day; the past is what the
  // returns make of it, and so is what came after.
  const anchor = indexAtOrAfter(days, day(asset.lastDay) + 1) - 1 - from;
  const scale = lastPrice(ticker) / (series.closes[anchor] as number);
  for (let i = 0; i < count; i++) series.closes[i] = (series.closes[i] as number) * scale;
  return series;
}

/** In cents, between 15 and 415. */
function lastPrice(ticker: string): number {
  return 15 + new Random(`${DEMO_SEED}/price/${ticker}`).below(40_000) / 100;
}

/** Daily returns over the whole time of the factors, also before the asset's listing. */
function demoReturns(asset: DemoAsset, { days, returns: factors, storm }: DemoFactors): Float64Array {
  const returns = new Float64Array(days.length);
  if (asset.leveraged) {
    const base = demoCatalogue().get(asset.leveraged.base);
    if (!base) throw new RangeError(`${asset.ticker} needs ${asset.leveraged.base}`);
    const index = demoReturns(base, { days, returns: factors, storm });
    for (let i = 1; i < days.length; i++)
      returns[i] = leveragedReturn(asset.leveraged, index[i] as number, yearOf(days[i] as number));
    return returns;
  }
  for (const [name, share] of Object.entries(asset.shares) as [FactorName, number][]) {
    const factor = factors[name];
    for (let i = 1; i < days.length; i++) returns[i] = (returns[i] as number) + share * (factor[i] as number);
  }
  const random = new Random(`${DEMO_SEED}/noise/${asset.ticker}`);
  const daily = asset.noise / squareRoot(252);
  const drift = asset.drift / 252;
  for (let i = 1; i < days.length; i++) {
    const own = asset.noise === 0 ? 0 : daily * (storm[i] as number) * random.normal();
    returns[i] = Math.max(-0.6, (returns[i] as number) + own + drift);
  }
  return returns;
}

function indexAtOrAfter(days: Int32Array, wanted: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
