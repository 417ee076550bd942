import { describe, expect, it, test } from 'vitest';
import { parseText } from './parser.ts';
import { printBlocks, printStrategy } from './printer.ts';
import { TextError } from './tokens.ts';

const parse = (text: string) => {
  let count = 0;
  return parseText(text, () => {
    count += 1;
    return `n${count}`;
  });
};
/** The fault of a text, with its place. */
function fault(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TextError) return error.placed(text);
    throw error;
  }
  throw new Error('was read');
}
/** A text as it is printed again. */
const printed = (text: string) => printBlocks(parse(text).blocks).replace(/\s+/g, ' ').trim();

describe('a fault of a text is told where it shows', () => {
  test.each([
    ['strategy 5', 'line 1, column 10: Expected a text in quotation marks, not “5”'],
    [
      'rebalance hourly',
      'line 1, column 11: Expected “daily”, “weekly”, “monthly”, “quarterly”, “yearly”, “never” or ' +
        '“corridor”, not “hourly”',
    ],
    ['rebalance weekly on monday', 'line 1, column 21: Expected “first” or “last”, not “monday”'],
    ['rebalance corridor wide', 'line 1, column 20: Expected a number or a $variable, not “wide”'],
    ['rebalance daily', 'line 1, column 16: Expected a block, but the text ends here'],
    ['group A', 'line 1, column 7: Expected [, not “A”'],
    [
      'group ["x"]',
      'line 1, column 8: Expected a block: a ticker, if, weight, group, top or bottom, not "x"',
    ],
    ['group [A', 'line 1, column 7: This [ is never closed'],
    ['then', 'line 1, column 1: Expected a block: a ticker, if, weight, group, top or bottom, not “then”'],
    ['A]', 'line 1, column 2: Expected a block, not “]”'],
    [
      'RSI(A, 10)',
      'line 1, column 4: “RSI” stands where a block is expected; a function needs an if before it, not “(”',
    ],
    ['weight', 'line 1, column 7: Expected “equally” or “by”, but the text ends here'],
    ['weight by inverse strength', 'line 1, column 19: Expected “volatility”, not “strength”'],
    ['weight by inverse volatility for 20', 'line 1, column 30: Expected “over”, not “for”'],
    ['weight by percentages [A]', 'line 1, column 24: Expected a number or a $variable, not “A”'],
    ['top by RSI(10) of [A]', 'line 1, column 5: Expected a number or a $variable, not “by”'],
    ['top 1 of [A]', 'line 1, column 7: Expected “by”, not “of”'],
    ['top 1 by [A]', 'line 1, column 10: Expected a function such as RSI, not “[”'],
    [
      'top 1 by RSI(10) weighted by size of [A]',
      'line 1, column 30: Expected “rank” or “inverse”, not “size”',
    ],
    ['top 1 by RSI(10) weighted of [A]', 'line 1, column 27: Expected “by” or “equally”, not “of”'],
    ['top 1 by RSI(10) weighted by rank 5 of [A]', 'line 1, column 35: Expected [, not “5”'],
    [
      'top 1 by RSI(10) weighted by rank [5%, of [A]',
      'line 1, column 40: Expected a number or a $variable, not “of”',
    ],
    ['if', 'line 1, column 3: Expected a function such as RSI, but the text ends here'],
    ['if supertrend(A, 10) > 1 then A', 'line 1, column 4: “supertrend” is no function'],
    ['if RSI(> 1', 'line 1, column 8: Expected a ticker, not “>”'],
    ['if RSI(A 10) > 1 then A', 'line 1, column 10: Expected ,, not “10”'],
    ['if RSI(A, 10 > 1 then A', 'line 1, column 14: Expected ), not “>”'],
    ['if RSI(A, 10) above 1 then A', 'line 1, column 15: Expected one of > < >= <= =, not “above”'],
    ['if RSI(A, 10) > [', 'line 1, column 17: Expected a number or a function, not “[”'],
    ['if RSI(A, 10) > 1 for long then A', 'line 1, column 23: Expected a number or a $variable, not “long”'],
    ['if RSI(A, 10) > 1 for 3 weeks then A', 'line 1, column 25: Expected “days” or “day”, not “weeks”'],
    ['if Correlation(A, 20) > 1 then A', 'line 1, column 19: Expected a ticker, not “20”'],
    [
      'if Current Price(A, 5) > 1 then A',
      'line 1, column 19: Current Price takes no parameter, and nothing more',
    ],
    [
      'if MACD(A, 1, 2, 3) > 1 then A',
      'line 1, column 16: MACD takes fast window, slow window, and nothing more',
    ],
    ['if (RSI(A, 1) > 1 then A', 'line 1, column 19: Expected ), not “then”'],
    ['if any (RSI(A, 1) > 1) then A', 'line 1, column 4: “any” is no function'],
    ['if any of RSI(A, 1) > 1 then A', 'line 1, column 11: Expected (, not “RSI”'],
    ['if any of (RSI(A, 1) > 1 then A', 'line 1, column 26: Expected ), not “then”'],
    ['A "open', 'line 1, column 3: A text has no closing " on its line'],
    ['A "bad \\q"', 'line 1, column 3: A text holds a \\ that is no escape, or a control character'],
    ['A &', 'line 1, column 3: "&" means nothing here'],
    [`group "${'x'.repeat(40)}" A`, `line 1, column 50: Expected [, not “A”`],
    [
      `A "x" "${'y'.repeat(40)}"`,
      `line 1, column 7: Expected a block: a ticker, if, weight, group, top or bottom, not "${'y'.repeat(30)}…"`,
    ],
  ])('%s', (text, sentence) => {
    expect(fault(text)).toBe(sentence);
  });
});

describe('a text is read', () => {
  test.each([
    ['with or without commas, in capitals or not', 'GROUP [a, b c]', 'group [ A B C ]'],
    ['with remarks', 'A # a remark\nB', 'A B'],
    [
      'with signs of typography',
      'if RSI(A, 10) ≥ 5 and RSI(A, 9) ≤ 6 and RSI(A, 8) == 7 then B',
      'if RSI(A, 10) >= 5 and RSI(A, 9) <= 6 and RSI(A, 8) = 7 then [ B ]',
    ],
    [
      'with tickers in backquotes, or named like words',
      'asset all `0.5` asset TOP',
      'asset ALL `0.5` asset TOP',
    ],
    [
      'with negative numbers, right of a sign or of a bracket',
      'if CR(A, 5) > -2 and CR(A, 5) > CR(B, 5) -2 and CR(A, 6) < .5 then B',
      'if CR(A, 5) > -2 and CR(A, 5) > CR(B, 5) - 2 and CR(A, 6) < 0.5 then [ B ]',
    ],
    [
      'with names of functions in words',
      'if moving average price(A, 5) > exponential moving average price(B, 6) then C',
      'if MA Price(A, 5) > EMA Price(B, 6) then [ C ]',
    ],
    [
      'with one day',
      'if RSI(A, 10) 1 day ago > 1 for 1 day then B',
      'if RSI(A, 10) 1 days ago > 1 then [ B ]',
    ],
    [
      'with a variable for a scale',
      'if RSI(A, 10) > $S * RSI(B, 10) + $O then C',
      'if RSI(A, 10) > $S * RSI(B, 10) + $O then [ C ]',
    ],
    [
      'with what is not set',
      'if ?(A) > 1 and RSI(?, ?) ? ? and RSI(A, 1) > ?(?) then asset ?',
      'if ?(A) > 1 and RSI(?, ?) ? ? and RSI(A, 1) > ?(?) then [ asset ? ]',
    ],
    [
      'with joined conditions as they stand',
      'if (RSI(A, 1) > 1 or RSI(A, 2) > 2) and all of (RSI(A, 3) > 3) then B',
      'if (RSI(A, 1) > 1 or RSI(A, 2) > 2) and all of (RSI(A, 3) > 3) then [ B ]',
    ],
    ['without conditions', 'if ? then A else B', 'if ? then [ A ] else [ B ]'],
    [
      'with a branch of one block',
      'if RSI(A, 1) > 1 then if RSI(A, 2) > 2 then B else C',
      'if RSI(A, 1) > 1 then [ if RSI(A, 2) > 2 then [ B ] else [ C ] ]',
    ],
    [
      'with defaults of a function left out',
      'if MACD Signal(A) > MACD Signal(B, 5) then C',
      'if MACD Signal(A) > MACD Signal(B, 5) then [ C ]',
    ],
    [
      'with fractions for shares',
      'weight by percentages [1/3 A, $W% B, ?% C]',
      'weight by percentages [ 1/3 A $W% B ?% C ]',
    ],
  ])('%s', (_, text, again) => expect(printed(text)).toBe(again));

  it('with its head', () => {
    const head = (text: string) => parse(`${text} A`).head;
    expect(head('')).toBeNull();
    expect(head('strategy "S" description "D\\n\\"d\\"" rebalance weekly on first')).toEqual({
      name: 'S',
      description: 'D\n"d"',
      rebalance: 'weekly',
      rebalance_on: 'first',
    });
    expect(head('rebalance yearly on last')).toEqual({
      name: '',
      description: '',
      rebalance: 'yearly',
      rebalance_on: 'last',
    });
    expect(head('rebalance monthly')).toEqual({ name: '', description: '', rebalance: 'monthly' });
    expect(head('rebalance corridor 7.5')).toMatchObject({ rebalance: 'corridor', corridor: 7.5 });
    expect(head('rebalance corridor ?')).not.toHaveProperty('corridor');
    expect(head('description "d"')).toEqual({ name: '', description: 'd', rebalance: 'daily' });
    expect(parse('group [A, if RSI(A, 1) > 1 then B]').count).toBe(5);
  });
});

describe('a strategy is printed', () => {
  const { blocks } = parse('A');
  const root = {
    id: 'r',
    node_type: 'root',
    weight: { num: 100, den: 100 },
    is_collapsed: false,
    version: 'v1',
    children: blocks,
  } as const;
  it.each([
    [{ rebalance: 'daily' }, 'rebalance daily'],
    [{ rebalance: 'never', rebalance_on: 'first' }, 'rebalance never'],
    [{ rebalance: 'weekly', rebalance_on: 'first' }, 'rebalance weekly on first'],
    [{ rebalance: 'weekly' }, 'rebalance weekly'],
    [{ rebalance: 'corridor', corridor: ' 5 ' }, 'rebalance corridor 5'],
    [{ rebalance: 'corridor' }, 'rebalance corridor ?'],
  ] as const)('with its rule: %j', (rule, line) => {
    expect(printStrategy({ ...root, name: 'N "n"', description: '', ...rule })).toBe(
      `strategy "N \\"n\\""\n${line}\n\nA\n`,
    );
    expect(printStrategy({ ...root, name: 'N', description: 'd', ...rule })).toBe(
      `strategy "N"\ndescription "d"\n${line}\n\nA\n`,
    );
  });

  it('line by line, each level two blanks further in', () => {
    expect(printBlocks(parse('if RSI(A, 1) > 1 then [group "g" [B]] else C').blocks)).toBe(
      'if RSI(A, 1) > 1 then [\n  group "g" [\n    B\n  ]\n] else [\n  C\n]',
    );
  });
});
