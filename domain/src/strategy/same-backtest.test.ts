import { expect, it } from 'vitest';
import { setAsset, setCollapsed } from './edit.ts';
import { newAlgorithm } from './node-factory.ts';
import { isSameBacktest, isSameComputation } from './same-backtest.ts';
import { nodesOf } from './tree-walk.ts';

let count = 0;
const newId = () => `node_${count++}`;

it('takes renaming and collapsing for the same backtest, another ticker not', () => {
  const empty = newAlgorithm(newId);
  const weight = empty.children[0]?.id ?? '';
  const placeholder = [...nodesOf(empty)].at(-1)?.node.id ?? '';
  const spy = setAsset(empty, placeholder, { ticker: 'SPY', name: 'SPDR' }, newId);
  expect(isSameBacktest(spy, { ...spy, name: 'Other' })).toBe(true);
  expect(isSameBacktest(spy, setCollapsed(spy, weight, true))).toBe(true);
  expect(isSameBacktest(spy, { ...spy, version: 'v2' })).toBe(true);
  expect(isSameBacktest(spy, structuredClone(spy))).toBe(true);
  expect(isSameBacktest(empty, spy)).toBe(false);
  const asset = [...nodesOf(spy)].at(-1)?.node.id ?? '';
  expect(isSameBacktest(spy, setAsset(spy, asset, { ticker: 'QQQ', name: 'SPDR' }, newId))).toBe(false);
  expect(isSameBacktest(spy, { ...spy, children: [...spy.children, ...spy.children] })).toBe(false);
});

it('tells answers apart by the blocks that they name, values not', () => {
  const one = newAlgorithm(newId);
  const [weight] = one.children;
  const other = { ...one, children: weight ? [{ ...weight, id: 'node_other' }] : [] };
  expect(isSameBacktest(one, other)).toBe(false);
  expect(isSameComputation(one, other)).toBe(true);
  expect(isSameComputation(one, { ...other, rebalance: 'monthly' })).toBe(false);
});
