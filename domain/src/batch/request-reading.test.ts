import { describe, expect, it } from 'vitest';
import type { BatchRequestBody } from '../contracts/http/batches.ts';
import { FEATURES } from '../identity/plans.ts';
import { isRefusal } from '../kernel/refusal.ts';
import {
  type BatchDraft,
  checkTickers,
  configOfRow,
  readBatchRequest,
  refuseProblems,
  tickersOf,
  treeFault,
} from './request.ts';

const block = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = (ticker: string) => ({ id: `node_${ticker}`, ...block, node_type: 'asset', ticker, name: '' });
const root = (...children: unknown[]) => ({
  id: 'node_root',
  ...block,
  node_type: 'root',
  name: 'Tree',
  children,
});
/** Holds $A where the RSI of $B or of SPY/QQQ is above $X, else TLT. */
const branching = root({
  id: 'node_if',
  ...block,
  node_type: 'if-then-else',
  condition_type: 'allOf',
  conditions: [
    {
      id: 'node_c',
      ...block,
      node_type: 'condition',
      lhs_fn: 'relative-strength-index',
      lhs_fn_params: { window: 10 },
      lhs_val: '$B/QQQ',
      comparator: 'gt',
      rhs_val: '$X',
      rhs_fixed_val: true,
    },
  ],
  then_children: [asset('$A')],
  else_children: [asset('TLT')],
});
const dates = { start_date: '2020-01-02', end_date: '2020-12-31' };

interface Asked {
  readonly algorithm?: unknown;
  readonly bot?: object;
  readonly variables?: Record<string, (string | number)[]>;
  readonly config?: object;
  readonly context?: object;
}
function read({
  algorithm = root(asset('$A')),
  bot = {},
  variables = { $A: ['SPY'] },
  config = {},
  context = {},
}: Asked) {
  const body = {
    template_bot: { name: 'T', variables: ['$A'], ...bot, algorithm },
    variables,
    backtest_config: { ...dates, ...config },
  } as BatchRequestBody;
  return readBatchRequest(body, { today: '2026-01-01', features: FEATURES, ...context });
}
function draftOf(asked: Asked): BatchDraft {
  const draft = read(asked);
  if (isRefusal(draft)) throw new Error(draft.detail);
  return draft;
}
const refused = (asked: Asked) => {
  const draft = read(asked);
  return isRefusal(draft) ? { ...draft } : draft;
};

describe('a batch as the server understands it', () => {
  it('has its terms spelled out, with the defaults', () => {
    const algorithm = root(asset('$A'));
    expect(draftOf({ algorithm, variables: { $A: ['spy', 'SPY', 'QQQ'] } })).toEqual({
      template: { name: 'T', type: 'template', variables: ['$A'], algorithm },
      variables: [{ name: '$A', values: ['SPY', 'QQQ'] }],
      config: {
        start_date: '2020-01-02',
        end_date: '2020-12-31',
        starting_balance: 10_000,
        slippage_bps: 10,
        include: { history: false },
        benchmark_ticker: 'SPY',
      },
      requestedCombinations: 3,
      combinations: 2,
    });
  });

  it('keeps what the template says of itself, or takes the name of its tree', () => {
    expect(draftOf({ bot: { id: 's1', name: ' Mine ', type: 'bot' } }).template).toMatchObject({
      id: 's1',
      name: 'Mine',
      type: 'bot',
    });
    for (const name of [' ', undefined]) expect(draftOf({ bot: { name } }).template.name).toBe('Tree');
    const { name: _, ...nameless } = root(asset('$A'));
    expect(draftOf({ algorithm: nameless, bot: { name: '' } }).template.name).toBe('Template');
  });

  it('counts the listed variables first, then what the tree uses beside them, each once', () => {
    const variables = { $A: ['SPY'], $B: ['SPY', 'QQQ'], $X: [1, 2, 3] };
    const names = (bot: object) =>
      draftOf({ algorithm: branching, bot, variables }).variables.map(({ name }) => name);
    expect(names({ variables: ['$X', '$X', '$A'] })).toEqual(['$X', '$A', '$B']);
    expect(names({ variables: undefined })).toEqual(['$B', '$X', '$A']);
  });

  it('writes tickers of its terms in capitals', () => {
    expect(draftOf({ config: { benchmark_ticker: 'qqq', benchmarks: ['agg'] } }).config).toMatchObject({
      benchmark_ticker: 'QQQ',
      benchmarks: ['AGG'],
    });
    expect(draftOf({ config: { benchmarks: [] } }).config).not.toHaveProperty('benchmarks');
    expect(draftOf({ config: { cash: { rate: 4 } } }).config).toMatchObject({ cash: { rate: 4 } });
  });

  it('locks the part away that begins within its period', () => {
    const split = (out_of_sample_date: string | null) => read({ config: { out_of_sample_date } });
    for (const date of ['2020-01-03', '2020-12-31'])
      expect(split(date)).toMatchObject({ config: { out_of_sample_date: date } });
    for (const date of ['2020-01-02', '2021-01-01'])
      expect(split(date)).toMatchObject({
        status: 400,
        code: 'split_outside_period',
        detail: `The out-of-sample date ${date} must lie after the start date and not after the end date`,
        problems: [{ code: 'split_outside_period', path: '/backtest_config/out_of_sample_date' }],
      });
    expect(split('2020-02-30')).toMatchObject({
      refusal: true,
      problems: [{ path: '/backtest_config/out_of_sample_date' }],
    });
    expect(draftOf({ config: { out_of_sample_date: null } }).config).not.toHaveProperty('out_of_sample_date');
  });

  it('is run row by row without what only a batch has', () => {
    const { config } = draftOf({ config: { out_of_sample_date: '2020-06-01', both_fills: true } });
    expect(configOfRow(config)).toEqual({
      start_date: '2020-01-02',
      end_date: '2020-12-31',
      starting_balance: 10_000,
      slippage_bps: 10,
      benchmark_ticker: 'SPY',
    });
  });
});

describe('what is wrong with a request is told at its place', () => {
  it.each<[string, Asked, string, string]>([
    [
      "'A' is not a variable; a variable begins with $",
      { bot: { variables: ['$A', 'A'] } },
      'invalid_variable',
      '/template_bot/variables',
    ],
    [
      'The template has no variables; write for example $TICKER in place of a ticker',
      { algorithm: root(asset('SPY')), bot: { variables: [] }, variables: {} },
      'template_without_variables',
      '/template_bot',
    ],
    [
      'The template has no variable $Z',
      { variables: { $A: ['SPY'], $Z: ['QQQ'] } },
      'unknown_variable',
      '/variables',
    ],
    [
      'Variable $A needs at least one value',
      { variables: { $A: [] } },
      'variable_without_values',
      '/variables/$A',
    ],
    ['Variable $A needs at least one value', { variables: {} }, 'variable_without_values', '/variables/$A'],
    ['Variable $A has an empty value', { variables: { $A: ['SPY', ' '] } }, 'invalid_value', '/variables/$A'],
    [
      "Variable $X stands for a number, and 'TEN' is not one",
      { algorithm: branching, variables: { $A: ['SPY'], $B: ['SPY'], $X: [10, 'ten'] } },
      'value_not_number',
      '/variables/$X',
    ],
  ])('%s', (detail, asked, code, path) => {
    expect(refused(asked)).toEqual({
      refusal: true,
      status: 400,
      code,
      detail,
      problems: [{ code, message: detail, path }],
    });
  });

  it('names how many variables are too many', () => {
    const names = Array.from({ length: 1_101 }, (_, i) => `$V${i}`);
    expect(refused({ bot: { variables: names } })).toMatchObject({
      code: 'too_many_variables',
      detail: 'The template has 1,102 variables; a batch has at most 100',
      problems: [{ path: '/template_bot' }],
    });
  });

  it('lets a word stand for a number where it fails its rows only', () => {
    const words = { algorithm: branching, variables: { $A: ['SPY'], $B: ['SPY'], $X: ['ten'] } };
    expect(isRefusal(read({ ...words, context: { failsRows: true } }))).toBe(false);
    expect(isRefusal(read({ ...words, context: { failsRows: false } }))).toBe(true);
    // A ticker may look like a number.
    expect(isRefusal(read({ variables: { $A: ['SPY', 1] } }))).toBe(false);
  });

  it('names the first fault of a tree, and all of them beside it', () => {
    const faulty = root(asset('$A'), { ...asset('x'), ticker: '' }, { ...asset('y'), ticker: 'A/B' });
    expect(refused({ algorithm: faulty })).toMatchObject({
      status: 400,
      code: 'missing_ticker',
      detail: 'Asset (node_x) has no ticker',
      problems: [{ nodeId: 'node_x' }, { nodeId: 'node_y' }],
    });
    // Somebody has looked already.
    expect(isRefusal(read({ algorithm: faulty, context: { isChecked: true } }))).toBe(false);
    expect(refuseProblems([])).toMatchObject({ code: 'invalid_strategy', detail: 'The strategy is invalid' });
  });

  it('refuses what is larger than any strategy, and what the plan does not have', () => {
    const many = root(...Array.from({ length: 1_001 }, (_, i) => asset(`T${i}`)));
    expect(treeFault(many, FEATURES)).toMatchObject({ status: 400, code: 'too_many_tickers' });
    expect(treeFault(root(asset('SIM:SPY')), [])).toMatchObject({
      status: 403,
      code: 'plan_without_simulated_tickers',
      problems: [{ code: 'plan_without_simulated_tickers' }],
    });
    expect(treeFault(root(asset('$A')), FEATURES)).toBeNull();
    expect(treeFault(root(asset('$A')), FEATURES, { requireBound: true })).toMatchObject({
      code: 'unbound_variable',
    });
    expect(
      refused({ variables: { $A: ['SIM:SPY'] }, context: { features: ['web.batch-backtests.create'] } }),
    ).toMatchObject({ status: 403 });
  });
});

describe('the tickers of a batch', () => {
  const draft = draftOf({ algorithm: branching, variables: { $A: ['SPY', 'GONE'], $B: ['QQQ'], $X: [1] } });

  it('are those of the tree and the values of variables for tickers', () => {
    const { inTree, byVariable } = tickersOf(draft);
    expect(inTree).toEqual(['QQQ', 'TLT']);
    expect([...byVariable]).toEqual([
      ['$B', ['QQQ']],
      ['$A', ['SPY', 'GONE']],
    ]);
  });

  const knows = (...tickers: readonly string[]) => checkTickers(draft, (ticker) => tickers.includes(ticker));

  it('without prices are named by their variable, where some row can run', () => {
    expect(knows('SPY', 'QQQ', 'TLT')).toEqual({ $A: ['GONE'] });
    expect(knows('SPY', 'QQQ', 'TLT', 'GONE')).toEqual({});
  });

  it('without prices are a refusal, where no row can run', () => {
    expect(knows('QQQ', 'TLT')).toMatchObject({
      status: 400,
      code: 'unknown_ticker',
      detail: "Unknown ticker 'SPY' in variable $A",
      problems: [
        { code: 'unknown_ticker', message: "Unknown ticker 'SPY' in variable $A", path: '/variables/$A' },
        { code: 'unknown_ticker', message: "Unknown ticker 'GONE' in variable $A", path: '/variables/$A' },
      ],
    });
    expect(knows('SPY', 'QQQ')).toMatchObject({
      code: 'unknown_ticker',
      problems: [{ nodeId: 'node_TLT' }],
    });
    const named = draftOf({ config: { cash: { ticker: 'BIL' }, benchmarks: ['AGG'] } });
    expect(checkTickers(named, (ticker) => ticker === 'SPY')).toMatchObject({
      problems: [{ code: 'unknown_ticker' }, { code: 'unknown_ticker' }],
    });
  });
});
