import type { Asset, DataSetManifest, PriceSeries } from '../../ports/market-data.ts';
import { parseDay, yearOf } from '../day.ts';
import { leveragedReturn } from '../leveraged-funds.ts';
import { DEMO_ASSET_COUNT, type DemoAsset, demoCatalogue } from './catalogue.ts';
import { Random, squareRoot } from './deterministic.ts';
import { DEMO_LAST_DAY, DEMO_SEED, demoFactors } from './factors.ts';
import type { FactorName } from './regimes.ts';

/** Changes with the model, never without: a result names the version it was made with. */
export const DEMO_VERSION = '20261120T000000Z-demo1';

export const DEMO_MANIFEST: DataSetManifest = {
  version: DEMO_VERSION,
  createdAt: '2026-11-20T00:00:00.000Z',
  label: 'Demo: simulated prices',
  isSimulated: true,
  lastDay: DEMO_LAST_DAY,
  assetCount: DEMO_ASSET_COUNT,
};

let assets: readonly Asset[] | null = null;

/** All demo assets, ordered by ticker. */
export function demoAssets(): readonly Asset[] {
  assets ??= [...demoCatalogue().values()]
    .map(
      (asset): Asset => ({
        ticker: asset.ticker,
        name: asset.name,
        firstDay: asset.firstDay,
        lastDay: asset.lastDay,
        source: 'simulated',
        adjustment: 'splits_and_dividends',
        isSimulated: true,
      }),
    )
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
  return assets;
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

/** One demo asset's prices, made from the seed in about a millisecond. Throws a RangeError for a ticker that is not in the catalogue. */
export function demoSeries(ticker: string): PriceSeries {
  const asset = demoCatalogue().get(ticker);
  if (!asset) throw new RangeError(`${ticker} is not in the demo data set`);
  const { days } = demoFactors();
  const from = indexAtOrAfter(days, parseDay(asset.firstDay) ?? 0);
  const to = indexAtOrAfter(days, (parseDay(asset.lastDay) ?? 0) + 1);
  const returns = demoReturns(asset);
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
  // Like adjusted prices, they end where the price would be today; the past is what the returns make of it.
  const scale = lastPrice(ticker) / price;
  for (let i = 0; i < count; i++) series.closes[i] = (series.closes[i] as number) * scale;
  return series;
}

/** In cents, between 15 and 415. */
function lastPrice(ticker: string): number {
  return 15 + new Random(`${DEMO_SEED}/price/${ticker}`).below(40_000) / 100;
}

/** Daily returns over the whole time of the demo data set, also before the asset's listing. */
function demoReturns(asset: DemoAsset): Float64Array {
  const { days, returns: factors, storm } = demoFactors();
  const returns = new Float64Array(days.length);
  if (asset.leveraged) {
    const base = demoCatalogue().get(asset.leveraged.base);
    if (!base) throw new RangeError(`${asset.ticker} needs ${asset.leveraged.base}`);
    const index = demoReturns(base);
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
