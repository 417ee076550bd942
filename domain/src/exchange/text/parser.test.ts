import { describe, expect, test } from 'vitest';
import { completionsAt } from './completion.ts';
import { parseText } from './parser.ts';
import { printBlocks } from './printer.ts';
import { TextError } from './tokens.ts';

const parse = (text: string) => {
  let count = 0;
  return parseText(text, () => {
    count += 1;
    return `n${count}`;
  }).blocks;
};
const fault = (text: string): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TextError)
      return `${error.placed(text)} @${text.slice(error.offset, error.offset + error.length)}`;
    throw error;
  }
  throw new Error('was read');
};

describe('the text language', () => {
  test('what one types becomes blocks', () => {
    expect(parse('if rsi(TQQQ, 10) > 79 then UVXY else TQQQ')).toMatchObject([
      {
        node_type: 'if-then-else',
        condition_type: 'allOf',
        conditions: [
          {
            lhs_fn: 'relative-strength-index',
            lhs_val: 'TQQQ',
            lhs_fn_params: { window: 10 },
            comparator: 'gt',
            rhs_val: 79,
            rhs_fixed_val: true,
          },
        ],
        then_children: [{ ticker: 'UVXY' }],
        else_children: [{ ticker: 'TQQQ' }],
      },
    ]);
  });

  test('and binds more closely than or', () => {
    expect(parse('if price(A) > 1 or price(B) > 2 and price(C) > 3 then SPY')).toMatchObject([
      {
        condition_type: 'anyOf',
        conditions: [
          { lhs_val: 'A' },
          {
            node_type: 'condition-group',
            condition_type: 'allOf',
            conditions: [{ lhs_val: 'B' }, { lhs_val: 'C' }],
          },
        ],
      },
    ]);
  });

  test('days ago, scale, offset and days in a row', () => {
    expect(
      parse(
        'if CR(SPY, 5) 3 days ago >= 1.05 * MACD Signal(QQQ/SPY, 12, 26, 9) 1 day ago - 2 for 4 days then SPY',
      ),
    ).toMatchObject([
      {
        conditions: [
          {
            lhs_days_ago: 3,
            comparator: 'gte',
            rhs_scale: 1.05,
            rhs_val: 'QQQ/SPY',
            rhs_days_ago: 1,
            rhs_offset: -2,
            for_days: 4,
          },
        ],
      },
    ]);
  });

  test('a group without a condition is read as it is printed', () => {
    const text = 'if RSI(A, 10) > 1 and any of () then [\n  A\n]';
    const blocks = parse(text);
    expect(blocks).toMatchObject([
      { conditions: [{}, { node_type: 'condition-group', condition_type: 'anyOf', conditions: [] }] },
    ]);
    expect(printBlocks(blocks)).toBe(text);
  });

  test.each([
    [
      'if RSI(A, 10) > RSI(B, 10) - $O then A',
      'line 1, column 30: Expected a number after -: write + $O and give it negative values, not “$O” @$O',
    ],
    ['if any of (RSI(A, 10) > 1,) then A', 'line 1, column 27: Expected a function such as RSI, not “)” @)'],
    ['if rsii(SPY, 10) > 79 then SPY', 'line 1, column 4: “rsii” is no function: did you mean RSI? @rsii'],
    ['if rsi(SPY) > 79 then SPY\nelse [ SPY', 'line 2, column 6: This [ is never closed @['],
    ['if rsi(SPY, 10, 3) > 79 then SPY', 'line 1, column 15: RSI takes window, and nothing more @,'],
    [
      'if rsi(SPY, ten) > 79 then SPY',
      'line 1, column 13: Expected the window of RSI, a number or a $variable, not “ten” @ten',
    ],
    ['if rsi(SPY, 10) 79 then SPY', 'line 1, column 17: Expected one of > < >= <= =, not “79” @79'],
    ['if rsi(SPY, 10) > 79 SPY', 'line 1, column 22: Expected “then”, “and” or “or”, not “SPY” @SPY'],
    [
      'weight by dreams [SPY]',
      'line 1, column 11: Expected “percentages” or “inverse”, not “dreams” @dreams',
    ],
    [
      'weight by percentages [50 SPY]',
      'line 1, column 27: Expected % or a fraction such as 1/3, not “SPY” @SPY',
    ],
    [
      'top 1 by beta(10) of [SPY]',
      'line 1, column 10: Beta compares two series: a filter cannot sort by it @beta',
    ],
    ['top 1 by RSI(10) SPY', 'line 1, column 18: Expected “of”, not “SPY” @SPY'],
    ['SPY/TLT', 'line 1, column 4: A ratio can be used in conditions only, not “/” @/'],
    [
      'group "x" [SPY] )',
      'line 1, column 17: Expected a block: a ticker, if, weight, group, top or bottom, not “)” @)',
    ],
    ['SPY ; rm', 'line 1, column 5: ";" means nothing here @;'],
    ['', 'line 1, column 1: Expected a block, but the text ends here @'],
  ])('%s', (text, sentence) => {
    expect(fault(text)).toBe(sentence);
  });

  test('nesting without bounds is a sentence', () => {
    expect(fault('group ['.repeat(5000))).toContain('nested more than 1000 levels deep');
    expect(fault(`if ${'('.repeat(5000)}`)).toContain('brackets are open');
  });

  test('completion knows functions, words and tickers', () => {
    const tickers = (start: string) =>
      ['TQQQ', 'TLT'].filter((ticker) => ticker.startsWith(start.toUpperCase()));
    expect(completionsAt('if rs', 5, tickers)).toEqual({ from: 3, to: 5, options: ['RSI('] });
    expect(completionsAt('if RSI(t', 8, tickers).options).toEqual(['TQQQ', 'TLT']);
    expect(completionsAt('SPY th', 6, tickers).options).toEqual(['then']);
    expect(completionsAt('if ', 3, tickers).options).toEqual([]);
  });

  test('reads a filter’s list without its “of”', () => {
    const filter = (text: string) => parseText(text, () => 'node_x').blocks;
    expect(filter('top 1 by RSI(10) [SPY QQQ]')).toEqual(filter('top 1 by RSI(10) of [SPY QQQ]'));
  });
});
