import {
  rename,
  setCollapsed,
  setConditionType,
  setWeight,
  setWeightKind,
} from '@quantloom/domain/strategy/edit';
import {
  assetBlock,
  newAlgorithm,
  newBlock,
  newCondition,
  newConditionGroup,
  nodeId,
} from '@quantloom/domain/strategy/node-factory';
import { strategyBlock } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { isSameRow, visibleRows } from './rows.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);

/** weight(SPY TLT group(QQQ) if(empty | empty)) below the root. */
function tree() {
  const start = newAlgorithm(newId);
  const [spy, tlt, qqq] = ['SPY', 'TLT', 'QQQ'].map((ticker) => assetBlock(newId, { ticker, name: ticker }));
  const group = { ...newBlock('group', newId), children: [qqq] } as BlockNode;
  const branch = newBlock('if-then-else', newId);
  const weight = { ...start.children[0], children: [spy, tlt, group, branch] } as unknown as BlockNode;
  const algorithm: Algorithm = { ...start, children: [weight] };
  return { algorithm, weight, group, branch, spy: spy as BlockNode };
}

/** Ids and parts of the lines that an edit makes draw again; lines that come or go are not among them. */
function redrawn(before: Algorithm, after: Algorithm): string[] {
  const old = new Map(visibleRows(before).map((row) => [row.key, row]));
  return visibleRows(after)
    .filter((row) => {
      const was = old.get(row.key);
      return was !== undefined && !isSameRow(was, row);
    })
    .map(({ key }) => key);
}

describe('lines that an edit draws again', () => {
  it('are the changed block and those around it, not their other children', () => {
    const { algorithm, weight, group } = tree();
    expect(redrawn(algorithm, rename(algorithm, group.id, 'Risk on'))).toEqual([
      algorithm.id,
      weight.id,
      group.id,
    ]);
  });
  it('are all children of specified weights, which show their sum', () => {
    const { algorithm, weight, group, branch, spy } = tree();
    const specified = setWeightKind(algorithm, weight.id, 'wt-cash-specified');
    expect(redrawn(specified, setWeight(specified, spy.id, 40))).toEqual(
      expect.arrayContaining([spy.id, group.id, branch.id, weight.id]),
    );
    // And all that show their share by the kind of their parent.
    expect(redrawn(algorithm, specified)).toEqual(expect.arrayContaining([spy.id, group.id, branch.id]));
  });
  it('are those of an if whose conditions are joined in another way', () => {
    const { algorithm, branch } = tree();
    const changed = redrawn(algorithm, setConditionType(algorithm, branch.id, 'anyOf'));
    expect(changed).toEqual(expect.arrayContaining([branch.id, `${branch.id}-conditions-add`]));
  });
  it('are none where nothing changed', () => {
    const { algorithm, group } = tree();
    expect(redrawn(algorithm, setCollapsed(algorithm, group.id, false))).toEqual([]);
  });
});

describe('lines of conditions', () => {
  it('show a group on its own line with its conditions one step further in, and an offer at each end', () => {
    const branch = newBlock('if-then-else', newId);
    if (branch.node_type !== 'if-then-else') throw new Error('Not an if');
    const inner = newConditionGroup(newId, 'anyOf', [newCondition(newId), newCondition(newId)]);
    const start = newAlgorithm(newId);
    const tree: Algorithm = { ...start, children: [{ ...branch, conditions: [newCondition(newId), inner] }] };
    const shape = visibleRows(tree)
      .filter((row) => row.kind.startsWith('condition') || (row.kind === 'add' && row.slot === 'conditions'))
      .map((row) => `${row.kind} ${row.depth}${row.kind === 'add' ? ` in ${row.groups}` : ''}`);
    expect(shape).toEqual([
      'condition 2',
      'condition-group 2',
      'condition 3',
      'condition 3',
      'add 3 in 1',
      'add 2 in 0',
    ]);
    for (const row of visibleRows(tree)) if (row.kind === 'condition') expect(row.ownerId).toBe(branch.id);
    const folded = setCollapsed(tree, inner.id, true);
    expect(visibleRows(folded).filter(({ kind }) => kind === 'condition')).toHaveLength(1);
  });
  it('show a saved strategy on one line, whatever is in it', () => {
    const { algorithm } = tree();
    const block = strategyBlock({ id: 'S', revision: 1, name: 'Mine', algorithm }, newId);
    const outer: Algorithm = { ...newAlgorithm(newId), children: [{ ...block, is_collapsed: false }] };
    expect(visibleRows(outer).map(({ kind }) => kind)).toEqual(['block', 'block']);
  });
});
