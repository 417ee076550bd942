import { describe, expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { printBlocks } from '../exchange/text/printer.ts';
import {
  assignRemainder,
  duplicateBlock,
  expandTo,
  findNode,
  insertBlock,
  isLoneEmpty,
  moveBlock,
  pasteInto,
  removeNode,
  rename,
  replaceEmpty,
  saveCondition,
  setAsset,
  setCollapsed,
  setConditionType,
  setFilter,
  setInverseVolatilityWindow,
  setRebalancing,
  setWeight,
  setWeightKind,
  weightSum,
  wrapBlock,
} from './edit.ts';
import { newBlock, newCondition } from './node-factory.ts';
import type { Algorithm, BlockNode } from './tree.ts';
import { nodesOf } from './tree-walk.ts';
import { endGesture, recordChange, redo, redoLabel, startHistory, undo, undoLabel } from './undo-history.ts';

let made = 0;
const newId = () => {
  made += 1;
  return `new${made}`;
};
const words = (tree: Algorithm) => printBlocks(tree.children).replace(/\s+/g, ' ').trim();
/** A tree, with the ids of its blocks by their tickers or kinds. */
function given(text: string) {
  const tree = strategyOfText(text);
  const id = (wanted: string) => {
    for (const { node } of nodesOf(tree))
      if (
        wanted === node.node_type ||
        ('ticker' in node && node.ticker === wanted) ||
        ('name' in node && node.name === wanted)
      )
        return node.id;
    throw new Error(`There is no ${wanted}`);
  };
  return { tree, id };
}
const MIXED = 'weight equally [A, group "g" [B, C], if RSI(X, 10) > 1 then [D] else [E, F]]';

describe('a block', () => {
  it('is put into a list, within its ends, and takes the place of its only placeholder', () => {
    const { tree, id } = given('weight equally [A, B]');
    const [block] = strategyOfText('N').children as [BlockNode];
    const at = (index: number, slot: 'children' | 'then_children' = 'children') =>
      words(insertBlock(tree, { parentId: id('wt-cash-equal'), slot, index }, block));
    expect([at(0), at(1), at(9), at(-3)]).toEqual([
      'weight equally [ N A B ]',
      'weight equally [ A N B ]',
      'weight equally [ A B N ]',
      'weight equally [ N A B ]',
    ]);
    expect(at(0, 'then_children')).toBe('weight equally [ A B ]');
    const empty = given('weight equally [cash]');
    expect(
      words(
        insertBlock(empty.tree, { parentId: empty.id('wt-cash-equal'), slot: 'children', index: 1 }, block),
      ),
    ).toBe('weight equally [ N ]');
    const two = given('weight equally [cash, cash]');
    expect(
      words(insertBlock(two.tree, { parentId: two.id('wt-cash-equal'), slot: 'children', index: 1 }, block)),
    ).toBe('weight equally [ cash N cash ]');
    expect([
      isLoneEmpty([]),
      isLoneEmpty(tree.children),
      isLoneEmpty(strategyOfText('cash').children),
    ]).toEqual([false, false, true]);
  });

  it('takes the place of an empty one with its weight, and of nothing else', () => {
    const { tree, id } = given('weight by percentages [40% cash, 60% A]');
    expect(words(replaceEmpty(tree, id('empty'), 'group', newId))).toBe(
      'weight by percentages [ 40% group [ cash ] 60% A ]',
    );
    expect(replaceEmpty(tree, id('A'), 'group', newId)).toBe(tree);
    const [copied] = strategyOfText('group "x" [N]').children as [BlockNode];
    const pasted = pasteInto(tree, id('empty'), copied, newId);
    expect(words(pasted)).toBe('weight by percentages [ 40% group "x" [ N ] 60% A ]');
    expect(findNode(pasted, copied.id)?.node.node_type).not.toBe('group');
    expect(pasteInto(tree, id('A'), copied, newId)).toBe(tree);
  });

  it('becomes the asset that was picked', () => {
    const { tree, id } = given('weight by percentages [40% cash, 60% A "old"]');
    const asset = { ticker: 'SPY', name: 'Fund' };
    expect(words(setAsset(tree, id('A'), asset, newId))).toBe(
      'weight by percentages [ 40% cash 60% SPY "Fund" ]',
    );
    expect(words(setAsset(tree, id('empty'), asset, newId))).toBe(
      'weight by percentages [ 0% SPY "Fund" 60% A "old" ]',
    );
    expect(setAsset(tree, id('wt-cash-specified'), asset, newId)).toBe(tree);
    expect(setAsset(tree, 'none', asset, newId)).toBe(tree);
  });

  it('goes, and leaves a placeholder where it was the last one', () => {
    const { tree, id } = given(MIXED);
    expect(words(removeNode(tree, id('A'), newId))).toBe(
      'weight equally [ group "g" [ B C ] if RSI(X, 10) > 1 then [ D ] else [ E F ] ]',
    );
    expect(words(removeNode(tree, id('D'), newId))).toContain('then [ cash ] else [ E F ]');
    expect(words(removeNode(tree, id('wt-cash-equal'), newId))).toBe('cash');
    expect(words(removeNode(tree, id('condition'), newId))).toContain('if ? then');
    for (const none of [tree.id, 'none']) expect(removeNode(tree, none, newId)).toBe(tree);
    const bare = given('cash');
    expect(removeNode(bare.tree, bare.id('empty'), newId)).toBe(bare.tree);
    const two = given('weight equally [cash, A]');
    expect(words(removeNode(two.tree, two.id('empty'), newId))).toBe('weight equally [ A ]');
  });

  it('is doubled right behind itself with ids of its own', () => {
    const { tree, id } = given(MIXED);
    const doubled = duplicateBlock(tree, id('g'), newId);
    expect(words(doubled)).toContain('A group "g" [ B C ] group "g" [ B C ] if');
    const ids = [...nodesOf(doubled)].map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const other of [tree.id, id('condition')]) expect(duplicateBlock(tree, other, newId)).toBe(tree);
    const bare = given('weight equally [cash]');
    expect(duplicateBlock(bare.tree, bare.id('empty'), newId)).toBe(bare.tree);
    const joined = given('if RSI(A, 1) > 1 and any of (RSI(B, 1) > 1) then A');
    expect(duplicateBlock(joined.tree, joined.id('condition-group'), newId)).toBe(joined.tree);
  });

  it('moves to a gap, which is counted before it leaves', () => {
    const { tree, id } = given('weight equally [A, B, C, group "g" [D]]');
    const to = (what: string, index: number, parent = 'wt-cash-equal') =>
      words(moveBlock(tree, id(what), { parentId: id(parent), slot: 'children', index }, newId));
    expect(to('A', 3)).toBe('weight equally [ B C A group "g" [ D ] ]');
    expect(to('C', 0)).toBe('weight equally [ C A B group "g" [ D ] ]');
    expect(to('A', 4)).toBe('weight equally [ B C group "g" [ D ] A ]');
    expect(to('B', 1, 'g')).toBe('weight equally [ A C group "g" [ D B ] ]');
    expect(to('D', 0)).toBe('weight equally [ D A B C group "g" [ cash ] ]');
    for (const index of [1, 2])
      expect(
        moveBlock(tree, id('B'), { parentId: id('wt-cash-equal'), slot: 'children', index }, newId),
      ).toBe(tree);
  });

  it('does not move where it cannot be', () => {
    const { tree, id } = given(MIXED);
    const moved = (what: string, parentId: string, slot: 'children' | 'then_children' = 'children') =>
      moveBlock(tree, what, { parentId, slot, index: 0 }, newId);
    expect(moved(id('g'), id('g'))).toBe(tree);
    expect(moved(id('wt-cash-equal'), id('g'))).toBe(tree);
    expect(moved(id('A'), 'none')).toBe(tree);
    expect(moved(id('A'), id('g'), 'then_children')).toBe(tree);
    expect(moved(tree.id, id('g'))).toBe(tree);
    expect(moved('none', id('g'))).toBe(tree);
    expect(moved(id('condition'), id('g'))).toBe(tree);
    const bare = given('weight equally [cash, group "g" [A]]');
    expect(
      moveBlock(bare.tree, bare.id('empty'), { parentId: bare.id('g'), slot: 'children', index: 0 }, newId),
    ).toBe(bare.tree);
    // From one branch of an if into the other.
    expect(
      words(
        moveBlock(tree, id('E'), { parentId: id('if-then-else'), slot: 'then_children', index: 0 }, newId),
      ),
    ).toContain('then [ E D ] else [ F ]');
  });

  it('is wrapped in another one that has its weight', () => {
    const { tree, id } = given('weight by percentages [40% A, 60% cash]');
    expect(words(wrapBlock(tree, id('A'), 'group', newId))).toBe(
      'weight by percentages [ 40% group [ A ] 60% cash ]',
    );
    expect(words(wrapBlock(tree, id('A'), 'wt-cash-specified', newId))).toContain(
      '40% weight by percentages [ 100% A ]',
    );
    expect(wrapBlock(tree, id('empty'), 'group', newId)).toBe(tree);
    expect(wrapBlock(tree, tree.id, 'group', newId)).toBe(tree);
    const branch = given(MIXED);
    expect(wrapBlock(branch.tree, branch.id('condition'), 'group', newId)).toBe(branch.tree);
  });
});

describe('weights', () => {
  it('are set in percent', () => {
    const { tree, id } = given('weight by percentages [40% A, 1/3 B]');
    const set = (what: string, num: number | string) => words(setWeight(tree, id(what), num));
    expect([set('A', 0), set('A', 100), set('A', '$W'), set('B', 50)]).toEqual([
      'weight by percentages [ 0% A 1/3 B ]',
      'weight by percentages [ 100% A 1/3 B ]',
      'weight by percentages [ $W% A 1/3 B ]',
      'weight by percentages [ 40% A 50% B ]',
    ]);
    for (const num of [-1, 100.1, Number.NaN, '50', '$']) expect(setWeight(tree, id('A'), num)).toBe(tree);
    expect(setWeight(tree, id('A'), 40)).toBe(tree);
    const stored = given('weight by percentages [40% A, 1/1 B]');
    expect(words(setWeight(stored.tree, stored.id('B'), 1))).toContain('1% B');
  });

  it('are added up, and filled up to the whole', () => {
    const { tree, id } = given('weight by percentages [40% A, 1/3 B, 0% C]');
    const block = findNode(tree, id('wt-cash-specified'))?.node;
    expect(block && weightSum(block)).toBe(73.333333);
    expect(words(assignRemainder(tree, id('C')))).toBe('weight by percentages [ 40% A 1/3 B 26.666667% C ]');
    expect(words(assignRemainder(tree, id('A')))).toBe('weight by percentages [ 66.666667% A 1/3 B 0% C ]');
    const much = given('weight by percentages [90% A, 80% B]');
    expect(words(assignRemainder(much.tree, much.id('B')))).toBe('weight by percentages [ 90% A 10% B ]');
    const more = given('weight by percentages [90% A, 80% B, 5% C]');
    expect(words(assignRemainder(more.tree, more.id('C')))).toContain('0% C');
    const equal = given('weight equally [A, B]');
    expect(assignRemainder(equal.tree, equal.id('A'))).toBe(equal.tree);
    expect(assignRemainder(equal.tree, 'none')).toBe(equal.tree);
  });

  it('are of another kind with the same blocks', () => {
    const { tree, id } = given('weight by inverse volatility over 20 days [A, B]');
    const block = id('wt-inverse-volatility');
    expect(words(setWeightKind(tree, block, 'wt-cash-equal'))).toBe('weight equally [ A B ]');
    expect(words(setWeightKind(tree, block, 'wt-cash-specified'))).toBe(
      'weight by percentages [ 100% A 100% B ]',
    );
    expect(setWeightKind(tree, block, 'wt-inverse-volatility')).toBe(tree);
    expect(setWeightKind(tree, id('A'), 'wt-cash-equal')).toBe(tree);
    expect(words(setInverseVolatilityWindow(tree, block, '$W'))).toContain('over $W days');
    expect(setInverseVolatilityWindow(tree, block, 20)).toBe(tree);
    expect(setInverseVolatilityWindow(tree, id('A'), 5)).toBe(tree);
    const equal = given('weight equally [A]');
    expect(words(setWeightKind(equal.tree, equal.id('wt-cash-equal'), 'wt-inverse-volatility'))).toBe(
      'weight by inverse volatility over 10 days [ A ]',
    );
  });
});

describe('conditions', () => {
  const { tree, id } = given('if RSI(A, 1) > 1 and any of (RSI(B, 1) > 1, RSI(C, 1) > 1) then [D]');
  const other = () => ({ ...newCondition(newId), lhs_val: 'N' });

  it('are added, and put in the place of others, under new ids', () => {
    const condition = other();
    const added = saveCondition(tree, id('if-then-else'), condition, null, newId);
    expect(words(added)).toContain('and ?(N) > ?(?) then');
    expect(findNode(added, condition.id)).toBeNull();
    expect(words(saveCondition(tree, id('if-then-else'), condition, id('condition'), newId))).toContain(
      'if ?(N) > ?(?) and',
    );
    expect(words(saveCondition(tree, id('condition-group'), condition, null, newId))).toContain(
      'RSI(C, 1) > 1 or ?(N) > ?(?))',
    );
    expect(saveCondition(tree, id('D'), condition, null, newId)).toBe(tree);
  });

  it('are joined in the other way', () => {
    expect(words(setConditionType(tree, id('if-then-else'), 'anyOf'))).toContain('if RSI(A, 1) > 1 or (');
    expect(words(setConditionType(tree, id('condition-group'), 'allOf'))).toContain(
      '(RSI(B, 1) > 1 and RSI(C, 1) > 1)',
    );
    expect(setConditionType(tree, id('if-then-else'), 'allOf')).toBe(tree);
    expect(setConditionType(tree, id('D'), 'anyOf')).toBe(tree);
  });
});

describe('a filter', () => {
  const { tree, id } = given('top 2 by RSI(10) weighted by inverse volatility over 20 days of [A]');
  const sort = { fn: 'relative-strength-index', params: { window: 10 } } as const;
  const select = { fn: 'top', num: 2 } as const;
  const set = (change: Parameters<typeof setFilter>[2]) => setFilter(tree, id('filter'), change);

  it('takes what is chosen, and keeps its weighting where nothing is said of it', () => {
    expect(words(set({ sort: { ...sort, params: { window: 5 } }, select }))).toBe(
      'top 2 by RSI(5) weighted by inverse volatility over 20 days of [ A ]',
    );
    expect(words(set({ sort, select: { fn: 'bottom', num: 2 } }))).toContain('bottom 2');
    expect(words(set({ sort, select, weighting: null }))).toBe('top 2 by RSI(10) of [ A ]');
    expect(
      words(set({ sort, select, weighting: { type: 'by-rank', weights: [{ num: 1, den: 2 }] } })),
    ).toContain('by rank [1/2]');
  });

  it('is the very same where nothing changes', () => {
    expect(set({ sort, select })).toBe(tree);
    expect(set({ sort, select, weighting: { type: 'inverse-volatility', window: 20 } })).toBe(tree);
    expect(setFilter(tree, id('A'), { sort, select })).toBe(tree);
    const plain = given('top 2 by RSI(10) of [A]');
    expect(setFilter(plain.tree, plain.id('filter'), { sort, select, weighting: null })).toBe(plain.tree);
  });
});

describe('the rule of a strategy', () => {
  const tree = strategyOfText('A');
  it.each<[Parameters<typeof setRebalancing>[1], object]>([
    [
      { rebalance: 'weekly', rebalance_on: 'first', corridor: 5 },
      { rebalance: 'weekly', rebalance_on: 'first' },
    ],
    [{ rebalance: 'yearly' }, { rebalance: 'yearly' }],
    [{ rebalance: 'never', rebalance_on: 'first' }, { rebalance: 'never' }],
    [
      { rebalance: 'corridor', rebalance_on: 'first', corridor: '$C' },
      { rebalance: 'corridor', corridor: '$C' },
    ],
    [{ rebalance: 'corridor' }, { rebalance: 'corridor', corridor: 5 }],
  ])('%j', (rule, expected) => {
    const { rebalance, rebalance_on, corridor } = setRebalancing(tree, rule);
    expect({ rebalance, rebalance_on, corridor }).toEqual({
      rebalance_on: undefined,
      corridor: undefined,
      ...expected,
    });
  });

  it('is the very same where it changes nothing', () => {
    expect(setRebalancing(tree, { rebalance: 'daily', rebalance_on: 'first', corridor: 3 })).toBe(tree);
    const weekly = setRebalancing(tree, { rebalance: 'weekly', rebalance_on: 'first' });
    expect(setRebalancing(weekly, { rebalance: 'weekly', rebalance_on: 'first' })).toBe(weekly);
    expect(setRebalancing(weekly, { rebalance: 'weekly' })).not.toHaveProperty('rebalance_on');
  });
});

describe('names and folds', () => {
  it('are those of strategies and groups', () => {
    const { tree, id } = given(MIXED);
    expect(rename(tree, tree.id, 'T').name).toBe('T');
    expect(words(rename(tree, id('g'), 'h'))).toContain('group "h"');
    expect(rename(tree, id('g'), 'g')).toBe(tree);
    expect(rename(tree, id('A'), 'h')).toBe(tree);
  });

  it('hide and show a block, or a part of an if', () => {
    const { tree, id } = given(MIXED);
    expect(findNode(setCollapsed(tree, id('g'), true), id('g'))?.node.is_collapsed).toBe(true);
    expect(setCollapsed(tree, id('g'), false)).toBe(tree);
    expect(setCollapsed(tree, id('g'), true, 'is_then_collapsed')).toBe(tree);
    const folded = (
      ['is_collapsed', 'is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'] as const
    ).reduce(
      (next, part) => setCollapsed(next, id('if-then-else'), true, part),
      setCollapsed(setCollapsed(tree, id('wt-cash-equal'), true), id('g'), true),
    );
    const parts = (next: Algorithm) => {
      const node = findNode(next, id('if-then-else'))?.node;
      if (node?.node_type !== 'if-then-else') throw new Error('No if');
      return [
        node.is_collapsed,
        node.is_conditions_collapsed,
        node.is_then_collapsed,
        node.is_else_collapsed,
      ];
    };
    expect(parts(folded)).toEqual([true, true, true, true]);
    expect(parts(expandTo(folded, id('D')))).toEqual([false, true, false, true]);
    expect(parts(expandTo(folded, id('F')))).toEqual([false, true, true, false]);
    expect(parts(expandTo(folded, id('condition')))).toEqual([false, false, true, true]);
    const shown = expandTo(folded, id('g'));
    expect(
      [findNode(shown, id('wt-cash-equal')), findNode(shown, id('g'))].map((one) => one?.node.is_collapsed),
    ).toEqual([false, true]);
    expect(expandTo(tree, 'none')).toBe(tree);
  });
});

describe('a new block', () => {
  it.each([
    ['group', 'group [ cash ]'],
    ['wt-cash-equal', 'weight equally [ cash ]'],
    ['wt-cash-specified', 'weight by percentages [ 100% cash ]'],
    ['wt-inverse-volatility', 'weight by inverse volatility over 10 days [ cash ]'],
    ['if-then-else', 'if ? then [ cash ] else [ cash ]'],
    ['filter', 'top 1 by RSI(10) of [ cash ]'],
  ] as const)('%s: %s', (kind, text) => {
    const block = newBlock(kind, newId, { num: 30, den: 50 });
    expect(printBlocks([block]).replace(/\s+/g, ' ')).toBe(text);
    expect(block).toMatchObject({ weight: { num: 30, den: 100 }, is_collapsed: false });
    if (block.node_type === 'if-then-else')
      expect([block.is_conditions_collapsed, block.is_then_collapsed, block.is_else_collapsed]).toEqual([
        false,
        false,
        false,
      ]);
  });
});

describe('undo', () => {
  it('keeps 500 steps, and ends where there are none', () => {
    let history = startHistory(0);
    for (let step = 1; step <= 510; step += 1) history = recordChange(history, step, `step ${step}`);
    expect(history.past).toHaveLength(500);
    let back = history;
    for (let step = 0; step < 600; step += 1) back = undo(back);
    expect([back.present, undoLabel(back), redoLabel(back)]).toEqual([10, null, 'step 11']);
    expect(undo(back)).toBe(back);
    expect(redo(history)).toBe(history);
    expect(recordChange(history, 510, 'same')).toBe(history);
  });

  it('makes one step of a gesture, until it has ended', () => {
    let history = recordChange(startHistory(''), 'a', 'Type', 'name');
    history = recordChange(history, 'ab', 'Type', 'name');
    expect(history.past).toHaveLength(1);
    history = recordChange(endGesture(history), 'abc', 'Type', 'name');
    expect(history.past).toHaveLength(2);
    expect(undo(history).present).toBe('ab');
    const plain = recordChange(startHistory(''), 'a', 'Edit');
    expect(endGesture(plain)).toBe(plain);
    expect(endGesture(startHistory('a')).past).toEqual([]);
    expect(recordChange(recordChange(plain, 'b', 'Type', 'x'), 'c', 'Type', 'y').past).toHaveLength(3);
    expect(recordChange(recordChange(plain, 'b', 'Edit'), 'c', 'Edit').past).toHaveLength(3);
  });
});
