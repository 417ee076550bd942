import { describe, expect, it } from 'vitest';
import { asOneBlock, blocksBetween, moveBlocks, removeBlocks, wrapBlocks } from './edit-several.ts';
import { assetBlock, newAlgorithm, newBlock, nodeId } from './node-factory.ts';
import type { Algorithm, BlockNode } from './tree.ts';
import { validateAlgorithm } from './validation.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) =>
  ({ ...assetBlock(newId, { ticker, name: ticker }), id: ticker }) as BlockNode;

/** weight(A B C group(D E)) below the root; assets and the group have their names as ids. */
function strategy(): Algorithm {
  const start = newAlgorithm(newId);
  const group = { ...newBlock('group', newId), id: 'G', children: [asset('D'), asset('E')] } as BlockNode;
  const weight = { ...start.children[0], id: 'W', children: [asset('A'), asset('B'), asset('C'), group] };
  return { ...start, children: [weight as unknown as BlockNode] };
}
// biome-ignore lint/suspicious/noExplicitAny: a tree to be looked at
const shape = (node: any): unknown => {
  if (node.node_type === 'asset') return node.ticker;
  const lists = ['children', 'then_children', 'else_children'].flatMap((slot) =>
    node[slot] ? [node[slot].map(shape)] : [],
  );
  return node.node_type === 'empty' ? '-' : lists.length === 1 ? lists[0] : lists;
};
const inWeight = (algorithm: Algorithm) => shape(algorithm.children[0]);
const ids = (blocks: readonly BlockNode[]) => blocks.map(({ id }) => id);

describe('several blocks', () => {
  it('are those between two of a list, whichever is first, and through what holds them', () => {
    expect(ids(blocksBetween(strategy(), 'A', 'C'))).toEqual(['A', 'B', 'C']);
    expect(ids(blocksBetween(strategy(), 'C', 'B'))).toEqual(['B', 'C']);
    expect(ids(blocksBetween(strategy(), 'B', 'E'))).toEqual(['B', 'C', 'G']);
    expect(ids(blocksBetween(strategy(), 'D', 'E'))).toEqual(['D', 'E']);
    expect(ids(blocksBetween(strategy(), 'G', 'D'))).toEqual(['G']);
    expect(blocksBetween(strategy(), strategy().id, 'A')).toEqual([]);
  });
  it('are wrapped in one block, in their order, where the first stood', () => {
    expect(inWeight(wrapBlocks(strategy(), ['B', 'C'], 'group', newId))).toEqual([
      'A',
      ['B', 'C'],
      ['D', 'E'],
    ]);
    const branch = wrapBlocks(strategy(), ['A', 'B'], 'if-then-else', newId);
    expect(inWeight(branch)).toEqual([[['A', 'B'], ['-']], 'C', ['D', 'E']]);
    // All that is wrong with it is the condition that is still to be set.
    expect(validateAlgorithm(branch).map(({ message }) => message)).toEqual([
      expect.stringMatching(/no conditions/),
    ]);
  });
  it('that are no neighbours of one list are left as they are', () => {
    const algorithm = strategy();
    expect(wrapBlocks(algorithm, ['A', 'C'], 'group', newId)).toBe(algorithm);
    expect(wrapBlocks(algorithm, ['C', 'D'], 'group', newId)).toBe(algorithm);
    expect(moveBlocks(algorithm, ['A', 'C'], 'down', newId)).toBe(algorithm);
  });
  it('move together and keep their order, into what is open, too', () => {
    expect(inWeight(moveBlocks(strategy(), ['B', 'C'], 'up', newId))).toEqual(['B', 'C', 'A', ['D', 'E']]);
    expect(inWeight(moveBlocks(strategy(), ['A', 'B'], 'down', newId))).toEqual(['C', 'A', 'B', ['D', 'E']]);
    expect(inWeight(moveBlocks(strategy(), ['B', 'C'], 'down', newId))).toEqual(['A', ['B', 'C', 'D', 'E']]);
  });
  it('are taken out, and copied as a group', () => {
    expect(inWeight(removeBlocks(strategy(), ['A', 'B'], newId))).toEqual(['C', ['D', 'E']]);
    expect(shape(removeBlocks(strategy(), ['D', 'E'], newId).children[0])).toEqual(['A', 'B', 'C', ['-']]);
    expect(shape(asOneBlock([asset('A'), asset('B')], newId))).toEqual(['A', 'B']);
    expect(asOneBlock([], newId)).toBeNull();
  });
});
