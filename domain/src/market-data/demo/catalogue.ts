import { day, formatDay } from '../day.ts';
import { LEVERAGED_FUNDS } from '../leveraged-funds.ts';
import { lastSessionUpTo, nextSessionAfter } from '../trading-calendar.ts';
import { Random } from './deterministic.ts';
import { DEMO_FIRST_DAY, DEMO_LAST_DAY, DEMO_SEED } from './factors.ts';
import { FUNDS } from './known-funds.ts';
import { STOCKS } from './known-stocks.ts';
import type { FactorName } from './regimes.ts';

/** How a demo asset moves: its shares of the factors' daily returns, its own noise and drift. */
export interface DemoAsset {
  readonly ticker: string;
  readonly name: string;
  readonly firstDay: string;
  /** The real first trading day, also where the demo begins later; null for invented assets. */
  readonly listedOn: string | null;
  readonly lastDay: string;
  readonly shares: Readonly<Partial<Record<FactorName, number>>>;
  /** Yearly volatility of its own. */
  readonly noise: number;
  /** Yearly drift of its own, a fraction. */
  readonly drift: number;
  /** A leveraged fund instead: the multiple of another demo asset. */
  readonly leveraged: (typeof LEVERAGED_FUNDS)[number] | null;
}

/** Assets in all. */
export const DEMO_ASSET_COUNT = 10_400;

const SECTORS: readonly (readonly [FactorName, string, readonly string[]])[] = [
  ['technology', 'Technology', ['Systems', 'Software', 'Robotics', 'Networks', 'Data']],
  ['financials', 'Financials', ['Bancorp', 'Capital', 'Insurance', 'Financial', 'Trust']],
  ['health', 'Health Care', ['Health', 'Medical', 'Pharma', 'Diagnostics', 'Care']],
  ['biotech', 'Biotechnology', ['Therapeutics', 'Biosciences', 'Genomics', 'Biologics']],
  ['industrials', 'Industrials', ['Industries', 'Manufacturing', 'Logistics', 'Aerospace', 'Tools']],
  ['consumer', 'Consumer', ['Brands', 'Retail', 'Motors', 'Leisure', 'Apparel']],
  ['staples', 'Staples', ['Foods', 'Beverages', 'Household', 'Farms']],
  ['energy', 'Energy', ['Energy', 'Petroleum', 'Drilling', 'Resources']],
  ['materials', 'Materials', ['Chemicals', 'Mining', 'Steel', 'Paper']],
  ['utilities', 'Utilities', ['Power', 'Electric', 'Water', 'Gas']],
  ['realEstate', 'Real Estate', ['Properties', 'Realty', 'REIT', 'Homes']],
  ['communication', 'Communication', ['Media', 'Telecom', 'Broadcasting', 'Wireless']],
];

const FIRST_WORDS = [
  'Alder',
  'Amber',
  'Anchor',
  'Apex',
  'Arbor',
  'Aspen',
  'Atlas',
  'Beacon',
  'Birch',
  'Blue Ridge',
  'Bridge',
  'Canyon',
  'Cardinal',
  'Cedar',
  'Clear',
  'Cobalt',
  'Copper',
  'Crescent',
  'Crystal',
  'Delta',
  'Eagle',
  'Eastern',
  'Elm',
  'Ember',
  'Falcon',
  'First',
  'Flint',
  'Forest',
  'Frontier',
  'Garnet',
  'Glacier',
  'Golden',
  'Granite',
  'Harbor',
  'Hawthorn',
  'Highland',
  'Horizon',
  'Iron',
  'Island',
  'Jasper',
  'Juniper',
  'Keystone',
  'Lake',
  'Lantern',
  'Laurel',
  'Liberty',
  'Lion',
  'Maple',
  'Meridian',
  'Mesa',
  'Midland',
  'Mission',
  'Monarch',
  'Mountain',
  'Noble',
  'North',
  'Oak',
  'Ocean',
  'Olive',
  'Orchard',
  'Orion',
  'Pacific',
  'Peak',
  'Pearl',
  'Pine',
  'Pioneer',
  'Polar',
  'Prairie',
  'Quarry',
  'Quartz',
  'Raven',
  'Red',
  'River',
  'Rock',
  'Royal',
  'Sable',
  'Sage',
  'Silver',
  'Sky',
  'Slate',
  'Solar',
  'Spring',
  'Spruce',
  'Stellar',
  'Stone',
  'Summit',
  'Sun',
  'Swift',
  'Tamarack',
  'Terra',
  'Tidal',
  'Timber',
  'Titan',
  'Union',
  'Valley',
  'Vector',
  'Vista',
  'West',
  'Willow',
  'Zenith',
];

let made: ReadonlyMap<string, DemoAsset> | null = null;

/** All demo assets by ticker: well-known ones under their own names, the rest invented. */
export function demoCatalogue(): ReadonlyMap<string, DemoAsset> {
  made ??= makeCatalogue();
  return made;
}

function makeCatalogue(): ReadonlyMap<string, DemoAsset> {
  const assets = new Map<string, DemoAsset>();
  const add = (asset: DemoAsset) => {
    if (!assets.has(asset.ticker)) assets.set(asset.ticker, asset);
  };
  for (const one of [...FUNDS, ...STOCKS])
    add({
      ...one,
      firstDay: isBefore(one.listedOn, DEMO_FIRST_DAY) ? DEMO_FIRST_DAY : one.listedOn,
      lastDay: DEMO_LAST_DAY,
      leveraged: null,
    });
  for (const fund of LEVERAGED_FUNDS)
    add({
      ticker: fund.ticker,
      name: fund.name,
      firstDay: fund.listedOn,
      listedOn: fund.listedOn,
      lastDay: DEMO_LAST_DAY,
      shares: {},
      noise: 0,
      drift: 0,
      leveraged: fund,
    });
  const random = new Random(`${DEMO_SEED}/invented`);
  for (let number = 0; assets.size < DEMO_ASSET_COUNT; number++) add(inventedAsset(number, random));
  return assets;
}

function isBefore(a: string, b: string): boolean {
  return a < b;
}

/** An invented company. Its ticker has five letters and begins with Z, so that it takes no real one's place. */
function inventedAsset(number: number, random: Random): DemoAsset {
  const [sector, , endings] = SECTORS[random.below(SECTORS.length)] as (typeof SECTORS)[number];
  const word = FIRST_WORDS[random.below(FIRST_WORDS.length)] as string;
  const ending = endings[random.below(endings.length)] as string;
  const first = day(DEMO_FIRST_DAY);
  const last = day(DEMO_LAST_DAY);
  const span = last - first;
  // Half of them were there from the first years on; a fifth of all are gone again, as on a real market.
  const start = random.uniform() < 0.5 ? first + random.below(1500) : first + random.below(span - 400);
  const lasts = 300 + random.below(Math.max(1, last - start - 300));
  const end = random.uniform() < 0.2 ? Math.min(last, start + lasts) : last;
  const session = nextSessionAfter(start - 1);
  let rest = number;
  let letters = '';
  for (let i = 0; i < 4; i++) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return {
    ticker: `Z${letters}`,
    name: `${word} ${ending} ${number + 1} (invented company)`,
    firstDay: formatDay(session),
    listedOn: null,
    lastDay: formatDay(lastSessionUpTo(end)),
    shares: { market: 0.5 + random.uniform(), [sector]: 1, small: random.uniform() * 1.2 },
    noise: 0.2 + 0.45 * random.uniform(),
    drift: 0.12 * random.uniform() - 0.03,
    leveraged: null,
  };
}
