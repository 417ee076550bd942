import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import type { EditorTools } from './editor-context.ts';
import { EditorStore } from './editor-store.ts';
import { moveBy } from './moves.ts';
import { copyTogether, moveTogether, removalWords, removeTogether, wrapTogether } from './several.ts';

let count = 0;
const newId = () => `node_new${++count}`;
const asset = (ticker: string) => assetBlock(() => `node_${ticker}`, { ticker, name: ticker });
const open = () =>
  new EditorStore({
    name: 'Four',
    isPublic: false,
    algorithm: { ...newAlgorithm(newId), children: ['SPY', 'TLT', 'GLD', 'QQQ'].map(asset) },
  });
const order = (store: EditorStore) => store.document.algorithm.children.map(({ id }) => id);
const steps = (store: EditorStore) => store.state().history.past.map(({ label }) => label);
/** With TLT and GLD chosen. */
function chosen(): { readonly store: EditorStore; readonly blocks: readonly BlockNode[] } {
  const store = open();
  store.select('node_TLT');
  store.extendTo('node_GLD');
  return { store, blocks: store.several() };
}

describe('blocks that are chosen together', () => {
  it('are moved as one step and stay chosen', () => {
    const { store, blocks } = chosen();
    moveTogether(store, blocks, 'up');
    expect(order(store)).toEqual(['node_TLT', 'node_GLD', 'node_SPY', 'node_QQQ']);
    expect(store.several().map(({ id }) => id)).toEqual(['node_TLT', 'node_GLD']);
    expect(store.state().revealed?.key).toBe('node_GLD');
    moveTogether(store, store.several(), 'down');
    expect(order(store)).toEqual(['node_SPY', 'node_TLT', 'node_GLD', 'node_QQQ']);
    expect(steps(store)).toEqual(['Move 2 blocks', 'Move 2 blocks']);
  });

  it('are removed as one step, after which nothing is chosen together', () => {
    const { store, blocks } = chosen();
    removeTogether(store, blocks);
    expect(order(store)).toEqual(['node_SPY', 'node_QQQ']);
    expect(steps(store)).toEqual(['Delete 2 blocks']);
    expect(store.state().anchorId).toBeNull();
  });

  it('are wrapped as one step, and what wraps them has the focus', () => {
    const { store, blocks } = chosen();
    wrapTogether(store, blocks, 'group');
    const [, group] = store.document.algorithm.children;
    expect(group).toMatchObject({ node_type: 'group', children: [{ id: 'node_TLT' }, { id: 'node_GLD' }] });
    expect(steps(store)[0]).toBe('Wrap 2 blocks in a group');
    expect(store.state()).toMatchObject({ selectedId: group?.id, revealed: { isNew: true } });
  });

  it('are copied as one, and none are not', () => {
    const copies: BlockNode[] = [];
    const tools = { copy: (block: BlockNode) => copies.push(block), newId } as unknown as EditorTools;
    copyTogether(tools, []);
    expect(copies).toEqual([]);
    copyTogether(tools, chosen().blocks);
    expect(copies).toMatchObject([{ node_type: 'group', children: [{ ticker: 'TLT' }, { ticker: 'GLD' }] }]);
  });

  it('are told by their number, and one alone by its name', () => {
    const { blocks } = chosen();
    expect(removalWords(blocks)).toBe('2 blocks and everything in them');
    expect(removalWords(blocks.slice(0, 1))).toContain('TLT');
  });
});

it('moves a block by one place, whose line has the focus, and not beyond the ends', () => {
  const store = open();
  const tools = { store, newId } as unknown as EditorTools;
  moveBy(tools, 'node_TLT', 'up');
  expect(order(store)).toEqual(['node_TLT', 'node_SPY', 'node_GLD', 'node_QQQ']);
  expect([store.state().selectedId, steps(store)]).toEqual(['node_TLT', ['Move TLT']]);
  const before = store.state();
  moveBy(tools, 'node_TLT', 'up');
  expect(store.state()).toBe(before);
  moveBy(tools, 'node_TLT', 'down');
  expect(order(store)[0]).toBe('node_SPY');
});
