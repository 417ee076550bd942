import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNode } from './edit.ts';
import { asOneBlock, blocksBetween, moveBlocks, removeBlocks, wrapBlocks } from './edit-several.ts';
import { assetBlock, newAlgorithm, newBlock, newCondition, nodeId, percent } from './node-factory.ts';
import type { Algorithm, BlockNode } from './tree.ts';
import { nodesOf } from './tree-walk.ts';
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

/** weight(A if(when COND: then X Y else Z -) B) below the root; the if and its placeholder are I and EMPTY. */
function branching(): Algorithm {
  const start = newAlgorithm(newId);
  const branch = {
    ...newBlock('if-then-else', newId),
    id: 'I',
    conditions: [
      { ...newCondition(newId), id: 'COND' },
      { ...newCondition(newId), id: 'COND2' },
    ],
    then_children: [asset('X'), asset('Y')],
    else_children: [asset('Z'), { ...newBlock('group', newId), id: 'H', children: [EMPTY] }, asset('Q')],
  };
  const weight = { ...start.children[0], id: 'W', children: [asset('A'), branch, asset('B')] };
  return { ...start, children: [weight as unknown as BlockNode] };
}
const EMPTY = { id: 'EMPTY', node_type: 'empty', weight: percent(100), is_collapsed: false } as BlockNode;
const ROOTED = strategy();
const assetsOf = (algorithm: Algorithm) =>
  [...nodesOf(algorithm)].flatMap(({ node }) => (node.node_type === 'asset' ? [node.id] : []));

describe('blocks from one to another', () => {
  it('are one where both are the same, or the one holds the other', () => {
    expect(ids(blocksBetween(strategy(), 'B', 'B'))).toEqual(['B']);
    expect(ids(blocksBetween(strategy(), 'D', 'G'))).toEqual(['G']);
    expect(ids(blocksBetween(branching(), 'I', 'X'))).toEqual(['I']);
  });
  it('of two lanes of an if are the if, whose conditions are none', () => {
    expect(ids(blocksBetween(branching(), 'X', 'Y'))).toEqual(['X', 'Y']);
    expect(ids(blocksBetween(branching(), 'X', 'Z'))).toEqual(['I']);
    expect(ids(blocksBetween(branching(), 'COND', 'COND2'))).toEqual(['I']);
    expect(ids(blocksBetween(branching(), 'B', 'COND'))).toEqual(['I', 'B']);
    expect(ids(blocksBetween(branching(), 'A', 'Y'))).toEqual(['A', 'I']);
  });
  it('are no empty places, and none where one of the two is not there', () => {
    expect(blocksBetween(branching(), 'EMPTY', 'EMPTY')).toEqual([]);
    expect(ids(blocksBetween(branching(), 'Z', 'EMPTY'))).toEqual(['Z', 'H']);
    expect(blocksBetween(strategy(), 'A', 'nobody')).toEqual([]);
    expect(blocksBetween(strategy(), 'nobody', 'A')).toEqual([]);
  });
});

describe('wrapping several', () => {
  const weighted = (...nums: (number | string)[]): Algorithm => {
    const start = strategy();
    const [weight] = start.children as unknown as [{ children: BlockNode[] }];
    const children = weight.children.map((child, i) => ({ ...child, weight: percent(nums[i] ?? 0) }));
    return { ...start, children: [{ ...weight, children } as unknown as BlockNode] };
  };
  const wrapperOf = (algorithm: Algorithm, kind: Parameters<typeof wrapBlocks>[2]) =>
    findNode(wrapBlocks(algorithm, ['B', 'C'], kind, newId), 'B')?.parent;

  it.each(['group', 'wt-cash-equal', 'wt-cash-specified', 'wt-inverse-volatility', 'filter'] as const)(
    'makes them the blocks of a %s, and takes over their weights together',
    (kind) => {
      const algorithm = weighted(10, 20, 30, 40);
      const wrapper = wrapperOf(algorithm, kind);
      expect(wrapper).toMatchObject({ node_type: kind, weight: percent(50) });
      // What they are is left as it was.
      expect((wrapper as unknown as { children: unknown }).children).toEqual([
        findNode(algorithm, 'B')?.node,
        findNode(algorithm, 'C')?.node,
      ]);
    },
  );
  it('takes over no more than all, and all where a weight is still to be filled in', () => {
    expect(wrapperOf(weighted(0, 70, 80), 'group')?.weight).toEqual(percent(100));
    expect(wrapperOf(weighted(0, 20, '$W'), 'group')?.weight).toEqual(percent(100));
    expect(wrapperOf(weighted(0, '5', '7'), 'group')?.weight).toEqual(percent(12));
  });
  it('leaves what is around them alone, and works in each lane of an if', () => {
    expect(inWeight(wrapBlocks(branching(), ['X', 'Y'], 'group', newId))).toEqual([
      'A',
      [[['X', 'Y']], ['Z', ['-'], 'Q']],
      'B',
    ]);
    expect(inWeight(wrapBlocks(branching(), ['H', 'Q'], 'group', newId))).toEqual([
      'A',
      [
        ['X', 'Y'],
        ['Z', [['-'], 'Q']],
      ],
      'B',
    ]);
    expect(inWeight(wrapBlocks(strategy(), ['A', 'B', 'C', 'G'], 'group', newId))).toEqual([
      ['A', 'B', 'C', ['D', 'E']],
    ]);
    expect(inWeight(wrapBlocks(strategy(), ['C'], 'group', newId))).toEqual(['A', 'B', ['C'], ['D', 'E']]);
  });
  it.each<[string, Algorithm, readonly string[]]>([
    ['none', strategy(), []],
    ['one that is not there', strategy(), ['nobody']],
    ['one that is there and one that is not', strategy(), ['A', 'nobody']],
    ['the root', ROOTED, [ROOTED.id]],
    ['some in the wrong order', strategy(), ['B', 'A']],
    ['one twice', strategy(), ['A', 'A']],
    ['two of different lists that would follow each other', strategy(), ['A', 'E']],
    ['two of different lanes that would follow each other', branching(), ['X', 'H']],
    ['conditions', branching(), ['COND', 'COND2']],
  ])('and moving leave the tree as it is for %s', (_, algorithm, chosen) => {
    expect(wrapBlocks(algorithm, chosen, 'group', newId)).toBe(algorithm);
    expect(moveBlocks(algorithm, chosen, 'up', newId)).toBe(algorithm);
    expect(moveBlocks(algorithm, chosen, 'down', newId)).toBe(algorithm);
  });
});

describe('moving several', () => {
  it('goes out of a list, which keeps a place where it is left empty', () => {
    expect(inWeight(moveBlocks(strategy(), ['D', 'E'], 'up', newId))).toEqual([
      'A',
      'B',
      'C',
      'D',
      'E',
      ['-'],
    ]);
    expect(shape(moveBlocks(strategy(), ['A', 'B'], 'up', newId))).toEqual(['A', 'B', ['C', ['D', 'E']]]);
    expect(inWeight(moveBlocks(branching(), ['X', 'Y'], 'down', newId))).toEqual([
      'A',
      [['-'], ['X', 'Y', 'Z', ['-'], 'Q']],
      'B',
    ]);
  });
  it('ends at the end of the tree', () => {
    const out = moveBlocks(strategy(), ['A', 'B'], 'up', newId);
    expect(moveBlocks(out, ['A', 'B'], 'up', newId)).toBe(out);
    const single = moveBlocks(strategy(), ['W'], 'down', newId);
    expect(shape(single)).toEqual([['A', 'B', 'C', ['D', 'E']]]);
  });
  it('keeps every block, their order and that they are neighbours, step by step', () => {
    const runs = [
      [strategy, ['A', 'B']],
      [strategy, ['B', 'C']],
      [strategy, ['A', 'B', 'C']],
      [strategy, ['C', 'G']],
      [strategy, ['D', 'E']],
      [branching, ['X', 'Y']],
      [branching, ['Z', 'H', 'Q']],
      [branching, ['I', 'B']],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...runs),
        fc.array(fc.constantFrom('up' as const, 'down' as const), { maxLength: 12 }),
        ([start, chosen], steps) => {
          let tree = start();
          const before = assetsOf(tree).sort();
          for (const step of steps) {
            const moved = moveBlocks(tree, chosen, step, newId);
            expect(assetsOf(moved).sort()).toEqual(before);
            expect(ids(blocksBetween(moved, chosen[0], chosen.at(-1) ?? ''))).toEqual(chosen);
            tree = moved;
          }
        },
      ),
    );
  });
});

describe('one block of several', () => {
  it('is the block itself where there is one, and a group that says how many they are', () => {
    const one = asset('A');
    expect(asOneBlock([one], newId)).toBe(one);
    const blocks = [asset('A'), asset('B'), asset('C')];
    expect(asOneBlock(blocks, newId)).toMatchObject({
      node_type: 'group',
      name: '3 blocks',
      children: blocks,
    });
  });
  it('is not taken out where it is not there', () => {
    const algorithm = strategy();
    expect(removeBlocks(algorithm, ['nobody'], newId)).toBe(algorithm);
    expect(removeBlocks(algorithm, [], newId)).toBe(algorithm);
    expect(shape(removeBlocks(algorithm, ['A', 'G', 'C'], newId))).toEqual([['B']]);
  });
});
