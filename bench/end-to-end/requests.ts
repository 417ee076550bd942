import { asset, condition, either, inverse, root } from '../engine/trees.ts';

export interface Listed {
  readonly ticker: string;
  readonly first_day: string;
  readonly last_day: string;
}

export type Listing = 'equal' | 'staggered';
export type WorkloadName = 'W1' | 'W3';

const END = '2025-06-27';

/** Simulated tickers: all there on every day of the range, or listed and delisted on days of their own. */
function pick(all: readonly Listed[], listing: Listing, count: number): string[] {
  const fitting = all
    .filter(({ ticker }) => /^[A-Z]{1,5}$/.test(ticker) && ticker !== 'SPY')
    .filter(({ first_day, last_day }) =>
      listing === 'equal' ? first_day < '1993' && last_day >= END : first_day < '2016',
    );
  if (fitting.length < count) throw new Error(`The demo data hold ${fitting.length} such tickers only`);
  // From all over the list, the same ones every time.
  return Array.from({ length: count }, (_, i) => {
    return (fitting[Math.floor((i * fitting.length) / count)] as Listed).ticker;
  });
}

/** A batch of about `rows` combinations, in the sizes of the month's quota at 1,500,000. */
export function requestOf(name: WorkloadName, listing: Listing, all: readonly Listed[], rows: number) {
  const side = name === 'W1' ? Math.round(Math.sqrt(rows / 100)) : Math.round(Math.cbrt(rows));
  const own = pick(all, listing, (name === 'W1' ? 2 : 3) * side);
  const tickers = { $A: own.slice(0, side), $B: own.slice(side, 2 * side) };
  const [template, variables] =
    name === 'W1'
      ? [
          either(condition(['relative-strength-index', '$W', 'SPY'], 'gt', 70), asset('$A'), asset('$B')),
          { ...tickers, $W: Array.from({ length: 100 }, (_, i) => i + 5) },
        ]
      : [inverse(20, asset('$A'), asset('$B'), asset('$C')), { ...tickers, $C: own.slice(2 * side) }];
  return {
    name: `${name}, ${listing} listing`,
    template_bot: {
      name,
      type: 'template',
      variables: Object.keys(variables),
      algorithm: root(template),
    },
    variables,
    backtest_config: {
      start_date: listing === 'equal' ? '1994-01-03' : '1990-01-02',
      end_date: END,
      slippage_bps: 10,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
    },
  };
}
