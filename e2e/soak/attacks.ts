import type { Api } from '../harness/api.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';

/** Funds of the simulated data set with prices on every day. */
const FUNDS = ['SPY', 'QQQ', 'IWM', 'TLT', 'GLD', 'EFA', 'EEM', 'XLE', 'XLU', 'XLP', 'IEF', 'SHY'];
const fund = (i: number) => FUNDS[i % FUNDS.length] as string;
const terms = { start_date: '2005-01-03', end_date: '2024-12-31' };

function filter(children: readonly unknown[], chosen: number) {
  return {
    ...asset(''),
    ticker: undefined,
    node_type: 'filter',
    sort: { fn: 'cumulative-return', params: { window: 20 } },
    select: { fn: 'top', num: chosen },
    children,
  };
}

/** Conditions and assets, as many blocks as asked for. */
export function manyBlocks(blocks: number): unknown {
  const switches = Array.from({ length: Math.floor(blocks / 4) }, (_, i) =>
    ifThenElse(
      [condition({ lhs_fn_params: { window: 2 + (i % 200) }, lhs_val: fund(i) })],
      [asset(fund(i + 1))],
      [asset(fund(i + 2))],
    ),
  );
  return root('Many blocks', ...switches);
}

/** Few blocks that take the engine a minute: choosing half of many on every day. */
export const wideFilter = (children = 2_000): unknown =>
  root(
    'Wide filter',
    filter(
      Array.from({ length: children }, (_, i) => asset(fund(i))),
      children / 2,
    ),
  );

/** More tickers than one strategy may have. */
export const manyTickers = (count: number): unknown =>
  root('Many tickers', ...Array.from({ length: count }, (_, i) => asset(`Z${i.toString(36).toUpperCase()}`)));

/** A strategy of one block with as many values in it as a body has room for. */
export const stuffed = (values: number): unknown => ({
  ...(root('Stuffed', asset('SPY')) as object),
  junk: Array.from({ length: values }, () => ({ a: {} })),
});

/** As long as one is parsed by the thread that serves. */
const DIGITS = `${'1'.repeat(50_000)}x`;

export interface Attack {
  readonly name: string;
  /** One call, as hard as one call may be. */
  readonly strike: (api: Api) => Promise<Response>;
}

/** What a script can do with one free account; `own` is a large strategy of the attacker's. */
export function attacksWith(
  own: { readonly id: string },
  victim: { readonly batchId: string | null },
): Attack[] {
  const send = (name: string, method: string, path: string, body?: () => unknown): Attack => {
    // Made once: what making it costs is not the server's.
    const text = body && new TextEncoder().encode(JSON.stringify(body()));
    return { name, strike: (api) => api.openText(method, path, text) };
  };
  const run = (tree: () => unknown) => () => ({ ...terms, trading_bot: tree() });
  const attacks = [
    send(
      'run of 7,383 blocks',
      'POST',
      '/api/v1/backtests',
      run(() => manyBlocks(7_383)),
    ),
    send(
      'run of a wide filter',
      'POST',
      '/api/v1/backtests',
      run(() => wideFilter()),
    ),
    send(
      'run of 20,000 blocks',
      'POST',
      '/api/v1/backtests',
      run(() => manyBlocks(20_000)),
    ),
    send(
      'run of 9,900 tickers',
      'POST',
      '/api/v1/backtests',
      run(() => manyTickers(9_900)),
    ),
    send('run without common dates', 'POST', '/api/v1/backtests', () => ({
      start_date: '1930-01-01',
      end_date: '1930-12-31',
      trading_bot: manyBlocks(7_383),
    })),
    send('clone of a large one', 'POST', `/api/v1/trading-bots/${own.id}/clone`),
    send('save of a large one', 'PATCH', `/api/v1/trading-bots/${own.id}`, () => ({
      algorithm: manyBlocks(9_000),
    })),
    send('import of a large one', 'POST', '/api/v1/import', () => ({ json: manyBlocks(9_000) })),
    send('run of a stuffed strategy', 'POST', '/api/v1/backtests', () => ({
      ...terms,
      trading_bot: stuffed(800_000),
    })),
    send('run with a stuffed body', 'POST', '/api/v1/backtests', () => ({
      ...terms,
      trading_bot: root('Stuffed', asset('SPY')),
      more: Array.from({ length: 3_000_000 }, () => 1),
    })),
    send('estimate of a stuffed template', 'POST', '/api/v1/batch-backtests/estimate', () => ({
      template_bot: { name: 'Stuffed', algorithm: stuffed(1_000_000), variables: [] },
      variables: {},
      backtest_config: terms,
    })),
    send('list of texts that have to be looked at', 'POST', '/api/v1/variable-lists', () => ({
      name: 'Stuffed',
      variables: [Array.from({ length: 400_000 }, () => 1), 'escaped: \u0000'],
    })),
    // Each of these took seconds where a pattern tried every digit or space in two places.
    send('import of a row of digits', 'POST', '/api/v1/import', () => ({ json: DIGITS })),
    send(
      'run with a row of digits for a number',
      'POST',
      '/api/v1/backtests',
      run(() =>
        root('Digits', {
          ...asset(''),
          ticker: undefined,
          node_type: 'wt-inverse-volatility',
          params: { window: DIGITS },
          children: [asset('SPY')],
        }),
      ),
    ),
    send('list of lines with gaps', 'POST', '/api/v1/variable-lists', () => ({
      name: 'Gaps',
      variables: Array.from({ length: 900 }, (_, i) => `A${i}${' '.repeat(990)}A`),
    })),
    send('large body to nowhere', 'POST', '/nowhere', () => Array.from({ length: 400_000 }, () => 1)),
    send('estimate', 'POST', '/api/v1/batch-backtests/estimate', () => ({
      template_bot: { name: 'Wide', algorithm: wideFilter(), variables: [] },
      variables: {},
      backtest_config: terms,
    })),
  ];
  // Small ones: each is an event that stays in the log, or goes through all that the attacker has.
  const mark = `/api/v1/trading-bots/${own.id}/favorite`;
  attacks.push(
    send('mark', 'POST', mark, () => ({})),
    send('unmark', 'DELETE', mark),
    send('follow', 'POST', `/api/v1/trading-bots/${own.id}/follow`, () => ({})),
    send('unfollow', 'DELETE', `/api/v1/trading-bots/${own.id}/follow`),
    send('change of preferences', 'PATCH', '/api/v1/preferences', () => ({ amount: 1_000 })),
    send('a feed of another address', 'POST', '/api/v1/alerts/feed', () => ({})),
    send('sum of what is stored', 'GET', '/api/v1/users/me/storage'),
    send('longest list', 'GET', '/api/v1/drafts?limit=1000&sort=name:desc'),
  );
  const { batchId } = victim;
  if (batchId !== null)
    attacks.push({
      name: 'event stream',
      strike: async (api) => {
        const response = await api.open('GET', `/api/v1/batch-backtests/${batchId}/events`);
        // Held for a while; what is not read is the server's to keep.
        if (response.ok) setTimeout(() => void response.body?.cancel(), 20_000).unref();
        return response;
      },
    });
  return attacks;
}
