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
