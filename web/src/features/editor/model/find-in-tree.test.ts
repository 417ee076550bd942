import { setCollapsed } from '@quantloom/domain/strategy/edit';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { describe, expect, it } from 'vitest';
import { nextFound, nodesWith } from './find-in-tree.ts';
import { blockWords } from './words.ts';

const TREE = strategyOfText(
  'if RSI(TQQQ, 10) >= 79 then UVXY else [group "Calm days" [weight equally [TQQQ $A]]]',
);
const words = (text: string, tree = TREE) => {
  const nodes = new Map([...nodesOf(tree)].map(({ node }) => [node.id, node]));
  return nodesWith(tree, text).map((id) => {
    const node = nodes.get(id);
    return node ? blockWords(node) : id;
  });
};

describe('a search in the tree', () => {
  it('finds what lines say, in their order, whatever the case', () => {
    expect(words('tqqq')).toEqual(['RSI(TQQQ, 10) ≥ 79', 'TQQQ']);
    expect(words('calm')).toEqual(['“Calm days”']);
    expect(words('$a')).toEqual(['$A']);
    expect(words('  RSI(TQQQ,  10) >= 79 ')).toEqual(['RSI(TQQQ, 10) ≥ 79']);
    const below = strategyOfText('if RSI(SPY, 10) <= 30 then UVXY else BIL');
    expect(words('<= 30', below)).toEqual(['RSI(SPY, 10) ≤ 30']);
    expect(words('asset')).toEqual(['UVXY', 'TQQQ', '$A']);
    // Kinds by the beginnings of their words: every asset would be a set.
    expect(words('set')).toEqual([]);
  });

  it('finds nothing by an empty text, or by one that no line holds', () => {
    expect(words('')).toEqual([]);
    expect(words('  ')).toEqual([]);
    expect(words('GLD')).toEqual([]);
  });

  it('finds the strategy by its name, and conditions by themselves, not by the group around them', () => {
    expect(nodesWith({ ...TREE, name: 'My own' }, 'my own')).toEqual([TREE.id]);
    const grouped = strategyOfText(
      'if Current Price(SPY) > 1 and any of (RSI(QQQ, 5) > 1, RSI(TLT, 5) > 1) then BIL',
    );
    expect(words('rsi(qqq', grouped)).toEqual(['RSI(QQQ, 5) > 1']);
    expect(words('any of', grouped)).toHaveLength(1);
  });

  it('looks into what is collapsed, but not into a saved strategy', () => {
    const group = [...nodesOf(TREE)].find(({ node }) => node.node_type === 'group')?.node as BlockNode;
    expect(words('tqqq', setCollapsed(TREE, group.id, true))).toHaveLength(2);
    const saved = { ...group, source: { strategy_id: 's', revision: 1 } } as BlockNode;
    const tree = { ...TREE, children: [saved] };
    expect(words('tqqq', tree)).toEqual([]);
    expect(words('calm', tree)).toHaveLength(1);
  });

  it('goes from line to line in a ring, beginning where one is', () => {
    expect(nextFound(['a', 'b', 'c'], null, 1)).toBe('a');
    expect(nextFound(['a', 'b', 'c'], 'x', -1)).toBe('c');
    expect(nextFound(['a', 'b', 'c'], 'b', 1)).toBe('c');
    expect(nextFound(['a', 'b', 'c'], 'c', 1)).toBe('a');
    expect(nextFound(['a', 'b', 'c'], 'a', -1)).toBe('c');
    expect(nextFound([], 'a', 1)).toBeNull();
  });
});
