// @vitest-environment happy-dom
import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { leave, show } from '../../../../testing/page.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { StrategyTree } from './StrategyTree.tsx';

afterEach(leave);

let count = 0;
const newId = () => {
  count += 1;
  return `node_new${count}`;
};
const asset = (ticker: string) => assetBlock(() => `node_${ticker}`, { ticker, name: ticker });
let removal: unknown[];
function open(children: readonly BlockNode[], over: Partial<EditorTools> = {}): EditorStore {
  removal = [];
  const store = new EditorStore({
    name: 'Three',
    isPublic: false,
    algorithm: { ...newAlgorithm(newId), children },
  });
  const tools = {
    store,
    newId,
    isEditable: true,
    variables: [],
    requestRemoval: ({ id }: { readonly id: string }) => removal.push(id),
    ...over,
  } as unknown as EditorTools;
  show(
    <EditorToolsContext value={tools}>
      <StrategyTree
        problems={
          new Map([
            [
              'node_TLT',
              [{ path: '', code: 'unknown_ticker', message: 'There is no ticker TLT', nodeId: 'node_TLT' }],
            ],
          ])
        }
        highlighted={new Set(['node_SPY'])}
        reasons={new Map([['node_SPY', 'held 60%']])}
      />
    </EditorToolsContext>,
  );
  return store;
}
const lines = () => screen.getAllByRole('treeitem');
const line = (key: string) => document.querySelector<HTMLElement>(`[data-key="${key}"]`) as HTMLElement;
const press = (key: string, rest: object = {}) =>
  act(async () => void fireEvent.keyDown(document.activeElement as Element, { key, ...rest }));
const focused = () => document.activeElement?.getAttribute('data-key');

it('is one stop of the Tab key, on the line that the keyboard was on last', async () => {
  const store = open(['SPY', 'TLT', 'GLD'].map(asset));
  const stops = () =>
    lines()
      .filter(({ tabIndex }) => tabIndex === 0)
      .map((one) => one.getAttribute('data-key'));
  expect(stops()).toEqual([lines()[0]?.getAttribute('data-key')]);
  await act(async () => lines()[0]?.focus());
  await press('ArrowDown');
  expect(focused()).toBe('node_SPY');
  await press('ArrowDown');
  await press('Delete');
  expect(removal).toEqual(['node_TLT']);
  expect(stops()).toEqual(['node_TLT']);
  expect(store.state().selectedId).toBe('node_TLT');
  await press('ArrowUp');
  expect(focused()).toBe('node_SPY');
});

it('gives the focus of a line that is gone to the one in its place', async () => {
  const store = open(['SPY', 'TLT', 'GLD'].map(asset));
  await act(async () => lines()[0]?.focus());
  await press('ArrowDown');
  await press('ArrowDown');
  expect(focused()).toBe('node_TLT');
  act(() => {
    store.edit('Away', (tree) => ({
      ...tree,
      children: tree.children.filter(({ id }) => id !== 'node_TLT'),
    }));
  });
  expect(focused()).toBe('node_GLD');
});

it('leaves keys alone that are typed into a field of a line', async () => {
  open(['SPY', 'TLT'].map(asset));
  await act(async () => lines()[0]?.focus());
  await press('ArrowDown');
  const field = document.createElement('input');
  line('node_SPY').append(field);
  field.focus();
  await press('Delete');
  await press('ArrowDown');
  expect(removal).toEqual([]);
  expect(document.activeElement).toBe(field);
  field.remove();
});

it('says at its line what is wrong with a block, and what the day that is looked at found there', () => {
  open(['SPY', 'TLT', 'GLD'].map(asset));
  const marked = screen.getByRole('img', { name: /There is no ticker TLT/ });
  expect(marked.closest('[role=treeitem]')).toBe(line('node_TLT'));
  expect(line('node_SPY').textContent).toContain('held 60%');
  expect(line('node_GLD').textContent).not.toContain('held 60%');
});

it('has no lines to add to for those who may only read', () => {
  const { children } = strategyOfText('if RSI(SPY, 10) > 79 then TLT else SPY');
  open(children, { isEditable: false });
  const readOnly = lines().length;
  leave();
  open(children);
  expect(lines().length).toBeGreaterThan(readOnly);
});
