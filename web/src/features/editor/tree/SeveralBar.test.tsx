// @vitest-environment happy-dom
import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { leave, press, show } from '../../../../testing/page.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { SeveralBar } from './SeveralBar.tsx';

afterEach(leave);

let count = 0;
const newId = () => {
  count += 1;
  return `node_new${count}`;
};
const asset = (ticker: string) => assetBlock(() => `node_${ticker}`, { ticker, name: ticker });
const order = (store: EditorStore) => store.document.algorithm.children.map(({ id }) => id);

let copied: unknown[];
let removed: readonly BlockNode[][];
/** With TLT and GLD chosen. */
function open(isEditable = true): EditorStore {
  [copied, removed] = [[], []];
  const store = new EditorStore({
    name: 'Four',
    isPublic: false,
    algorithm: { ...newAlgorithm(newId), children: ['SPY', 'TLT', 'GLD', 'QQQ'].map(asset) },
  });
  store.select('node_TLT');
  store.extendTo('node_GLD');
  const tools = {
    store,
    newId,
    isEditable,
    copy: (node: unknown) => copied.push(node),
    requestRemovalOf: (blocks: readonly BlockNode[]) => {
      removed = [...removed, [...blocks]];
    },
  } as unknown as EditorTools;
  show(
    <EditorToolsContext value={tools}>
      <SeveralBar />
    </EditorToolsContext>,
  );
  return store;
}

it('moves, copies and removes the chosen blocks, and them alone', async () => {
  const store = open();
  expect(screen.getByText('2 blocks chosen')).toBeDefined();
  await press('Move them up');
  expect(order(store)).toEqual(['node_TLT', 'node_GLD', 'node_SPY', 'node_QQQ']);
  await press('Move them down');
  expect(order(store)).toEqual(['node_SPY', 'node_TLT', 'node_GLD', 'node_QQQ']);
  await press('Copy them');
  expect(copied).toMatchObject([{ children: [{ ticker: 'TLT' }, { ticker: 'GLD' }] }]);
  await press('Delete them');
  expect(removed.map((blocks) => blocks.map(({ id }) => id))).toEqual([['node_TLT', 'node_GLD']]);
  // Not before that was confirmed.
  expect(order(store)).toHaveLength(4);
});

it.each([
  ['Group', 'group'],
  ['Weight', 'wt-cash-equal'],
  ['If', 'if-then-else'],
])('wraps them in a block of the kind that says %s', async (name, kind) => {
  const store = open();
  await press(name);
  expect(store.document.algorithm.children).toMatchObject([
    { ticker: 'SPY' },
    { node_type: kind },
    { ticker: 'QQQ' },
  ]);
});

it('goes once one block is chosen, and is not there for those who may only read', async () => {
  const store = open();
  await press('Choose one only');
  expect(screen.queryByRole('toolbar')).toBeNull();
  act(() => store.extendTo('node_QQQ'));
  expect(screen.getByRole('toolbar')).toBeDefined();
  leave();
  open(false);
  expect(screen.queryByRole('toolbar')).toBeNull();
});
