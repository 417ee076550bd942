import { type NewNodeId, newAlgorithm, percent } from './node-factory.ts';
import type { Algorithm, BlockNode, ConditionNode, FilterNode, IndicatorName } from './tree.ts';

/** A strategy to begin with: complete, explained, and small enough to be understood in a minute. */
export interface Starter {
  /** Stable, kebab-case. */
  readonly id: string;
  readonly name: string;
  readonly type: 'bot' | 'template';
  /** One line for the gallery. */
  readonly summary: string;
  /** Why it might work, and what it costs. */
  readonly explanation: string;
  /** What to change first. */
  readonly tryNext: string;
  /** Of a template: values to begin with for each variable, one a line, as the batch form takes them. */
  readonly values?: Readonly<Record<string, string>>;
  readonly build: (newId: NewNodeId) => Algorithm;
}

class Blocks {
  private readonly newId: NewNodeId;
  constructor(newId: NewNodeId) {
    this.newId = newId;
  }

  private base(weight = 100) {
    return { id: this.newId(), weight: percent(weight), is_collapsed: false };
  }

  asset(ticker: string, name: string, weight = 100): BlockNode {
    return { ...this.base(weight), node_type: 'asset', ticker, name };
  }

  equal(...children: BlockNode[]): BlockNode {
    return { ...this.base(), node_type: 'wt-cash-equal', children };
  }

  specified(...children: BlockNode[]): BlockNode {
    return { ...this.base(), node_type: 'wt-cash-specified', children };
  }

  inverseVolatility(window: number | string, ...children: BlockNode[]): BlockNode {
    return { ...this.base(), node_type: 'wt-inverse-volatility', params: { window }, children };
  }

  group(name: string, ...children: BlockNode[]): BlockNode {
    return { ...this.base(), node_type: 'group', name, children };
  }

  filter(
    sort: FilterNode['sort']['fn'],
    window: number | string,
    select: { fn: 'top' | 'bottom'; num: number },
    ...children: BlockNode[]
  ): BlockNode {
    return { ...this.base(), node_type: 'filter', sort: { fn: sort, params: { window } }, select, children };
  }

  when(condition: ConditionNode, then: BlockNode[], otherwise: BlockNode[]): BlockNode {
    return {
      ...this.base(),
      node_type: 'if-then-else',
      condition_type: 'allOf',
      conditions: [condition],
      then_children: then,
      else_children: otherwise,
      is_conditions_collapsed: false,
      is_then_collapsed: false,
      is_else_collapsed: false,
    };
  }

  /** `left(ticker, window)` compared with a fixed value. */
  versusValue(
    [fn, ticker, window]: readonly [IndicatorName, string, number | string],
    comparator: 'gt' | 'lt',
    value: number | string,
  ): ConditionNode {
    return {
      ...this.base(),
      node_type: 'condition',
      lhs_fn: fn,
      lhs_fn_params: { window },
      lhs_val: ticker,
      comparator,
      rhs_fn: null,
      rhs_fn_params: {},
      rhs_val: value,
      rhs_fixed_val: true,
    };
  }

  /** The latest close of a ticker above or below its own average. */
  priceVersusAverage(ticker: string, comparator: 'gt' | 'lt', window: number | string): ConditionNode {
    return {
      ...this.base(),
      node_type: 'condition',
      lhs_fn: 'current-price',
      lhs_fn_params: { window: 1 },
      lhs_val: ticker,
      comparator,
      rhs_fn: 'moving-average-price',
      rhs_fn_params: { window },
      rhs_val: ticker,
      rhs_fixed_val: false,
    };
  }

  root(name: string, description: string, child: BlockNode): Algorithm {
    return { ...newAlgorithm(this.newId, name), description, children: [child] };
  }
}

const SPY = ['SPY', 'SPDR S&P 500 ETF Trust'] as const;
const QQQ = ['QQQ', 'Invesco QQQ Trust'] as const;
const TLT = ['TLT', 'iShares 20+ Year Treasury Bond ETF'] as const;
const GLD = ['GLD', 'SPDR Gold Shares'] as const;

function starter(about: Omit<Starter, 'build'>, tree: (blocks: Blocks) => BlockNode): Starter {
  return {
    ...about,
    build: (newId) => {
      const blocks = new Blocks(newId);
      return blocks.root(about.name, about.explanation, tree(blocks));
    },
  };
}

/** The gallery, simplest first. Plain strategies need no plan; templates need variables and batch backtests. */
export const STARTERS: readonly Starter[] = [
  starter(
    {
      id: 'sixty-forty',
      name: 'Sixty forty',
      type: 'bot',
      summary: '60% stocks, 40% long government bonds, back to those weights every day.',
      explanation:
        'The classic balanced portfolio. Bonds often rise when stocks fall, so the mix swings less ' +
        'than stocks alone. It gives up return in long bull markets, and in years when both fall, ' +
        'such as 2022, it does not protect.',
      tryNext: 'Move ten points from stocks to gold and compare the max drawdown.',
    },
    (b) => b.specified(b.asset(...SPY, 60), b.asset(...TLT, 40)),
  ),
  starter(
    {
      id: 'trend-filter',
      name: 'Trend filter',
      type: 'bot',
      summary: 'Hold SPY while it closes above its 200-day average, otherwise bonds.',
      explanation:
        'Long falls tend to happen below the 200-day average. Stepping aside avoids most of them ' +
        'and pays for it with false alarms: each brief dip below the line costs a sale and a later ' +
        'purchase.',
      tryNext: 'Change the window from 200 to 100 and see how many more trades it makes.',
    },
    (b) => b.when(b.priceVersusAverage('SPY', 'gt', 200), [b.asset(...SPY)], [b.asset(...TLT)]),
  ),
  starter(
    {
      id: 'rsi-switch',
      name: 'RSI switch',
      type: 'bot',
      summary: 'Leave QQQ for bonds when its 10-day RSI says that it has run too hot.',
      explanation:
        'A relative strength index above 79 marks a steep recent climb. The strategy bets on a ' +
        'pause after it. Such signals are rare, so a handful of days decides the result: look at ' +
        'the trades before you trust the number.',
      tryNext: 'Raise the threshold from 79 to 85, then lower it to 70.',
    },
    (b) =>
      b.when(
        b.versusValue(['relative-strength-index', 'QQQ', 10], 'gt', 79),
        [b.asset(...TLT)],
        [b.asset(...QQQ)],
      ),
  ),
  starter(
    {
      id: 'momentum-top-one',
      name: 'Momentum top one',
      type: 'bot',
      summary: 'Each day hold the one of four markets that rose most over 90 days.',
      explanation:
        'Markets that have done well over some months often go on for a while. Choosing one of ' +
        'stocks, technology, bonds and gold follows that, at the price of sharp turns when ' +
        'leadership changes.',
      tryNext: 'Select the top 2 instead of 1: half the bet on each, usually a calmer line.',
    },
    (b) =>
      b.filter(
        'cumulative-return',
        90,
        { fn: 'top', num: 1 },
        b.asset(...SPY),
        b.asset(...QQQ),
        b.asset(...TLT),
        b.asset(...GLD),
      ),
  ),
  starter(
    {
      id: 'inverse-volatility',
      name: 'Inverse volatility',
      type: 'bot',
      summary: 'Stocks, bonds and gold, the calmer ones weighted more.',
      explanation:
        'Each asset gets weight in proportion to one over the standard deviation of its last 30 ' +
        'daily returns, so that no single one dominates the risk. Returns are lower than those of ' +
        'stocks alone; drawdowns are, too.',
      tryNext: 'Use a window of 60 days: weights move less from day to day.',
    },
    (b) => b.inverseVolatility(30, b.asset(...SPY), b.asset(...TLT), b.asset(...GLD)),
  ),
  starter(
    {
      id: 'guarded-leverage',
      name: 'Guarded leverage',
      type: 'bot',
      summary: 'Three times the Nasdaq 100 in up-trends only, a calm mix otherwise.',
      explanation:
        'A daily-reset 3x fund multiplies gains in steady climbs and destroys value in choppy ' +
        'falls. The trend filter on QQQ keeps it out of most of those. Expect large swings even ' +
        'so, and remember that the fund exists only since 2010.',
      tryNext: 'Replace TQQQ by QQQ and see what the leverage really added.',
    },
    (b) =>
      b.when(
        b.priceVersusAverage('QQQ', 'gt', 150),
        [b.asset('TQQQ', 'ProShares UltraPro QQQ')],
        [b.group('Calm mix', b.inverseVolatility(30, b.asset(...TLT), b.asset(...GLD)))],
      ),
  ),
  starter(
    {
      id: 'template-trend-filter',
      name: 'Trend filter template',
      type: 'template',
      summary: 'The trend filter with the asset, its refuge and the window left open.',
      explanation:
        'Variables stand where a value is to be tried out. A batch backtest runs every ' +
        'combination: with 12 assets, 3 refuges and 10 windows that is 360 backtests, ranked and ' +
        'checked for luck.',
      tryNext: 'In the batch form, add a refuge: gold (GLD), or bills (BIL).',
      values: { $ASSET: 'SPY\nQQQ\nEFA', $WINDOW: '50..250 step 50', $REFUGE: 'TLT\nIEF' },
    },
    (b) =>
      b.when(
        b.priceVersusAverage('$ASSET', 'gt', '$WINDOW'),
        [b.asset('$ASSET', '$ASSET')],
        [b.asset('$REFUGE', '$REFUGE')],
      ),
  ),
  starter(
    {
      id: 'template-rsi-switch',
      name: 'RSI switch template',
      type: 'template',
      summary: 'The RSI switch with window and threshold left open.',
      explanation:
        'How much does the result depend on the two numbers somebody chose? Run them all and look ' +
        'at the heat map: a broad plateau is a sign of something real, a lone peak is a sign of ' +
        'luck.',
      tryNext: 'Look at the heat map, then double the windows.',
      values: { $WINDOW: '5..20', $THRESHOLD: '70..90 step 5' },
    },
    (b) =>
      b.when(
        b.versusValue(['relative-strength-index', 'QQQ', '$WINDOW'], 'gt', '$THRESHOLD'),
        [b.asset(...TLT)],
        [b.asset(...QQQ)],
      ),
  ),
  starter(
    {
      id: 'template-momentum-pair',
      name: 'Momentum pair template',
      type: 'template',
      summary: 'Hold the stronger of any two assets over a look-back you choose.',
      explanation:
        'The simplest rotation there is. Use a variable list for each side to compare every pair ' +
        'of, say, sector funds at once.',
      tryNext: 'Put the same list of sector funds into $A and $B.',
      values: { $A: 'SPY\nQQQ\nEFA', $B: 'TLT\nGLD', $DAYS: '20\n60\n120' },
    },
    (b) =>
      b.filter('cumulative-return', '$DAYS', { fn: 'top', num: 1 }, b.asset('$A', '$A'), b.asset('$B', '$B')),
  ),
];

/** The strategy that a newcomer's first backtest runs. */
export const FIRST_STARTER_ID = 'trend-filter';
