import { describe, expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { printBlocks } from '../exchange/text/printer.ts';
import { blockName, conditionText, slotName } from './node-names.ts';
import type { Algorithm, BlockNode } from './tree.ts';
import { swapValues } from './tree-values.ts';
import { nodesOf } from './tree-walk.ts';
import type { ValuePlace } from './value-place.ts';
import { bindVariables, collectVariables, isTemplate, type KnownVariables } from './variables.ts';

const strategy = (text: string) => strategyOfText(text);
/** Every place of a tree that can hold a variable. */
const EVERYWHERE = [
  'if Correlation($A, $B/$C, $W) $D days ago > $S * MACD($E/$F, $G, $H) $I days ago + $J for $K days then [$L]',
  'if any of (all of (RSI($M, $N) > $O), Upper Band(X, $P, $Q) < 1) then [weight by inverse ' +
    'volatility over $R days [X]]',
  'top $T by RSI($U) weighted by inverse volatility over $V days of [X]',
  'top 1 by PPO Signal($A1, $A2, $A3) weighted by rank [$A4%, $A5/$A6] of [X]',
  'weight by percentages [$A7% X, $A8/$A9 group "$NONE" [Y]]',
].join('\n');
const withCorridor = (corridor: string) =>
  ({ ...strategy('X'), rebalance: 'corridor', corridor }) as Algorithm;

describe('the variables of a tree', () => {
  const named = (tree: unknown) =>
    collectVariables(tree).map(({ name, kinds }) => `${name} ${kinds.join('+')}`);

  it('are found in every place that takes one, in reading order, with what it needs', () => {
    const tickers = ['$A', '$B', '$C', '$E', '$F', '$M', '$L'];
    const found = named(strategy(EVERYWHERE));
    expect(
      found
        .filter((one) => one.endsWith(' ticker'))
        .map((one) => one.split(' ')[0])
        .sort(),
    ).toEqual([...tickers].sort());
    const numbers = [
      '$W',
      '$D',
      '$G',
      '$H',
      '$I',
      '$S',
      '$J',
      '$K',
      '$N',
      '$O',
      '$P',
      '$Q',
      '$R',
      '$T',
      '$U',
      '$V',
    ];
    const further = Array.from({ length: 9 }, (_, i) => `$A${i + 1}`);
    expect(
      found
        .filter((one) => one.endsWith(' number'))
        .map((one) => one.split(' ')[0])
        .sort(),
    ).toEqual([...numbers, ...further].sort());
    expect(found).toHaveLength(32);
    expect(named(withCorridor('$C'))).toEqual(['$C number']);
  });

  it('are of two kinds where one name stands in both sorts of places', () => {
    expect(named(strategy('if RSI($X, $X) > $X then [$X, $X]'))).toEqual(['$X ticker+number']);
    expect(named(strategy('if RSI(A, $X) > 1 then [$X]'))).toEqual(['$X number+ticker']);
  });

  it.each<[string, unknown]>([
    ['a corridor that nobody reads', { ...withCorridor('$C'), rebalance: 'daily' }],
    ['a corridor of a block', { node_type: 'group', rebalance: 'corridor', corridor: '$C' }],
    ['a ticker of a group', { node_type: 'group', ticker: '$A' }],
    ['a window of a group', { node_type: 'group', params: { window: '$W' } }],
    ['a selection of a group', { node_type: 'group', select: { num: '$N' } }],
    ['the window of an equal weighting', { node_type: 'filter', weighting: { type: 'equal', window: '$W' } }],
    [
      'the weights of another weighting',
      { node_type: 'filter', weighting: { type: 'equal', weights: [{ num: '$W' }] } },
    ],
    [
      'a weight where weights do not count',
      { node_type: 'group', children: [{ node_type: 'empty', weight: { num: '$W' } }] },
    ],
    [
      'the right function of a fixed value',
      { conditions: [{ rhs_fixed_val: true, rhs_fn_params: { window: '$W' }, rhs_scale: '$S' }] },
    ],
    [
      'a parameter that a function does not have',
      { conditions: [{ lhs_fn: 'macd', lhs_fn_params: { window: '$W', with: '$B' } }] },
    ],
    ['what is none', { children: [null, 7, '$A'], conditions: ['$A', null], select: '$A' }],
    ['a part of a name', strategy('group "$A" [X "$B"]')],
  ])('are none in %s', (_, tree) => {
    expect(named(tree)).toEqual([]);
    expect(isTemplate(tree)).toBe(false);
  });

  it('of a function that is not chosen yet are its window', () => {
    expect(named({ conditions: [{ lhs_fn: null, lhs_fn_params: { window: '$W', fast: '$F' } }] })).toEqual([
      '$W number',
    ]);
    expect(named(strategy('if RSI(A, $W) > 1 then A'))).toEqual(['$W number']);
    expect(isTemplate(strategy('$A'))).toBe(true);
  });

  it('are looked for as deep as anything runs', () => {
    const tower = (height: number) =>
      Array.from({ length: height }).reduce<unknown>((inner) => ({ node_type: 'group', children: [inner] }), {
        node_type: 'asset',
        ticker: '$A',
      });
    expect(named(tower(512))).toEqual(['$A ticker']);
    expect(named(tower(513))).toEqual([]);
    const grouped = (depth: number) => ({
      conditions: [
        Array.from({ length: depth }).reduce<unknown>(
          (inner) => ({ node_type: 'condition-group', conditions: [inner] }),
          { lhs_val: '$A' },
        ),
      ],
    });
    expect(named(grouped(8))).toEqual(['$A ticker']);
    expect(named(grouped(9))).toEqual([]);
  });

  it('are remembered by block, so that only what has changed is looked at again', () => {
    const known: KnownVariables = new WeakMap();
    const [shared] = strategy('group [$A]').children;
    const tree = { ...strategy('X'), children: [shared] };
    expect(collectVariables(tree, known)).toEqual([{ name: '$A', kinds: ['ticker'] }]);
    expect(known.get(shared as object)).toEqual([['$A', 'ticker']]);
    known.set(shared as object, [['$REMEMBERED', 'number']]);
    expect(collectVariables({ ...tree }, known)).toEqual([{ name: '$REMEMBERED', kinds: ['number'] }]);
  });
});

describe('binding', () => {
  const bound = (text: string, values: Record<string, string | number>) =>
    printBlocks(bindVariables(strategy(text), new Map(Object.entries(values))).children).replace(/\s+/g, ' ');

  it('puts values into places, and leaves what has none', () => {
    expect(bound('if RSI($A/$B, $W) > $X then [$A, $C]', { $A: 'SPY', $B: 'QQQ', $W: '10', $X: -1.5 })).toBe(
      'if RSI(SPY/QQQ, 10) > -1.5 then [ SPY $C ]',
    );
    const tree = strategy('$A');
    expect(bindVariables(tree, new Map())).toBe(tree);
  });

  it('makes numbers of digits where numbers stand, and texts where tickers and names do', () => {
    const tree = strategy('if RSI(A, $W) > $W then [$W "$W"]');
    const [block] = bindVariables(tree, new Map([['$W', '10']])).children as [
      Extract<BlockNode, { node_type: 'if-then-else' }>,
    ];
    expect(block.conditions[0]).toMatchObject({ lhs_fn_params: { window: 10 }, rhs_val: 10 });
    expect(block.then_children[0]).toMatchObject({ ticker: '10', name: '10' });
    const described = { ...tree, id: '$W', description: '$W' };
    expect(bindVariables(described, new Map([['$W', 5]]))).toMatchObject({ id: '$W', description: '$W' });
    // A right side that is a series, and one that is a number.
    const series = strategy('if RSI(A, 1) > RSI($W, 2) then A');
    expect(bindVariables(series, new Map([['$W', '7']])).children[0]).toMatchObject({
      conditions: [{ rhs_val: '7' }],
    });
  });
});

describe('the places that hold a value', () => {
  const placesOf = (tree: Algorithm) => {
    const places: ValuePlace[] = [];
    const same = swapValues(tree, (place) => {
      places.push(place);
      return place.value;
    });
    expect(same).toBe(tree);
    return places;
  };
  const numbered = strategy(
    [
      'if Correlation(A, B, 20) 1 days ago > 2 * MACD(C, 12, 26) 3 days ago + 4 for 5 days then ' +
        '[weight by inverse volatility over 6 days [D]]',
      'if any of (RSI(E, 7) > 8, CR(F, 9) < 10) then [top 1 by RSI(11) weighted by inverse ' +
        'volatility over 13 days of [G]]',
      'weight by percentages [60% H, 40% top 2 by PPO(14, 15) weighted by rank [60%, 1/4] of [I]]',
    ].join('\n'),
  );

  it('are said with side, field, function and room', () => {
    const told = placesOf(numbered)
      .filter(({ kind }) => kind !== 'function')
      .map(({ kind, field, side, fn, value, room }) =>
        [kind, field, side, fn, value, room && JSON.stringify(room)]
          .filter((one) => one !== undefined && one !== null && one !== '{}')
          .join(' '),
      );
    expect(told).toEqual([
      'window left correlation 20',
      'signal left correlation B',
      'parameter fast right macd 12 {"max":25}',
      'parameter slow right macd 26 {"min":13}',
      'signal left correlation A',
      'signal right macd C',
      'days days_ago left 1',
      'days for_days 5',
      'days days_ago right 3',
      'scale scale 2',
      'scale offset 4',
      'window standard-deviation-return 6',
      'held D',
      'window left relative-strength-index 7',
      'signal left relative-strength-index E',
      'threshold relative-strength-index 8',
      'window left cumulative-return 9',
      'signal left cumulative-return F',
      'threshold cumulative-return 10',
      'window relative-strength-index 11',
      'count 1',
      'window standard-deviation-return 13',
      'held G',
      'weight 60 {"max":60}',
      'weight 40 {"max":40}',
      'held H',
      'parameter fast ppo 14 {"max":14}',
      'parameter slow ppo 15 {"min":15}',
      'count 2',
      'weight rank 1 60 {"max":75}',
      'weight rank 2 1 {"max":1.6}',
      'held I',
    ]);
  });

  it('each take another value, and nothing else changes', () => {
    const tree = { ...numbered, rebalance: 'corridor', corridor: '5' } as Algorithm;
    const places = placesOf(tree);
    expect(places[0]).toEqual({ kind: 'corridor', fn: null, value: 5, nodeId: tree.id });
    for (const [index, place] of places.entries()) {
      if (place.kind === 'function') continue;
      const other = typeof place.value === 'number' ? place.value + 0.25 : 'OTHER';
      let at = -1;
      const swapped = swapValues(tree, ({ value }) => {
        at += 1;
        return at === index ? other : value;
      });
      expect(placesOf(swapped).map(({ value }) => value)).toEqual(
        places.map(({ value }, i) => (i === index ? other : value)),
      );
    }
  });

  it('that hold nothing are left alone', () => {
    const seen = placesOf(
      strategy('if ?(?) ? ? then [asset ?]\nif RSI(A/?, ?) > RSI(?, 10) then [cash]\ngroup []'),
    );
    expect(seen.map(({ value }) => value)).toEqual([
      'relative-strength-index',
      10,
      'relative-strength-index',
      'A',
    ]);
  });
});

describe('names for people', () => {
  it.each<[string, string]>([
    ['group "x" [A]', 'Group "x"'],
    ['group " " [A]', 'Group'],
    ['weight equally [A]', 'Equal Weight'],
    ['weight by percentages [1% A]', 'Specified Weight'],
    ['weight by inverse volatility over 5 days [A]', 'Inverse Volatility'],
    ['A', 'A'],
    ['asset ?', 'asset'],
    ['if RSI(A, 1) > 1 then A', 'If'],
    ['top 1 by RSI(10) of [A]', 'Filter'],
    ['cash', 'empty block'],
  ])('%s is %s', (text, name) => {
    const [block] = strategy(text).children;
    expect(block && blockName(block)).toBe(name);
  });

  it('of conditions, groups of them and the root', () => {
    const names = [
      ...nodesOf(strategy('if (RSI(A, 1) > 1 and RSI(A, 2) > 1) or any of (RSI(A, 3) > 1) then A')),
    ].map(({ node }) => blockName(node));
    expect(names.slice(0, 4)).toEqual(['the strategy', 'If', 'group of all', 'condition']);
    expect(names).toContain('group of any');
    expect(blockName({ ...strategy('A').children[0], node_type: 'pasted' } as never)).toBe('pasted block');
  });

  it.each<[string, string]>([
    ['RSI(A, 10) > 79', 'RSI(10) of A > 79'],
    ['RSI(A, 10) >= $X for 3 days', 'RSI(10) of A ≥ $X for 3 days'],
    ['RSI(A, 10) <= 1 for $N days', 'RSI(10) of A ≤ 1 for $N days'],
    ['Current Price(A) 1 day ago = 5', 'Current Price of A 1 day ago = 5'],
    ['RSI(A, 10) 2 days ago < 2 * RSI(B, 5) - 3', 'RSI(10) of A 2 days ago < 2 × RSI(5) of B − 3'],
    ['RSI(A, 10) < RSI(B, 5) 4 days ago + $O', 'RSI(10) of A < RSI(5) of B 4 days ago + $O'],
    ['Correlation(A, B/C, 20) > 0', 'Correlation(20) of A with B/C > 0'],
    ['MACD Signal(A) > 0', 'MACD Signal(12, 26, 9) of A > 0'],
    ['?(A) ? ?', 'A ? ?'],
    ['RSI(?, ?) > 1', 'RSI(?) of ? > 1'],
    ['Correlation(A, ?, 20) > 0', 'Correlation(20) of A with ? > 0'],
  ])('%s reads %s', (text, words) => {
    const [block] = strategy(`if ${text} then A`).children;
    if (block?.node_type !== 'if-then-else' || !block.conditions[0]) throw new Error('No condition');
    expect(conditionText(block.conditions[0])).toBe(words);
    expect(slotName(block, 'then_children')).toBe(`Then of If ${words}`);
  });

  it.each([
    'any of (RSI(A, 1) > 1, RSI(B, 2) > 2, RSI(C, 3) > 3, RSI(D, 4) > 4)',
    'all of (any of (RSI(A, 1) > 1, RSI(B, 2) > 2, RSI(C, 3) > 3), RSI(D, 4) > 4)',
    'all of (RSI(A, 1) > 1, any of (RSI(B, 2) > 2))',
    'any of ()',
  ])('shorten a group as its whole text would be: %s', (test) => {
    const [block] = strategy(`if all of (${test}) then A`).children;
    if (block?.node_type !== 'if-then-else' || !block.conditions[0]) throw new Error('No condition');
    const text = conditionText(block.conditions[0]);
    const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    expect(slotName(block, 'then_children')).toBe(`Then of If ${short}`);
  });

  it('shorten a long condition, and say that there are more', () => {
    const [block] = strategy(
      'if Correlation(LONGTICKER1/LONGTICKER2, LONGTICKER3/LONGTICKER4, 20) > 0 and RSI(A, 1) > 1 then A',
    ).children;
    if (!block) throw new Error('No block');
    expect(slotName(block, 'else_children')).toBe(
      'Else of If Correlation(20) of LONGTICKER1/LONGTICKER2 with LONGTICKER3/… …',
    );
    expect(slotName(block, 'conditions')).toBe('the conditions of If');
  });
});
