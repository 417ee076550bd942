import { describe, expect, it } from 'vitest';
import { diffStrategies } from './diff.ts';
import { insertBlock } from './edit.ts';
import { assetBlock, newAlgorithm, nodeId } from './node-factory.ts';
import {
  blockFault,
  detachStrategy,
  isCopyOf,
  pasteFault,
  strategiesIn,
  strategyBlock,
  updateStrategyBlock,
} from './strategy-block.ts';
import { readStructure } from './structure.ts';
import type { Algorithm, GroupNode } from './tree.ts';
import { replaceValue } from './tree-values.ts';
import { nodesOf } from './tree-walk.ts';
import { validateAlgorithm } from './validation.ts';

let count = 0;
const newId = () => nodeId(`T${String(count++).padStart(25, '0')}`);
const holding = (ticker: string): Algorithm => ({
  ...newAlgorithm(newId, ticker),
  children: [assetBlock(newId, { ticker, name: ticker })],
});
const saved = (id: string, revision: number, ticker: string) => ({
  id,
  revision,
  name: `Mine ${revision}`,
  algorithm: holding(ticker),
});
const withBlock = (block: GroupNode): Algorithm => {
  const tree = { ...holding('SPY'), children: [] };
  return insertBlock(tree, { parentId: tree.id, slot: 'children', index: 0 }, block);
};
const tickers = (tree: Algorithm) =>
  [...nodesOf(tree)].flatMap(({ node }) => (node.node_type === 'asset' ? node.ticker : []));

describe('a saved strategy as a block', () => {
  it('is a group with a copy of the pinned revision, with ids of its own', () => {
    const source = saved('S1', 4, 'TLT');
    const tree = withBlock(strategyBlock(source, newId));
    expect(validateAlgorithm(tree)).toEqual([]);
    expect(tickers(tree)).toEqual(['TLT']);
    const ids = [...nodesOf(tree), ...nodesOf(source.algorithm)].map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(strategiesIn(tree)).toEqual(new Set(['S1']));
  });
  it('is stored with id and revision; anything else there is refused', () => {
    const tree = withBlock(strategyBlock(saved('S1', 4, 'TLT'), newId));
    const read = readStructure({
      ...tree,
      children: [{ ...tree.children[0], source: { strategy_id: 'S1', revision: 4, more: 1 } }],
    });
    if (read.problems) throw new Error(read.problems[0]?.message);
    expect(read.algorithm.children[0]).toMatchObject({ source: { strategy_id: 'S1', revision: 4 } });
    expect(Object.keys((read.algorithm.children[0] as GroupNode).source ?? {})).toEqual([
      'strategy_id',
      'revision',
    ]);
    for (const source of [
      'S1',
      { strategy_id: 'S1' },
      { strategy_id: '', revision: 1 },
      { strategy_id: 'S1', revision: -1 },
    ]) {
      const refused = readStructure({ ...tree, children: [{ ...tree.children[0], source }] });
      expect(refused.problems?.[0]?.code).toBe('invalid_source');
    }
  });
  it('takes a newer revision in its place, and keeps id and weight', () => {
    const block = strategyBlock(saved('S1', 4, 'TLT'), newId);
    const tree = withBlock({ ...block, weight: { num: 40, den: 100 } });
    const next = updateStrategyBlock(tree, block.id, saved('S1', 7, 'GLD'), newId);
    expect(next.children[0]).toMatchObject({
      id: block.id,
      name: 'Mine 7',
      weight: { num: 40, den: 100 },
      source: { strategy_id: 'S1', revision: 7 },
    });
    expect(tickers(next)).toEqual(['GLD']);
    expect(updateStrategyBlock(next, block.id, saved('S2', 9, 'QQQ'), newId)).toBe(next);
    // The same revision once more is no change: whatever was edited in the copy stays.
    expect(updateStrategyBlock(next, block.id, saved('S1', 7, 'QQQ'), newId)).toBe(next);
  });
  it('becomes a group of one’s own', () => {
    const block = strategyBlock(saved('S1', 4, 'TLT'), newId);
    const tree = detachStrategy(withBlock(block), block.id);
    expect(tree.children[0]).not.toHaveProperty('source');
    expect(tickers(tree)).toEqual(['TLT']);
  });
  it('cannot hold itself, directly or through another', () => {
    const inner = saved('S1', 1, 'TLT');
    expect(blockFault(inner, 'S1')).toBe('A strategy cannot hold itself');
    const outer = { ...saved('S2', 1, 'SPY'), algorithm: withBlock(strategyBlock(inner, newId)) };
    expect(blockFault(outer, 'S1')).toContain('holds this strategy already');
    expect(blockFault(outer, 'S3')).toBeNull();
  });
  it('cannot be pasted into the strategy that it is of, at any depth', () => {
    const block = strategyBlock(saved('S1', 1, 'TLT'), newId);
    const outer = { ...saved('S2', 1, 'SPY'), algorithm: withBlock(block) };
    const copied = strategyBlock(outer, newId);
    expect(pasteFault(block, 'S1')).toBe('A strategy cannot hold itself');
    expect(pasteFault(copied, 'S1')).toBe('A strategy cannot hold itself');
    expect(pasteFault(copied, 'S3')).toBeNull();
  });
  it('is a copy of its source until the tree of that is another one', () => {
    const source = saved('S1', 4, 'TLT');
    const block = strategyBlock(source, newId);
    expect(isCopyOf(block, source)).toBe(true);
    const folded = {
      ...source.algorithm,
      children: source.algorithm.children.map((one) => ({ ...one, is_collapsed: true })),
    };
    expect(isCopyOf(block, { algorithm: folded })).toBe(true);
    expect(isCopyOf(block, saved('S1', 9, 'GLD'))).toBe(false);
  });
  it('is one line of a history when it takes another revision, and its inside where it is edited', () => {
    const block = { ...strategyBlock(saved('S1', 3, 'TLT'), newId), name: 'Core' };
    const before = withBlock(block);
    const taken = updateStrategyBlock(before, block.id, { ...saved('S1', 4, 'GLD'), name: 'Core' }, newId);
    expect(diffStrategies(before, taken).map(({ text }) => text)).toEqual([
      'Revision 3 → 4 of Group "Core" in the strategy',
    ]);
    const edited = replaceValue(before, { kinds: ['held'], fn: null, from: 'TLT', to: 'IEF' });
    expect(diffStrategies(before, edited).map(({ text }) => text)).toEqual([
      'Ticker TLT → IEF in Group "Core"',
    ]);
    const detached = detachStrategy(before, block.id);
    expect(diffStrategies(before, detached).map(({ text }) => text)).toEqual([
      'Strategy revision 3 → none in Group "Core" in the strategy',
    ]);
  });
});
