import { describe, expect, it } from 'vitest';
import { findNode, insertBlock, moveBlock, setCollapsed } from './edit.ts';
import { nextPlace } from './move.ts';
import { assetBlock, newAlgorithm, newBlock, nodeId } from './node-factory.ts';
import type { Algorithm, BlockNode, TreeNode } from './tree.ts';
import { SLOTS, slotOf } from './tree-walk.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });

/** The tree in words: `weight(SPY if(TLT | empty))`. */
function words(node: TreeNode): string {
  if (node.node_type === 'asset') return node.ticker;
  const lists = SLOTS.filter((slot) => slot !== 'conditions' && slot in node).map((slot) =>
    slotOf(node, slot).map(words).join(' '),
  );
  const name = node.node_type.replace('wt-cash-equal', 'weight').replace('if-then-else', 'if');
  return lists.length === 0 ? name : `${name}(${lists.join(' | ')})`;
}

/** weight(SPY if(TLT | empty) QQQ) below the root. */
function tree(): { start: Algorithm; spy: BlockNode; branch: BlockNode } {
  const start = newAlgorithm(newId);
  const weight = start.children[0] as BlockNode;
  const spy = asset('SPY');
  const branch = newBlock('if-then-else', newId);
  let algorithm: Algorithm = start;
  for (const [index, block] of [spy, branch, asset('QQQ')].entries())
    algorithm = insertBlock(algorithm, { parentId: weight.id, slot: 'children', index }, block);
  algorithm = insertBlock(algorithm, { parentId: branch.id, slot: 'then_children', index: 0 }, asset('TLT'));
  return { start: algorithm, spy, branch };
}

function step(algorithm: Algorithm, id: string, direction: 'up' | 'down'): Algorithm {
  const place = nextPlace(algorithm, id, direction);
  return place ? moveBlock(algorithm, id, place, newId) : algorithm;
}

describe('moving a block step by step', () => {
  it('goes through every place of the tree in reading order, and back', () => {
    const { start, spy } = tree();
    const down = [start];
    for (;;) {
      const before = down.at(-1) as Algorithm;
      const after = step(before, spy.id, 'down');
      if (after === before) break;
      down.push(after);
    }
    expect(down.map(words)).toEqual([
      'root(weight(SPY if(TLT | empty) QQQ))',
      'root(weight(if(SPY TLT | empty) QQQ))',
      'root(weight(if(TLT SPY | empty) QQQ))',
      'root(weight(if(TLT | SPY) QQQ))',
      'root(weight(if(TLT | empty) SPY QQQ))',
      'root(weight(if(TLT | empty) QQQ SPY))',
      'root(weight(if(TLT | empty) QQQ) SPY)',
    ]);
    let at = down.at(-1) as Algorithm;
    for (const earlier of down.slice(0, -1).reverse()) {
      at = step(at, spy.id, 'up');
      expect(words(at)).toBe(words(earlier));
    }
  });
  it('passes what is collapsed, a lane too, and never enters itself', () => {
    const { start, spy, branch } = tree();
    const isClosed = setCollapsed(start, branch.id, true);
    expect(words(step(isClosed, spy.id, 'down'))).toBe('root(weight(if(TLT | empty) SPY QQQ))');
    const hasClosedThen = setCollapsed(start, branch.id, true, 'is_then_collapsed');
    expect(words(step(hasClosedThen, spy.id, 'down'))).toBe('root(weight(if(TLT | SPY) QQQ))');
    expect(words(step(start, branch.id, 'down'))).toBe('root(weight(SPY QQQ if(TLT | empty)))');
    expect(words(step(start, branch.id, 'up'))).toBe('root(weight(if(TLT | empty) SPY QQQ))');
  });
  it('keeps the block and its id; the root and what is not there have no place', () => {
    const { start, spy } = tree();
    expect(findNode(step(start, spy.id, 'down'), spy.id)?.node).toBe(spy);
    expect(nextPlace(start, start.id, 'down')).toBeNull();
    expect(nextPlace(start, 'nobody', 'up')).toBeNull();
  });
});
