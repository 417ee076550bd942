import { describe, expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { diffStrategies } from './diff.ts';
import type { Algorithm, BlockNode, RootNode, StrategySource } from './tree.ts';

const strategy = (text: string) => strategyOfText(text);
const changes = (before: Algorithm, after: Algorithm) =>
  diffStrategies(before, after).map(({ text }) => text);
const idsOf = (prefix: string) => {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count}`;
  };
};
/** Texts of the same shape have the same ids. */
const told = (before: string, after: string) => changes(strategy(before), strategy(after));

describe('a changed condition', () => {
  const PLAIN = 'if RSI(A, 10) > 79 then B else C';
  const PAIR = 'if RSI(A, 10) > RSI(B, 5) then B else C';
  it.each<[string, string, string[]]>([
    [PLAIN, 'if RSI(A, 10) < 79 then B else C', ['Comparator > → <']],
    [PLAIN, 'if RSI(A, 10) > 80 then B else C', ['Value 79 → 80']],
    [PLAIN, 'if RSI(D, 10) > 79 then B else C', ['Left side A → D']],
    [PLAIN, 'if CR(A, 10) > 79 then B else C', ['Left function Relative Strength Index → Cumulative Return']],
    [
      PLAIN,
      PAIR,
      [
        'Right function none → Relative Strength Index',
        'RSI window none → 5',
        'Right side 79 → B',
        'Comparison with a value → with an indicator',
      ],
    ],
    [
      PAIR,
      PLAIN,
      [
        'Right function Relative Strength Index → none',
        'Right window 5 → none',
        'Right side B → 79',
        'Comparison with an indicator → with a value',
      ],
    ],
    [
      PAIR,
      'if RSI(A, 10) > 2 * RSI(B, 5) 3 days ago + 1 then B else C',
      ['Right days ago 0 → 3', 'Right scale 1 → 2', 'Right offset 0 → 1'],
    ],
    [
      PAIR,
      'if RSI(A, 10) 2 days ago > RSI(B, 6) for 4 days then B else C',
      ['Left days ago 0 → 2', 'RSI window 5 → 6', 'Days to hold 1 → 4'],
    ],
    [
      PLAIN,
      'if ?(A) > 79 then B else C',
      ['Left function Relative Strength Index → none', 'Left window 10 → none'],
    ],
    [
      'if ?(A) > 79 then B else C',
      PLAIN,
      ['Left function none → Relative Strength Index', 'RSI window none → 10'],
    ],
    ['if RSI(A, 10) ? 79 then B', 'if RSI(A, 10) >= ? then B', ['Value 79 → none', 'Comparator none → ≥']],
    ['if MACD(A, 12, 26) > 0 then B', 'if MACD(A, 10, 26) > 0 then B', ['MACD fast window 12 → 10']],
    // What is not written is the default.
    [
      'if MACD Signal(A) > 0 then B',
      'if MACD Signal(A, 12, 26, 5) > 0 then B',
      ['MACD Signal signal window 9 → 5'],
    ],
    ['if MACD Signal(A) > 0 then B', 'if MACD Signal(A, 12, 26, 9) > 0 then B', []],
    [
      'if Correlation(A, B, 20) > 0 then B',
      'if Correlation(A, C, 20) > 0 then B',
      ['Correlation second series B → C'],
    ],
    [
      'if RSI(A, 10) > 0 then B',
      'if Current Price(A) > 0 then B',
      ['Left function Relative Strength Index → Current Price', 'Current Price window 10 → none'],
    ],
  ])('%s to %s', (before, after, fields) => {
    expect(told(before, after)).toEqual(fields.map((field) => `${field} in condition 1 of If`));
  });

  it('and how several are joined', () => {
    expect(
      told('if RSI(A, 10) > 0 and CR(B, 5) > 1 then B', 'if RSI(A, 10) > 0 or CR(B, 5) > 1 then B'),
    ).toEqual(['Rule all of the conditions → any of the conditions of If in the strategy']);
    expect(
      told(
        'if RSI(A, 10) > 0 and (CR(B, 5) > 1 or CR(B, 6) > 1) then B',
        'if RSI(A, 10) > 0 and (CR(B, 5) > 1 and CR(B, 6) > 1) then B',
      ),
    ).toEqual(['Rule any of the conditions → all of the conditions of condition 2 of If']);
  });
});

describe('a changed block', () => {
  it.each<[string, string, string[]]>([
    ['top 1 by RSI(10) of [A, B]', 'top 1 by RSI(12) of [A, B]', ['RSI window 10 → 12 in Filter']],
    ['top 1 by RSI(10) of [A, B]', 'bottom 2 by RSI(10) of [A, B]', ['Selection top 1 → bottom 2 in Filter']],
    [
      'top 1 by RSI(10) of [A, B]',
      'top 1 by CR(10) of [A, B]',
      ['Sort function Relative Strength Index → Cumulative Return in Filter'],
    ],
    [
      'top 1 by RSI(10) of [A, B]',
      'top 1 by RSI(10) weighted by inverse volatility over 20 days of [A, B]',
      ['Weighting equally → by 20-day inverse volatility in Filter'],
    ],
    [
      'top 2 by RSI(10) weighted by rank [60%, 40%] of [A, B]',
      'top 2 by RSI(10) weighted equally of [A, B]',
      ['Weighting 60%, 40% by rank → equally in Filter'],
    ],
    ['top 1 by RSI(10) weighted equally of [A, B]', 'top 1 by RSI(10) of [A, B]', []],
    [
      'weight by inverse volatility over 10 days [A, B]',
      'weight by inverse volatility over 20 days [A, B]',
      ['Window 10 → 20 in Inverse Volatility'],
    ],
    ['group "x" [A]', 'group "y" [A]', ['Name x → y of Group "y"']],
    ['group [A]', 'group "y" [A]', ['Name none → y of Group "y"']],
    ['group "x" [A]', 'weight equally [A]', ['Type Group → Equal Weight of Equal Weight']],
    ['weight equally [A]', 'top 1 by RSI(10) of [A]', ['Type Equal Weight → Filter of Filter']],
    ['A', 'cash', ['Type Asset → empty block of empty block']],
    ['cash', 'A', ['Type empty block → Asset of A']],
  ])('%s to %s', (before, after, fields) => {
    expect(told(before, after)).toEqual(fields.map((field) => `${field} in the strategy`));
  });

  it('is told by its weight where weights count, as it stands', () => {
    expect(told('weight by percentages [40% A, 60% B]', 'weight by percentages [$W% A, 1/3 B]')).toEqual([
      'Weight 40% → $W% of A in Specified Weight',
      'Weight 60% → 33.3333% of B in Specified Weight',
    ]);
    expect(told('weight by percentages [40% A, 60% B]', 'weight by percentages [40% A, $N/$D B]')).toEqual([
      'Weight 60% → $N/$D of B in Specified Weight',
    ]);
    expect(told('weight by percentages [50% A]', 'weight by percentages [1/2 A]')).toEqual([]);
    expect(told('weight by percentages [$W% A]', 'weight by percentages [$W/50 A]')).toEqual([
      'Weight $W% → $W/50 of A in Specified Weight',
    ]);
  });

  it('follows its ticker with its name', () => {
    expect(told('A "x"', 'B "y"')).toEqual(['Ticker A → B in the strategy']);
    expect(told('A "x"', 'A "y"')).toEqual([]);
  });
});

describe('a changed root', () => {
  const root = (fields: Partial<RootNode>) => ({ ...strategy('A'), ...fields }) as Algorithm;
  it.each<[string, Partial<RootNode>, Partial<RootNode>]>([
    ['Name S → T', {}, { name: 'T' }],
    ['Description none → d', {}, { description: 'd' }],
    ['Rebalancing daily → never', {}, { rebalance: 'never' }],
    [
      'Rebalancing weekly on the last day → weekly on the first day',
      { rebalance: 'weekly' },
      { rebalance: 'weekly', rebalance_on: 'first' },
    ],
    [
      'Rebalancing monthly on the last day → when a weight is 5 points off',
      { rebalance: 'monthly', rebalance_on: 'last' },
      { rebalance: 'corridor', corridor: 5 },
    ],
    ['Rebalancing when a weight is ? points off → daily', { rebalance: 'corridor' }, {}],
  ])('%s', (text, before, after) => expect(changes(root(before), root(after))).toEqual([text]));

  it('is the same where a default is written', () => {
    expect(
      changes(root({ rebalance: 'weekly' }), root({ rebalance: 'weekly', rebalance_on: 'last' })),
    ).toEqual([]);
  });
});

describe('a strategy that is held as a block', () => {
  const held = (source: StrategySource | null | undefined, text = 'group "G" [A]') => {
    const tree = strategy(text);
    return {
      ...tree,
      id: 'root',
      children: tree.children.map((child) => ({ ...child, source }) as BlockNode),
    };
  };
  const of = (strategy_id: string, revision: number) => ({ strategy_id, revision });
  it.each<[StrategySource | null | undefined, StrategySource | null | undefined, string[]]>([
    [of('s', 1), of('s', 2), ['Revision 1 → 2 of Group "G" in the strategy']],
    [of('s', 1), of('t', 2), ['Strategy revision 1 → revision 2 in Group "G" in the strategy']],
    [of('s', 1), of('t', 1), ['Strategy revision 1 of s → revision 1 of t in Group "G" in the strategy']],
    [null, of('s', 1), ['Strategy none → revision 1 in Group "G" in the strategy']],
    [of('s', 1), undefined, ['Strategy revision 1 → none in Group "G" in the strategy']],
    [null, undefined, []],
    [of('s', 1), of('s', 1), []],
  ])('%j to %j', (before, after, texts) => expect(changes(held(before), held(after))).toEqual(texts));

  it('hides its inside where it took another revision, and nowhere else', () => {
    const inside = 'group "G" [B, group "I" [C, D]]';
    expect(changes(held(of('s', 1)), held(of('s', 2), inside))).toEqual([
      'Revision 1 → 2 of Group "G" in the strategy',
    ]);
    expect(changes(held(null), held(of('s', 1), 'group "G" [B]'))).toEqual([
      'Strategy none → revision 1 in Group "G" in the strategy',
      'Ticker A → B in Group "G"',
    ]);
  });
});

describe('what came, went and moved', () => {
  const asset = (id: string, ticker = id.toUpperCase()) =>
    ({ ...strategy('A').children[0], id, ticker }) as BlockNode;
  const tree = (...children: readonly BlockNode[]) =>
    ({ ...strategy('A'), id: 'root', children }) as Algorithm;
  const group = (id: string, ...children: readonly BlockNode[]) =>
    ({ ...strategy('group "x" [A]').children[0], id, name: id, children }) as BlockNode;

  it('is counted with what is in it, cash left out', () => {
    const cash = { ...strategy('cash').children[0], id: 'e' } as BlockNode;
    expect(changes(tree(asset('a')), tree(asset('a'), group('g', asset('b'))))).toEqual([
      'Added Group "g" with 1 block inside to the strategy',
    ]);
    expect(changes(tree(group('g', asset('b'), group('h', asset('c'), cash))), tree(asset('a')))).toEqual([
      'Removed Group "g" with 3 blocks inside from the strategy',
      'Added A to the strategy',
    ]);
    expect(changes(tree(asset('a')), tree(asset('a'), group('g', cash)))).toEqual([
      'Added Group "g" to the strategy',
    ]);
    expect(changes(tree(cash), tree(asset('a')))).toEqual(['Added A to the strategy']);
    expect(changes(tree(asset('a')), tree(cash))).toEqual(['Removed A from the strategy']);
    expect(
      changes(tree(cash, asset('a'), group('g', asset('b'))), tree(asset('a'), group('g', asset('b'), cash))),
    ).toEqual([]);
  });

  it('has moved as little as explains the new order', () => {
    const order = (...ids: readonly string[]) => tree(...ids.map((id) => asset(id)));
    expect(changes(order('a', 'b', 'c', 'd', 'e'), order('b', 'a', 'c', 'e', 'd'))).toHaveLength(2);
    expect(changes(order('a', 'b', 'c', 'd', 'e'), order('e', 'a', 'b', 'c', 'd'))).toEqual([
      'Moved E from place 5 to 1 in the strategy',
    ]);
    expect(changes(order('a', 'b', 'c'), order('c', 'b', 'a'))).toHaveLength(2);
    expect(changes(order('a', 'b'), order('a', 'b'))).toEqual([]);
  });

  it('has moved out of one block and into another', () => {
    expect(
      changes(tree(asset('a'), group('g', asset('b'))), tree(group('g', asset('b'), asset('a')))),
    ).toEqual(['Moved A from the strategy to Group "g"']);
    expect(changes(tree(group('g', asset('b'))), tree(asset('b'), group('g', asset('c'))))).toEqual([
      'Moved B from Group "g" to the strategy',
      'Added C to Group "g"',
    ]);
  });

  it('names each change by its block and its kind', () => {
    const all = diffStrategies(
      tree(asset('a'), asset('b'), asset('c', 'X')),
      tree(asset('c', 'Y'), asset('b'), asset('d')),
    );
    expect(all.map(({ kind, nodeId }) => `${kind} ${nodeId}`)).toEqual([
      'removed a',
      'moved c',
      'changed c',
      'added d',
    ]);
    expect(all[2]?.fields).toEqual([{ what: 'ticker', from: 'X', to: 'Y' }]);
  });

  it('tells a condition that came by what it says', () => {
    const before = strategy('if RSI(A, 10) > 79 then B else C');
    const [block] = before.children;
    const [other] = strategyOfText(
      'if CR(X, 4) > 1 and any of (CR(X, 5) > 1, CR(X, 6) < 2 for 3 days) then B',
      idsOf('other'),
    ).children;
    if (block?.node_type !== 'if-then-else' || other?.node_type !== 'if-then-else') throw new Error('No if');
    const conditions = [...block.conditions, ...other.conditions.slice(1)];
    expect(changes(before, { ...before, children: [{ ...block, conditions }] })).toEqual([
      'Added condition any of (CR(5) of X > 1, CR(6) of X < 2 for 3 days) to the conditions of If',
    ]);
  });
});
