import { describe, expect, it, test } from 'vitest';
import {
  type ColumnFilter,
  type FilterOp,
  filterBounds,
  filterProblem,
  filterQueries,
  filterText,
  meetsFilter,
  opsOf,
  replaceOn,
  withFilter,
} from './filters.ts';

const on = (column: string, op: FilterOp, text: string): ColumnFilter => ({ column, op, text });

describe('a filter that is typed', () => {
  it.each([
    ['cumulative_return', 0.15],
    ['annualized_return', 0.15],
    ['max_drawdown', 0.15],
    ['trailing_1_month', 0.15],
    ['trailing_3_month', 0.15],
    ['out_annualized_return', 0.15],
    ['other_fill_max_drawdown', 0.15],
    ['turnover_per_year', 0.15],
    ['excess_return', 0.15],
    ['alpha', 0.15],
    ['standard_deviation', 15],
    ['sharpe_ratio', 15],
    ['calmer_ratio', 15],
    ['beta', 15],
    ['$N', 15],
  ])('of %s means %d where 15 is typed', (column, value) => {
    expect(filterQueries([on(column, 'gte', '15')])).toEqual([`${column}:gte:${value}`]);
  });

  it('takes a date as it is, and no part of one', () => {
    expect(filterQueries([on('start_date', 'lte', ' 2020-01-31 ')])).toEqual(['start_date:lte:2020-01-31']);
    expect(filterProblem(on('end_date', 'lte', ' 2020-01-31 '))).toBeNull();
    for (const text of ['2020-1-31', '2020-01-31x', 'x2020-01-31', '31.01.2020'])
      expect(filterProblem(on('end_date', 'lte', text))).toBe('A date such as 2020-01-31 is needed');
  });

  it('takes values apart by commas, semicolons, bars and lines, and leaves out what is empty', () => {
    expect(filterQueries([on('$A', 'in', 'SPY;QQQ | TLT\n,IEF,')])).toEqual(['$A:in:SPY|QQQ|TLT|IEF']);
    expect(filterQueries([on('$A', 'ne', 'SPY, QQQ')])).toEqual(['$A:ne:SPY', '$A:ne:QQQ']);
  });

  it('needs a number, but for what is missing and what a variable is', () => {
    expect(filterProblem(on('sharpe_ratio', 'isNull', ''))).toBeNull();
    expect(filterProblem(on('sharpe_ratio', 'gte', '  '))).toBe('A value is needed');
    expect(filterProblem(on('max_drawdown', 'gte', '-5.5%'))).toBeNull();
    expect(filterProblem(on('$A', 'ne', 'SPY'))).toBeNull();
    expect(filterProblem(on('$A', 'ne', 'SPY, QQQ'))).toBeNull();
    expect(filterProblem(on('$N', 'gte', 'SPY'))).toBe('A number is needed');
  });
});

test('columns are compared as what they hold', () => {
  expect(opsOf('$A', true)).toEqual(['in', 'ne']);
  expect(opsOf('$N', false)).toEqual(['gte', 'lte', 'in', 'ne']);
  expect(opsOf('sharpe_ratio', true)).toEqual(['gte', 'lte', 'isNull']);
});

describe('a filter in words', () => {
  it('names five values, and of more four and how many follow', () => {
    expect(filterText(on('$A', 'in', 'A,B,C,D,E'))).toBe('$A is one of A,B,C,D,E');
    expect(filterText(on('$A', 'in', 'A,B,C,D,E,F'))).toBe('$A is one of A, B, C, D and 2 more');
  });

  it('says percent once', () => {
    expect(filterText(on('max_drawdown', 'lte', ' 20% '))).toBe('Max Drawdown at most 20%');
    expect(filterText(on('sharpe_ratio', 'gte', '1'))).toBe('Sharpe Ratio at least 1');
    expect(filterText(on('sharpe_ratio', 'isNull', ''))).toBe('Sharpe Ratio is missing');
  });

  it('says of rows that were picked how many they are', () => {
    expect(filterText(on('combination', 'in', '7'))).toBe('chosen row');
    expect(filterText(on('combination', 'in', '7,8'))).toBe('chosen rows');
  });
});

describe('whether a value of a variable meets a filter', () => {
  it.each<readonly [FilterOp, string, string | number, boolean]>([
    ['gte', '5', 5, true],
    ['gte', '5', 4.99, false],
    ['lte', '5', 5, true],
    ['lte', '5', 5.01, false],
    ['in', 'SPY, qqq', 'QQQ', true],
    ['in', 'SPY', 'SPYG', false],
    ['in', '1, 2', 2, true],
    ['in', '1, 2', 3, false],
    ['eq', '2.0', 2, true],
    ['ne', 'SPY', 'spy', false],
    ['ne', 'SPY', 'QQQ', true],
    ['isNull', '', 5, false],
    ['gte', 'A', 5, false],
    ['gte', '1', 'SPY', false],
  ])('%s %s: %s is %s', (op, text, value, isMet) => {
    expect(meetsFilter(on('$A', op, text), value)).toBe(isMet);
  });
});

test('a picture replaces the filters of its own columns, and those of no column that begins alike', () => {
  const kept = [on('$AB', 'in', '1'), on('out_max_drawdown', 'gte', '1')];
  const by = on('$A', 'in', '2');
  expect(
    replaceOn([on('$A', 'in', '1'), ...kept, on('max_drawdown', 'lte', '9')], ['$A', 'max_drawdown'], [by]),
  ).toEqual([...kept, by]);
});

test('bounds are those of the column alone, and only both of them', () => {
  const low = on('max_drawdown', 'gte', '5%');
  const high = on('max_drawdown', 'lte', '20');
  expect(filterBounds([high, low, on('alpha', 'gte', '7')], 'max_drawdown')).toEqual([5, 20]);
  expect(filterBounds([low, on('alpha', 'lte', '7')], 'max_drawdown')).toBeNull();
  expect(filterBounds([high], 'max_drawdown')).toBeNull();
});

it('puts a filter in the place of the one with the same column and operator, beside all others', () => {
  const [low, high, other] = [on('beta', 'gte', '1'), on('beta', 'lte', '2'), on('alpha', 'gte', '3')];
  const raised = on('beta', 'gte', '1.5');
  expect(withFilter([low, high, other], raised)).toEqual([high, other, raised]);
  expect(withFilter([], low)).toEqual([low]);
  const [spy, qqq] = [on('$A', 'ne', 'SPY'), on('$A', 'ne', 'QQQ')];
  expect(withFilter([spy], qqq)).toEqual([spy, qqq]);
  expect(withFilter([spy, qqq], on('$A', 'ne', ' SPY'))).toEqual([qqq, on('$A', 'ne', ' SPY')]);
});
