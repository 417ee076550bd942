import fc from 'fast-check';

/** A strategy of another tool before it is written down: what it says, apart from how a file may say it. */
export type Block =
  | { readonly is: 'asset'; readonly ticker: string }
  | { readonly is: 'equal'; readonly children: readonly Block[] }
  | {
      readonly is: 'specified';
      readonly shares: readonly { readonly block: Block; readonly percent: number }[];
    }
  | { readonly is: 'inverse'; readonly window: number; readonly children: readonly Block[] }
  | { readonly is: 'group'; readonly name: string; readonly children: readonly Block[] }
  | {
      readonly is: 'filter';
      readonly sort: Side;
      readonly top: boolean;
      readonly count: number;
      readonly children: readonly Block[];
    }
  | { readonly is: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Block[] | null };

export interface Side {
  readonly fn: string;
  readonly window: number | null;
}

export interface Branch {
  readonly test: Test;
  readonly blocks: readonly Block[];
}

export type Test =
  | {
      readonly is: 'binary';
      readonly left: Side & { readonly ticker: string };
      readonly comparator: 'gt' | 'lt' | 'gte' | 'lte';
      readonly right: number | (Side & { readonly ticker: string });
    }
  | { readonly is: 'compound'; readonly all: boolean; readonly tests: readonly Test[] };

const WINDOWED = [
  ...['relative-strength-index', 'cumulative-return', 'moving-average-price', 'moving-average-return'],
  ...[
    'exponential-moving-average-price',
    'standard-deviation-price',
    'standard-deviation-return',
    'max-drawdown',
  ],
];
const TICKERS = ['SPY', 'TQQQ', 'BRK-B', 'UVXY', 'T', 'AGG', 'GOOGL'];

const ticker = () => fc.constantFrom(...TICKERS);
const window = () => fc.integer({ min: 2, max: 400 });
const side = (): fc.Arbitrary<Side> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ fn: fc.constantFrom(...WINDOWED), window: window() }) },
    { weight: 1, arbitrary: fc.constant({ fn: 'current-price', window: null }) },
  );
const number = () =>
  fc.oneof(
    fc.integer({ min: -40, max: 100 }),
    fc.integer({ min: -4000, max: 10_000 }).map((hundredths) => hundredths / 100),
  );

/** Whole strategies with every block, and else-if chains. */
export function anySymphony(): fc.Arbitrary<Block> {
  const tied = fc.letrec<{ block: Block; test: Test }>((tie) => {
    const children = fc.array(tie('block'), { minLength: 1, maxLength: 3 });
    return {
      test: fc.oneof(
        { maxDepth: 2, depthIdentifier: 'tests' },
        fc.record({
          is: fc.constant('binary' as const),
          left: fc.tuple(side(), ticker()).map(([given, of]) => ({ ...given, ticker: of })),
          comparator: fc.constantFrom('gt', 'lt', 'gte', 'lte'),
          right: fc.oneof(
            number(),
            fc.tuple(side(), ticker()).map(([given, of]) => ({ ...given, ticker: of })),
          ),
        }),
        fc.record({
          is: fc.constant('compound' as const),
          all: fc.boolean(),
          tests: fc.array(tie('test'), { minLength: 1, maxLength: 3 }),
        }),
      ),
      block: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'blocks' },
        fc.record({ is: fc.constant('asset' as const), ticker: ticker() }),
        fc.record({ is: fc.constant('equal' as const), children }),
        fc.record({ is: fc.constant('inverse' as const), window: window(), children }),
        fc.record({
          is: fc.constant('group' as const),
          name: fc.constantFrom('A', '🚀 moon', 'x “y” \\ /', 'a\tb'),
          children,
        }),
        fc.record({
          is: fc.constant('specified' as const),
          shares: fc.array(fc.record({ block: tie('block'), percent: fc.constantFrom(10, 33.3, 0.5, 25) }), {
            minLength: 1,
            maxLength: 3,
          }),
        }),
        fc.record({
          is: fc.constant('filter' as const),
          sort: side(),
          top: fc.boolean(),
          count: fc.integer({ min: 1, max: 4 }),
          children,
        }),
        fc.record({
          is: fc.constant('if' as const),
          branches: fc.array(
            fc.record({ test: tie('test'), blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }) }),
            { minLength: 1, maxLength: 3 },
          ),
          otherwise: fc.option(children, { nil: null }),
        }),
      ),
    };
  });
  return tied.block;
}

/** What stands in a strategy, as lists in any order. */
export interface Said {
  readonly tickers: string[];
  readonly windows: number[];
  readonly thresholds: number[];
  readonly weights: number[];
  readonly counts: number[];
}

export function saidBy(block: Block): Said {
  const said: Said = { tickers: [], windows: [], thresholds: [], weights: [], counts: [] };
  const addSide = ({ window: days }: Side) => days !== null && said.windows.push(days);
  const addTest = (test: Test): void => {
    if (test.is === 'compound') {
      for (const inner of test.tests) addTest(inner);
      return;
    }
    addSide(test.left);
    said.tickers.push(test.left.ticker);
    if (typeof test.right === 'number') said.thresholds.push(test.right);
    else {
      addSide(test.right);
      said.tickers.push(test.right.ticker);
    }
  };
  const add = (one: Block): void => {
    if (one.is === 'asset') said.tickers.push(one.ticker);
    else if (one.is === 'specified') {
      for (const share of one.shares) {
        said.weights.push(share.percent);
        add(share.block);
      }
    } else if (one.is === 'if') {
      for (const { test, blocks } of one.branches) {
        addTest(test);
        for (const child of blocks) add(child);
      }
      for (const child of one.otherwise ?? []) add(child);
    } else {
      if (one.is === 'inverse') said.windows.push(one.window);
      if (one.is === 'filter') {
        addSide(one.sort);
        said.counts.push(one.count);
      }
      for (const child of one.children) add(child);
    }
  };
  add(block);
  return said;
}
