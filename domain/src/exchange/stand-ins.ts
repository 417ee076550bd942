import { isSeriesName } from '../market-data/condition-series.ts';
import { SIMULATED_PREFIX } from '../market-data/simulated-prefix.ts';
import { forEachTickerPlace } from '../strategy/ticker-places.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { isRecord, isVariable, sidesOf } from '../strategy/values.ts';

/** What is known of a ticker that has prices. */
export interface PricedTicker {
  readonly ticker: string;
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly first_day: string;
}

/** A ticker of a strategy that has no prices, with what could stand in for it, the best first. */
export interface MissingTicker {
  readonly ticker: string;
  readonly times: number;
  readonly standIns: readonly PricedTicker[];
}

/** Every ticker of a tree with how often it stands in it; both sides of a ratio, variables left out. */
export function tickerCounts(algorithm: Algorithm): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  forEachTickerPlace(algorithm, (value) => {
    for (const ticker of sidesOf(value))
      if (ticker !== '' && !isVariable(ticker)) counts.set(ticker, (counts.get(ticker) ?? 0) + 1);
  });
  return counts;
}

/** What a leveraged or inverse fund follows, where its own prices are not there. */
const UNDERLYING: Readonly<Record<string, string>> = {
  ...of(
    'SPY',
    'VOO IVV SPLG SPYM UPRO SPXL SSO SPXU SPXS SDS SH RSP VTI ITOT SCHB VV VOOG VOOV VUG VTV IWF ' +
      'IWD SPYG SPYV MTUM QUAL',
  ),
  ...of('QQQ', 'QQQM QQQE QQEW TQQQ QLD SQQQ QID PSQ TECL TECS XLK VGT'),
  ...of('DIA', 'UDOW SDOW DDM DXD DOG'),
  ...of('SMH', 'SOXX SOXL SOXS USD SSG PSI'),
  ...of('XLC', 'VOX'),
  ...of('XLE', 'VDE ERX ERY'),
  ...of('XLF', 'VFH FAS FAZ UYG SKF'),
  ...of('XLV', 'VHT CURE'),
  ...of('XLI', 'VIS'),
  ...of('XLY', 'VCR WANT'),
  ...of('XLP', 'VDC'),
  ...of('XLB', 'VAW'),
  ...of('XBI', 'LABU LABD'),
  ...of('VNQ', 'IYR XLRE DRN DRV'),
  ...of('EEM', 'VWO IEMG EDC EDZ'),
  ...of('EFA', 'VEA IEFA'),
  ...of('SVXY', 'SVIX SVOL'),
  ...of('TLT', 'TMF TMV UBT TBT TBF EDV ZROZ VGLT'),
  ...of('GLD', 'IAU UGL GLL SHNY GDX NUGT SGOL'),
  ...of('SHY', 'BIL SHV SGOV BSV VGSH'),
  ...of('AGG', 'BND SCHZ BIV'),
  ...of('UVXY', 'VIXY VXX VIXM'),
  ...of('UUP', 'USDU'),
  ...of('XLU', 'VPU UPW'),
  ...of('IWM', 'TNA TZA UWM VTWO'),
};

function of(index: string, funds: string): Record<string, string> {
  return Object.fromEntries(funds.split(' ').map((fund) => [fund, index]));
}

/**
 * The tickers of a strategy that have no prices: each with its simulated history where there is one, the
 * index that it follows, and the ones whose names are nearest to the name that the strategy gives it.
 */
export function missingTickers(
  algorithm: Algorithm,
  known: ReadonlyMap<string, PricedTicker>,
): MissingTicker[] {
  const names = namesOf(algorithm);
  return (
    [...tickerCounts(algorithm)]
      // Nothing can stand in for a series of conditions.
      .filter(([ticker]) => !known.has(ticker) && !isSeriesName(ticker))
      .map(([ticker, times]) => {
        const bare = ticker.startsWith(SIMULATED_PREFIX) ? ticker.slice(SIMULATED_PREFIX.length) : ticker;
        const candidates = [`${SIMULATED_PREFIX}${bare}`, bare, UNDERLYING[bare] ?? ''].flatMap(
          (other) => known.get(other) ?? [],
        );
        const nearest = nearestByName(names.get(ticker) ?? '', known).filter(
          (other) => !candidates.includes(other),
        );
        return { ticker, times, standIns: [...candidates, ...nearest].slice(0, 3) };
      })
  );
}

function namesOf(algorithm: unknown, names = new Map<string, string>()): Map<string, string> {
  const open: unknown[] = [algorithm];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...(node as unknown[]));
    else if (isRecord(node)) {
      const { ticker, name } = node;
      if (typeof ticker === 'string' && typeof name === 'string' && name !== '') names.set(ticker, name);
      open.push(node.children, node.then_children, node.else_children);
    }
    if (open.length > 1_000_000) break;
    while (open.length > 0 && open.at(-1) === undefined) open.pop();
  }
  return names;
}

const COMMON = new Set([
  'etf',
  'fund',
  'trust',
  'inc',
  'corp',
  'the',
  'shares',
  'ishares',
  'proshares',
  'direxion',
  'daily',
  'spdr',
  'vanguard',
  'series',
]);
const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .split(/[^a-z0-9&]+/)
    .filter((word) => word.length > 1 && !COMMON.has(word));

/** Those that share at least half of the name's telling words. */
function nearestByName(name: string, known: ReadonlyMap<string, PricedTicker>): PricedTicker[] {
  const wanted = wordsOf(name);
  if (wanted.length === 0) return [];
  return [...known.values()]
    .map((other) => ({
      other,
      shared: wordsOf(other.name).filter((word) => wanted.includes(word)).length / wanted.length,
    }))
    .filter(({ shared }) => shared >= 0.5)
    .sort((left, right) => right.shared - left.shared || left.other.ticker.localeCompare(right.other.ticker))
    .slice(0, 2)
    .map(({ other }) => other);
}

/** The ticker whose prices begin last, which decides where a run can begin; null where none has prices. */
export function latestStart(
  algorithm: Algorithm,
  known: ReadonlyMap<string, PricedTicker>,
): PricedTicker | null {
  let latest: PricedTicker | null = null;
  for (const ticker of tickerCounts(algorithm).keys()) {
    const priced = known.get(ticker);
    if (priced && (latest === null || priced.first_day > latest.first_day)) latest = priced;
  }
  return latest;
}

const TICKER_FIELDS: ReadonlySet<string> = new Set(['ticker', 'lhs_val', 'rhs_val', 'with']);

/**
 * The tree with one ticker replaced by another wherever it stands, sides of ratios included; what holds none
 * of it is shared.
 */
export function replaceTicker(algorithm: Algorithm, from: string, to: string): Algorithm {
  const replace = (value: unknown, name: string): unknown => {
    if (typeof value === 'string')
      return TICKER_FIELDS.has(name)
        ? sidesOf(value)
            .map((side) => (side === from ? to : side))
            .join('/')
        : value;
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => replace(item, name));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, replace(item, key)] as const);
    if (entries.every(([key, item]) => item === value[key])) return value;
    // The name of the old fund would mislead.
    const isAsset = value.node_type === 'asset';
    return { ...Object.fromEntries(entries), ...(isAsset && { name: '' }) };
  };
  return replace(algorithm, '') as Algorithm;
}
