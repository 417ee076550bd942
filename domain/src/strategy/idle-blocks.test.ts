import { describe, expect, test } from 'vitest';
import { strategyOfText as strategy } from '../../testing/strategy-of-text.ts';
import { printStrategy } from '../exchange/text/printer.ts';
import { withoutIdleBlocks } from './idle-blocks.ts';
import type { Algorithm } from './tree.ts';

const body = (tree: Algorithm) => printStrategy(tree).split('\n\n')[1]?.replace(/\s+/g, ' ').trim() ?? '';
const swept = (text: string) => body(withoutIdleBlocks(strategy(text)).algorithm);

describe('blocks without a part are taken out', () => {
  test.each([
    [
      'a branch decided above',
      'if RSI(A, 10) > 79 then [if RSI(A, 10) > 79 then B else C] else D',
      'if RSI(A, 10) > 79 then [ B ] else [ D ]',
    ],
    [
      'one decided above the other way',
      'if RSI(A, 10) > 79 then B else [if RSI(A, 10) > 85 then C else D]',
      'if RSI(A, 10) > 79 then [ B ] else [ D ]',
    ],
    [
      'a condition among others',
      'if RSI(A, 10) > 79 then [if RSI(A, 10) > 70 and RSI(C, 5) < 3 then B else C] else D',
      'if RSI(A, 10) > 79 then [ if RSI(C, 5) < 3 then [ B ] else [ C ] ] else [ D ]',
    ],
    ['equal branches', 'weight equally [if CR(A, 5) > 1 then B else B, C]', 'weight equally [ B C ]'],
    [
      'the same condition twice',
      'if CR(A, 5) > 1 or CR(A, 5) > 1 then B else C',
      'if CR(A, 5) > 1 then [ B ] else [ C ]',
    ],
    ['a value beyond its bounds', 'if RSI(A, 10) > 100 then B else C', 'C'],
    ['a side against itself', 'if CR(A, 5) < CR(A, 5) then B', 'weight equally [ ]'],
    ['a weight of 0', 'weight by percentages [0% A, 60% B, 40% C]', 'weight by percentages [ 60% B 40% C ]'],
    ['a filter that chooses all', 'top 3 by RSI(10) of [A, B]', 'weight equally [ A B ]'],
    [
      'blocks around one block',
      'weight equally [ group [ weight equally [ A, B ] ] ]',
      'weight equally [ A B ]',
    ],
  ])('%s', (_, text, expected) => {
    expect(swept(text)).toBe(expected);
  });

  test('the list says what goes and why', () => {
    const { idle } = withoutIdleBlocks(
      strategy('if RSI(A, 10) > 79 then B else [if RSI(A, 10) > 85 then [C, D] else D]'),
    );
    expect(idle.map(({ reason, blocks }) => [reason, blocks])).toEqual([
      ['never holds: its then is never reached', 4],
    ]);
  });
});

describe('what plays a part stays', () => {
  test.each([
    ['another ticker', 'if RSI(A, 10) > 79 then [if RSI(B, 10) > 79 then B else C] else D'],
    ['a threshold that leaves it open', 'if RSI(A, 10) > 79 then [if RSI(A, 10) > 85 then B else C] else D'],
    ['several days', 'if RSI(A, 10) > 79 then [if RSI(A, 10) > 70 for 3 days then B else C] else D'],
    [
      'an else of several days',
      'if RSI(A, 10) > 79 for 3 days then B else [if RSI(A, 10) > 80 then B else C]',
    ],
    ['any of several', 'if RSI(A, 10) > 79 or CR(B, 5) > 1 then [if RSI(A, 10) > 79 then B else C] else D'],
    [
      'own series of a filter',
      'if RSI(A, 10) > 79 then [top 1 by CR(5) of [if RSI(A, 10) > 79 then B else C, D]] else E',
    ],
    ['what is ranked', 'top 1 by CR(5) of [weight equally [A], B]'],
    ['a variable', 'if RSI(A, 10) > $X then [if RSI(A, 10) > 85 then B else C] else D'],
    ['named groups', 'group "mine" [A]'],
    ['cash', 'weight equally [cash, A]'],
    ['what is not set yet', 'if RSI(A, 10) > ? then [if RSI(A, 10) > ? then B else C] else D'],
  ])('%s', (_, text) => {
    const tree = strategy(text);
    expect(withoutIdleBlocks(tree).algorithm).toBe(tree);
  });
});

/** `then` B and else C under a condition, inside the then or the else of another one. */
const within = (outer: string, inner: string) => `if ${outer} then [if ${inner} then B else C] else D`;
const withinElse = (outer: string, inner: string) => `if ${outer} then D else [if ${inner} then B else C]`;
const stays = (text: string) => {
  const tree = strategy(text);
  expect(withoutIdleBlocks(tree)).toEqual({ algorithm: tree, idle: [] });
};

describe('what is known of a value where a condition holds', () => {
  test.each([
    // outer, inner, what is left of the inner one
    ['RSI(A, 10) > 79', 'RSI(A, 10) < 70', 'C'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) <= 70', 'C'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) >= 70', 'B'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) = 50', 'C'],
    ['RSI(A, 10) >= 79', 'RSI(A, 10) > 70', 'B'],
    ['RSI(A, 10) < 30', 'RSI(A, 10) < 40', 'B'],
    ['RSI(A, 10) < 30', 'RSI(A, 10) > 40', 'C'],
    ['RSI(A, 10) <= 30', 'RSI(A, 10) = 40', 'C'],
    ['RSI(A, 10) = 50', 'RSI(A, 10) > 40', 'B'],
    ['RSI(A, 10) = 50', 'RSI(A, 10) < 40', 'C'],
    ['RSI(A, 10) = 50', 'RSI(A, 10) = 50', 'B'],
    ['RSI(A, 10) > $X', 'RSI(A, 10) > $X', 'B'],
    ['CR(A, 5) > CR(B, 5)', 'CR(A, 5) > CR(B, 5)', 'B'],
    ['CR(A, 5) > -1', 'CR(A, 5) > -2', 'B'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) < 70 for 3 days', 'C'],
    ['RSI(A, 10) 2 days ago > 79', 'RSI(A, 10) 2 days ago > 70', 'B'],
  ])('%s decides %s', (outer, inner, left) => {
    expect(swept(within(outer, inner))).toBe(`if ${outer} then [ ${left} ] else [ D ]`);
  });

  test.each([
    ['RSI(A, 10) > 79', 'RSI(A, 10) > 79', 'C'],
    ['RSI(A, 10) >= 79', 'RSI(A, 10) > 80', 'C'],
    ['RSI(A, 10) < 30', 'RSI(A, 10) > 20', 'B'],
    ['RSI(A, 10) <= 30', 'RSI(A, 10) > 20', 'B'],
    ['RSI(A, 10) <= 30', 'RSI(A, 10) < 20', 'C'],
    ['RSI(A, 10) = 50', 'RSI(A, 10) = 50', 'C'],
  ])('where %s fails, %s is decided', (outer, inner, left) => {
    expect(swept(withinElse(outer, inner))).toBe(`if ${outer} then [ D ] else [ ${left} ]`);
  });

  test.each([
    // A value at the bound may be on either side.
    ['RSI(A, 10) > 79', 'RSI(A, 10) > 79.0000000001'],
    ['RSI(A, 10) >= 79', 'RSI(A, 10) > 79'],
    ['RSI(A, 10) < 30', 'RSI(A, 10) <= 30'],
    ['RSI(A, 10) < 30', 'RSI(A, 10) > 20'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) = 85'],
    ['RSI(A, 10) = 50', 'RSI(A, 10) > 50'],
    ['RSI(A, 10) > 79', 'RSI(A, 11) > 70'],
    ['RSI(A, 10) > 79', 'CR(A, 10) > 70'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) 1 days ago > 70'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) > $X'],
    ['RSI(A, 10) > $X', 'RSI(A, 10) > $Y'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) > RSI(B, 10)'],
    ['RSI(A, 10) > RSI(B, 10)', 'RSI(A, 10) > 79'],
    ['RSI(A, 10) > 79 for 3 days', 'RSI(A, 10) > 70'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) > 70 for $N days'],
    ['RSI(A, 10) > 79', 'RSI(?, 10) > 70'],
    ['RSI(?, 10) > 79', 'RSI(?, 10) > 70'],
    ['RSI(A, 10) ? 79', 'RSI(A, 10) > 70'],
    ['RSI(A, 10) > 79', 'RSI(A, 10) ? 70'],
  ])('%s leaves %s open', (outer, inner) => stays(within(outer, inner)));

  test('one that is not equal says nothing of how it is', () => {
    stays(withinElse('RSI(A, 10) = 50', 'RSI(A, 10) > 40'));
  });

  test('is known however deep below, and of all that surround', () => {
    const deep = (inner: string) =>
      swept(
        `if RSI(A, 10) > 79 then [weight equally [E, if CR(B, 5) > 1 then [if ${inner} then B else C] else F]] else D`,
      );
    expect(deep('RSI(A, 10) > 70')).toContain('if CR(B, 5) > 1 then [ B ] else [ F ]');
    expect(deep('CR(B, 5) < 0')).toContain('if CR(B, 5) > 1 then [ C ] else [ F ]');
    expect(
      swept('if RSI(A, 10) > 79 then [group "mine" [if RSI(A, 10) > 70 then B else C]] else D'),
    ).toContain('group "mine" [ B ]');
    expect(
      swept(
        'if RSI(A, 10) > 79 then [weight by percentages [60% if RSI(A, 10) > 70 then B else C, 40% D]] else D',
      ),
    ).toContain('weight by percentages [ 60% B 40% D ]');
  });

  test('is all of several that hold together, and none of several that may fail alone', () => {
    const both = 'RSI(A, 10) > 79 and CR(B, 5) > 1';
    expect(swept(within(both, 'CR(B, 5) > 0'))).toBe(`if ${both} then [ B ] else [ D ]`);
    expect(swept(within(both, 'RSI(A, 10) > 70'))).toBe(`if ${both} then [ B ] else [ D ]`);
    stays(withinElse(both, 'RSI(A, 10) > 79'));
    const either = 'RSI(A, 10) > 79 or CR(B, 5) > 1';
    expect(swept(withinElse(either, 'CR(B, 5) > 1'))).toBe(`if ${either} then [ D ] else [ C ]`);
    expect(swept(withinElse(either, 'RSI(A, 10) > 90'))).toBe(`if ${either} then [ D ] else [ C ]`);
    stays(within(either, 'CR(B, 5) > 0'));
  });

  test('is not known to series of their own, which run every day', () => {
    const inner = 'if RSI(A, 10) > 79 then B else C';
    stays(`if RSI(A, 10) > 79 then [weight by inverse volatility over 20 days [${inner}, D]] else E`);
  });
});

describe('a condition that needs no other to be decided', () => {
  const alone = (condition: string) => `if ${condition} then B else C`;
  test.each([
    ['RSI(A, 10) > 100', 'C'],
    ['RSI(A, 10) > -0.1', 'B'],
    ['RSI(A, 10) < 0', 'C'],
    ['RSI(A, 10) < 100.1', 'B'],
    ['CR(A, 5) > CR(A, 5)', 'C'],
    ['CR(A, 5) < CR(A, 5)', 'C'],
    ['CR(A, 5) >= CR(A, 5)', 'B'],
    ['CR(A, 5) <= CR(A, 5)', 'B'],
    ['CR(A, 5) = CR(A, 5)', 'B'],
  ])('%s', (condition, left) => expect(swept(alone(condition))).toBe(left));

  test.each([
    'RSI(A, 10) > 99.9',
    'RSI(A, 10) > 0',
    'RSI(A, 10) < 0.1',
    'RSI(A, 10) < 100',
    'RSI(A, 10) >= 101',
    'RSI(A, 10) = 101',
    'CR(A, 10) > 100',
    'CR(A, 10) < 0',
    'CR(A, 5) > CR(A, 6)',
    'CR(A, 5) > CR(B, 5)',
    'CR(A, 5) > MA Return(A, 5)',
    'CR(A, 5) 1 days ago > CR(A, 5)',
    'CR(A, 5) > CR(A, 5) 1 days ago',
    'CR(A, 5) > 2 * CR(A, 5)',
    'CR(A, 5) > CR(A, 5) + 1',
    'CR($X, 5) > $Y',
    'RSI(?, 10) > 101',
  ])('%s can go either way', (condition) => stays(alone(condition)));
});

describe('one condition among several', () => {
  test.each([
    ['RSI(A, 10) > 100 and CR(B, 5) > 1', 'C'],
    ['RSI(A, 10) < 101 or CR(B, 5) > 1', 'B'],
    ['RSI(A, 10) < 101 and RSI(B, 10) < 101', 'B'],
    ['RSI(A, 10) > 100 or RSI(B, 10) > 100', 'C'],
    ['RSI(A, 10) < 101 and CR(B, 5) > 1', 'if CR(B, 5) > 1 then [ B ] else [ C ]'],
    ['RSI(A, 10) > 100 or CR(B, 5) > 1', 'if CR(B, 5) > 1 then [ B ] else [ C ]'],
    [
      'CR(A, 5) > 1 and CR(B, 5) > 1 and CR(A, 5) > 1',
      'if CR(A, 5) > 1 and CR(B, 5) > 1 then [ B ] else [ C ]',
    ],
  ])('%s', (conditions, left) => expect(swept(`if ${conditions} then B else C`)).toBe(left));

  test('that is a group is left to itself', () => {
    stays('if (RSI(A, 10) > 100 and CR(B, 5) > 1) or CR(C, 5) > 1 then B else C');
  });

  test('that is left alone is joined by nothing, and is known to fail in the else', () => {
    const { algorithm } = withoutIdleBlocks(
      strategy('if RSI(A, 10) > 100 or CR(B, 5) > 1 then B else [if CR(B, 5) > 1 then C else D]'),
    );
    expect(body(algorithm)).toBe('if CR(B, 5) > 1 then [ B ] else [ D ]');
    expect(algorithm.children[0]).toMatchObject({ condition_type: 'allOf', conditions: [{ lhs_val: 'B' }] });
  });
});

describe('the list of what goes', () => {
  const told = (text: string) =>
    withoutIdleBlocks(strategy(text)).idle.map(({ reason, blocks }) => [reason, blocks]);
  test.each([
    ['if RSI(A, 10) < 101 then B else [C, D]', [['always holds: its else is never reached', 4]]],
    ['if RSI(A, 10) > 100 then [C, D] else B', [['never holds: its then is never reached', 4]]],
    ['weight equally [if CR(A, 5) > 1 then B else B, C]', [['holds the same in both branches', 3]]],
    ['if CR(A, 5) > 1 or CR(A, 5) > 1 then B else C', [['stands there twice', 1]]],
    ['if RSI(A, 10) < 101 and CR(B, 5) > 1 then B else C', [['always holds there', 1]]],
    ['if RSI(A, 10) > 100 or CR(B, 5) > 1 then B else C', [['never holds there', 1]]],
    [
      'weight by percentages [0% weight equally [A, B, if CR(A, 5) > 1 then B else C], 60% B, 40% C]',
      [['has a weight of 0', 7]],
    ],
    ['weight by percentages [100% A]', [['gives one block everything', 1]]],
    ['top 3 by RSI(10) of [A, B]', [['chooses 3 of 2 blocks, which is all of them', 1]]],
    ['weight equally [A]', [['holds one block alone and weights nothing', 1]]],
  ])('%s', (text, expected) => expect(told(text)).toEqual(expected));

  test('names the block or condition', () => {
    const tree = strategy('if RSI(A, 10) > 100 or CR(B, 5) > 1 then B else C');
    const [block] = tree.children;
    const first = block?.node_type === 'if-then-else' ? block.conditions[0]?.id : undefined;
    expect(withoutIdleBlocks(tree).idle.map(({ id }) => id)).toEqual([first]);
  });
});

describe('what takes the place of a block', () => {
  test.each([
    [
      'one block its weight',
      'weight by percentages [60% if RSI(A, 10) < 101 then B else C, 40% D]',
      'weight by percentages [ 60% B 40% D ]',
    ],
    [
      'several blocks its weight, shared equally',
      'weight by percentages [60% if RSI(A, 10) < 101 then [B, C] else D, 40% D]',
      'weight by percentages [ 60% weight equally [ B C ] 40% D ]',
    ],
    [
      'one block of a group its weight',
      'weight by percentages [60% weight equally [B], 40% D]',
      'weight by percentages [ 60% B 40% D ]',
    ],
    [
      'one block with everything its weight',
      'weight by percentages [60% weight by percentages [100% B], 40% D]',
      'weight by percentages [ 60% B 40% D ]',
    ],
    [
      'thirds that are the whole',
      'weight equally [weight by percentages [3/3 A], B]',
      'weight equally [ A B ]',
    ],
  ])('%s', (_, text, expected) => expect(swept(text)).toBe(expected));

  test('nothing else is cash', () => {
    expect(swept('weight equally [if RSI(A, 10) > 100 then B else cash, C]')).toBe(
      'weight equally [ weight equally [ cash ] C ]',
    );
  });

  test.each([
    'weight by percentages [0% A, 0% B]',
    'weight by percentages [$W% A, 60% B]',
    'weight by percentages [60% A]',
    'weight by percentages [$W% A]',
    'weight by percentages [100% cash]',
    'weight by percentages [50% A, 50% B]',
    'top 1 by RSI(10) of [A, B]',
    'top $N by RSI(10) of [A, B]',
    'top 2 by RSI(10) weighted by inverse volatility over 20 days of [A, B]',
    'top 2 by RSI(10) weighted by rank [60%, 40%] of [A, B]',
    'top 1 by RSI(10) of [weight by percentages [100% A], B]',
    'weight by inverse volatility over 20 days [weight equally [A], B]',
    'if CR(A, 5) > 1 then [B, C] else B',
    'if CR(A, 5) > 1 then [B, C] else [C, B]',
    'if CR(A, 5) > 1 then B else [weight equally [B, C]]',
  ])('%s stays', (text) => stays(text));

  test('what is ranked keeps a block of its own, which has a series', () => {
    expect(swept('top 1 by RSI(10) of [if RSI(A, 10) < 101 then B else C, D]')).toBe(
      'top 1 by RSI(10) of [ weight equally [ B ] D ]',
    );
    expect(swept('top 1 by RSI(10) of [if CR(A, 5) > 1 then B else B, D]')).toBe(
      'top 1 by RSI(10) of [ weight equally [ B ] D ]',
    );
    // Within it, nobody looks at a series.
    expect(swept('top 1 by RSI(10) of [weight equally [weight equally [B], E], D]')).toBe(
      'top 1 by RSI(10) of [ weight equally [ B E ] D ]',
    );
  });

  test('a filter that is weighted equally by name chooses all, too', () => {
    expect(swept('top 2 by RSI(10) weighted equally of [A, B]')).toBe('weight equally [ A B ]');
  });

  test('branches that differ in names and folds alone are the same', () => {
    expect(swept('weight equally [if CR(A, 5) > 1 then B "one" else B "other", C]')).toBe(
      'weight equally [ B "one" C ]',
    );
    expect(swept('weight equally [if CR(A, 5) > 1 then [A, B] else [A, B], C]')).toBe(
      'weight equally [ weight equally [ A B ] C ]',
    );
  });
});
