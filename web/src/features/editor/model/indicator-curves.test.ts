import { INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import { expect, it } from 'vitest';
import { lastYearOf, strategyOfAll } from './indicator-curves.ts';

const functionsOf = (series: string, second: string | null) =>
  [...nodesOf(strategyOfAll(series, second))].flatMap(({ node }) =>
    node.node_type === 'condition' && node.lhs_fn ? [node.lhs_fn] : [],
  );

it('asks every function once, with numbers that the engine takes', () => {
  expect(functionsOf('QQQ', 'SPY')).toEqual(INDICATOR_NAMES);
  expect(functionsOf('QQQ', null)).toHaveLength(INDICATOR_NAMES.length - 2);
  for (const tree of [strategyOfAll('QQQ', 'SPY'), strategyOfAll('XLY/XLP', null)])
    expect(validateAlgorithm(tree, { requireBound: true })).toEqual([]);
});

it('compares a series with the other one, not with itself', () => {
  const seconds = [...nodesOf(strategyOfAll('QQQ', 'SPY'))].flatMap(({ node }) =>
    node.node_type === 'condition' && node.lhs_fn && INDICATORS[node.lhs_fn].isPair
      ? [node.lhs_fn_params?.with]
      : [],
  );
  expect(seconds).toEqual(['SPY', 'SPY']);
});

it('takes the last year of the prices, also on a leap day', () => {
  const tickers = [{ ticker: 'QQQ', last_day: '2024-02-29' }];
  expect(lastYearOf(tickers, 'QQQ/SPY')).toEqual({ start: '2023-02-28', end: '2024-02-29' });
  expect(lastYearOf(tickers, 'SPY')).toBeNull();
});
