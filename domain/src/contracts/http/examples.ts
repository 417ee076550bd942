/** What the documentation of the API shows. The same requests are in `docs/examples`, and tests run them. */

const whole = { weight: { num: 100, den: 100 }, is_collapsed: false } as const;
const half = { weight: { num: 50, den: 100 }, is_collapsed: false } as const;

/** Half of one asset and half of another, rebalanced daily. */
function halfAndHalf(name: string, first: string, second: string) {
  const asset = (id: string, ticker: string) => ({
    id,
    node_type: 'asset',
    ticker,
    name: ticker,
    ...half,
  });
  return {
    id: 'node_01jgx2x76hgvedycspn3ngrgdn',
    node_type: 'root',
    name,
    description: '',
    rebalance: 'daily',
    version: 'v1',
    ...whole,
    children: [
      {
        id: 'node_01jgx2xax9mqgqgdkpxwp9vxw0',
        node_type: 'wt-cash-equal',
        ...whole,
        children: [
          asset('node_01jgx2xew779wbbkmkg1x8xf73', first),
          asset('node_01jgx2xg0gejc4z2g38empjps9', second),
        ],
      },
    ],
  };
}

export const EXAMPLE_ALGORITHM = halfAndHalf('Half and half', 'SPY', 'TLT');

const terms = { start_date: '2015-01-02', end_date: '2019-12-31' };

export const EXAMPLE_BACKTEST = { ...terms, trading_bot: EXAMPLE_ALGORITHM };

/** How far the weights may drift, around 5 percent. */
export const EXAMPLE_SENSITIVITY = {
  ...terms,
  trading_bot: { ...EXAMPLE_ALGORITHM, rebalance: 'corridor', corridor: 5 },
  place: { node_id: EXAMPLE_ALGORITHM.id, index: 0 },
};

/** Every pair of three funds with two. */
export const EXAMPLE_BATCH = {
  template_bot: {
    name: 'Two of them',
    variables: ['$FIRST', '$SECOND'],
    algorithm: halfAndHalf('Two of them', '$FIRST', '$SECOND'),
  },
  variables: { $FIRST: ['SPY', 'QQQ', 'IWM'], $SECOND: ['TLT', 'GLD'] },
  backtest_config: terms,
};
