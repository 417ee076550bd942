import {
  rename,
  setCollapsed,
  setConditionType,
  setWeight,
  setWeightKind,
} from '@quantloom/domain/strategy/edit';
import { assetBlock, newAlgorithm, newBlock, nodeId } from '@quantloom/domain/strategy/node-factory';
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
    expect(changed).toEqual(expect.arrayContaining([`${branch.id}-if`, `${branch.id}-conditions-add`]));
  });
  it('are none where nothing changed', () => {
    const { algorithm, group } = tree();
    expect(redrawn(algorithm, setCollapsed(algorithm, group.id, false))).toEqual([]);
  });
});
