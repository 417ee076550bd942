import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { INDICATOR_NAMES, INDICATORS, indicatorKey, pairName } from './indicator.ts';
import { blockNames, keyText, tickersOfKey } from './indicator-words.ts';
import { emptyBlock, newAlgorithm, newBlock, newCondition, nodeId } from './node-factory.ts';
import type { Algorithm, BlockNode } from './tree.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string): BlockNode => ({
  id: newId(),
  node_type: 'asset',
  ticker,
  name: ticker,
  weight: { num: 100, den: 100 },
  is_collapsed: false,
});
const holding = (kind: 'group' | 'filter' | 'wt-cash-equal', children: readonly BlockNode[], name = '') =>
  ({ ...newBlock(kind, newId), ...(kind === 'group' && { name }), children }) as BlockNode;

describe('the key of an indicator in words', () => {
  test('names the function by its short label, its series and its numbers', () => {
    expect(keyText('SPY-relative-strength-index-10')).toBe('RSI(SPY, 10)');
    expect(keyText('BRK-B/SIM:X-macd-signal-12-26-9')).toBe('MACD Signal(BRK-B/SIM:X, 12, 26, 9)');
    expect(keyText('SPY-momentum-13612w')).toBe('Momentum 13612W(SPY)');
  });

  test('names both series of a pair, and no window of a price', () => {
    expect(keyText('SPY~TLT-correlation-60')).toBe('Correlation(SPY, TLT, 60)');
    expect(keyText('SPY-current-price-1')).toBe('Current Price(SPY)');
  });

  test('leaves a ticker and a ratio as they are', () => {
    expect(['UVXY', 'UVXY/SPY'].map((key) => keyText(key))).toEqual(['UVXY', 'UVXY/SPY']);
  });

  test('can be told of every function', () => {
    for (const fn of INDICATOR_NAMES) {
      const series = INDICATORS[fn].isPair ? pairName('SPY', 'TLT') : 'SPY';
      const numbers = fn === 'current-price' ? [1] : INDICATORS[fn].parameters.map((_, index) => 10 + index);
      const inside = [
        ...(INDICATORS[fn].isPair ? ['SPY', 'TLT'] : ['SPY']),
        ...(fn === 'current-price' ? [] : numbers),
      ];
      expect(keyText(indicatorKey(series, fn, ...numbers))).toBe(
        `${INDICATORS[fn].shortLabel}(${inside.join(', ')})`,
      );
    }
  });

  test('says a block by its name, never by its id', () => {
    const branch = {
      ...newBlock('if-then-else', newId),
      conditions: [
        {
          ...newCondition(newId),
          lhs_fn: 'relative-strength-index',
          lhs_fn_params: { window: 10 },
          lhs_val: 'SPY',
          rhs_fixed_val: true,
          rhs_val: 70,
        },
      ],
      then_children: [asset('SPY')],
      else_children: [asset('TLT')],
    } as BlockNode;
    const children = [
      holding('group', [asset('SPY')], 'Risk on'),
      holding('wt-cash-equal', [asset('SPY'), asset('TLT'), asset('SPY')]),
      holding('filter', [asset('A'), holding('group', [asset('B'), asset('C')])]),
      holding('group', [emptyBlock(newId)]),
      branch,
    ];
    const algorithm: Algorithm = { ...newAlgorithm(newId), children };
    const names = blockNames(algorithm);
    expect(children.map(({ id }) => keyText(`${id}-cumulative-return-60`, names))).toEqual([
      'CR(Group "Risk on", 60)',
      'CR(Equal Weight of SPY and TLT, 60)',
      'CR(Filter of A and 2 more, 60)',
      'CR(Group, 60)',
      'CR(If RSI(10) of SPY > 70, 60)',
    ]);
    expect(keyText(`${newId()}-cumulative-return-60`, names)).toBe('CR(a block, 60)');
  });
});

test('a key names its tickers: both of a pair and of a ratio, none of a block', () => {
  expect(tickersOfKey('UVXY')).toEqual(['UVXY']);
  expect(tickersOfKey('spy/TLT~GLD-beta-20')).toEqual(['SPY', 'TLT', 'GLD']);
  expect(tickersOfKey('BRK-B-current-price-1')).toEqual(['BRK-B']);
  expect(tickersOfKey(`${newId()}-cumulative-return-60`)).toEqual([]);
});

test('indicators are all in the specification', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/engine.md'), 'utf8');
  expect(INDICATOR_NAMES.filter((fn) => !text.includes(`\`${fn}\``))).toEqual([]);
});
