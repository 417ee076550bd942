import type { Asset, PriceSeries } from '../ports/market-data.ts';
import { day, parseDay, yearOf } from './day.ts';
import { LEVERAGED_FUNDS, leveragedReturn, shortRate, TRADING_DAYS_PER_YEAR } from './leveraged-funds.ts';
import { SIMULATED_PREFIX } from './simulated-prefix.ts';
import { sessionsBetween } from './trading-calendar.ts';

const GENERIC = /^([A-Z0-9-]+?)([1-5])([XS])$/;
const GENERIC_COST = 0.0095;
const CASH_FIRST_DAY = '1990-01-02';

export interface SimulatedDefinition {
  readonly ticker: string;
  readonly name: string;
  readonly kind: 'fund' | 'cash' | 'bills';
  readonly base: string | null;
  readonly multiple: number;
  readonly cost: number;
  /** Ticker of the real fund whose own returns are used once it is listed. */
  readonly fund: string | null;
}

/**
 * What a `SIM:` ticker stands for, or null where it stands for nothing. They are series made from loaded ones:
 * - `SIM:TQQQ` (any fund of `LEVERAGED_FUNDS`): the daily-reset multiple of its index's fund for as long as
 *   that has prices; from the day the fund itself has prices, its own returns.
 * - `SIM:SPY3X`, `SIM:SPY1S`: the same for any loaded ticker, long (X) or short (S), at a cost of 0.95% a year.
 * - `SIM:CASH`: a price that never moves; `SIM:BIL`: Treasury bills at the published mean yield of each year.
 */
export function simulatedDefinition(ticker: string): SimulatedDefinition | null {
  const text = ticker.trim().toUpperCase();
  if (!text.startsWith(SIMULATED_PREFIX)) return null;
  const symbol = text.slice(SIMULATED_PREFIX.length);
  if (symbol === 'CASH')
    return {
      ticker: text,
      name: 'Cash that earns nothing (simulated)',
      kind: 'cash',
      base: null,
      multiple: 0,
      cost: 0,
      fund: null,
    };
  if (symbol === 'BIL')
    return {
      ticker: text,
      name: 'Treasury bills at the mean yield of each year (simulated)',
      kind: 'bills',
      base: null,
      multiple: 0,
      cost: 0,
      fund: null,
    };
  const fund = LEVERAGED_FUNDS.find((one) => one.ticker === symbol);
  if (fund)
    return {
      ticker: text,
      name: `${fund.name}, extended by ${describe(fund.multiple)} ${fund.base} (simulated)`,
      kind: 'fund',
      base: fund.base,
      multiple: fund.multiple,
      cost: fund.cost,
      fund: fund.ticker,
    };
  const [, base, digit, direction] = GENERIC.exec(symbol) ?? [];
  if (base === undefined) return null;
  const multiple = (direction === 'S' ? -1 : 1) * Number(digit);
  return {
    ticker: text,
    name: `${describe(multiple)} ${base} (simulated)`,
    kind: 'fund',
    base,
    multiple,
    cost: GENERIC_COST,
    fund: null,
  };
}

function describe(multiple: number): string {
  return multiple < 0 ? `the daily inverse ${multiple}x of` : `the daily ${multiple}x of`;
}

/** The simulated tickers that a data set offers: all whose index's fund it holds, and cash. */
export function simulatedAssets(stored: readonly Asset[]): readonly Asset[] {
  const byTicker = new Map(stored.map((asset) => [asset.ticker, asset]));
  const lastDay = latest(stored.map((asset) => asset.lastDay)) ?? CASH_FIRST_DAY;
  const offered = [`${SIMULATED_PREFIX}CASH`, `${SIMULATED_PREFIX}BIL`];
  for (const { ticker, base } of LEVERAGED_FUNDS)
    if (byTicker.has(base)) offered.push(`${SIMULATED_PREFIX}${ticker}`);
  return offered.flatMap((ticker): Asset[] => {
    const definition = simulatedDefinition(ticker);
    if (!definition || byTicker.has(ticker)) return [];
    const base = definition.base === null ? null : byTicker.get(definition.base);
    return [
      {
        ticker,
        name: definition.name,
        firstDay: base?.firstDay ?? CASH_FIRST_DAY,
        lastDay: base?.lastDay ?? lastDay,
        source: 'simulated',
        adjustment: 'splits_and_dividends',
        isSimulated: true,
      },
    ];
  });
}

/** The latest of dates written `YYYY-MM-DD`. */
function latest(dates: readonly string[]): string | null {
  return [...dates].sort().at(-1) ?? null;
}

/** Makes a `SIM:` ticker's series; null for a ticker that stands for nothing or whose index is not loaded. */
export async function simulateTicker(
  ticker: string,
  load: (ticker: string) => Promise<PriceSeries | null>,
  lastDay: string,
): Promise<PriceSeries | null> {
  const definition = simulatedDefinition(ticker);
  if (!definition) return null;
  if (definition.base === null) return simulateCash(definition, lastDay);
  const [base, fund] = await Promise.all([
    load(definition.base),
    definition.fund === null ? null : load(definition.fund),
  ]);
  return base && base.days.length > 0 ? simulateFund(definition, base, fund) : null;
}

function simulateCash(definition: SimulatedDefinition, lastDay: string): PriceSeries {
  const sessions = sessionsBetween(day(CASH_FIRST_DAY), parseDay(lastDay) ?? day(CASH_FIRST_DAY));
  const series = emptySeries(definition.ticker, sessions.length);
  series.days.set(sessions);
  let price = 100;
  for (let i = 0; i < sessions.length; i++) {
    if (i > 0 && definition.kind === 'bills')
      price *= 1 + shortRate(yearOf(sessions[i] as number)) / TRADING_DAYS_PER_YEAR;
    series.closes[i] = price;
  }
  return series;
}

/**
 * From 100 on the first day of the index; a day on which the fund has a price of its own and had one before
 * takes its return.
 */
function simulateFund(
  definition: SimulatedDefinition,
  base: PriceSeries,
  fund: PriceSeries | null,
): PriceSeries {
  const count = base.days.length;
  const series = emptySeries(definition.ticker, count);
  series.days.set(base.days);
  let price = 100;
  let at = 0;
  series.closes[0] = price;
  for (let i = 1; i < count; i++) {
    const today = base.days[i] as number;
    const indexReturn = (base.closes[i] as number) / (base.closes[i - 1] as number) - 1;
    let dailyReturn = leveragedReturn(definition, indexReturn, yearOf(today));
    if (fund) {
      while (at < fund.days.length && (fund.days[at] as number) < today) at++;
      if (at > 0 && fund.days[at] === today && fund.days[at - 1] === base.days[i - 1])
        dailyReturn = (fund.closes[at] as number) / (fund.closes[at - 1] as number) - 1;
    }
    price *= 1 + dailyReturn;
    series.closes[i] = price;
  }
  return series;
}

function emptySeries(ticker: string, count: number): PriceSeries {
  return {
    ticker,
    days: new Int32Array(new SharedArrayBuffer(count * 4)),
    closes: new Float64Array(new SharedArrayBuffer(count * 8)),
  };
}
