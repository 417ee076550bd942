import { setAsset, setCollapsed } from '@quantloom/domain/strategy/edit';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { expect, it } from 'vitest';
import { isSameBacktest } from './same-backtest.ts';

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
