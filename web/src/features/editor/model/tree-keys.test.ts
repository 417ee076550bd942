import { assetBlock, newAlgorithm, newBlock, nodeId } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import type { EditorTools } from './editor-context.ts';
import { EditorStore } from './editor-store.ts';
import { visibleRows } from './rows.ts';
import { handleTreeKey } from './tree-keys.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });

/** An editor with weight(SPY group(QQQ) GLD TLT) below the root, and what its keys have asked for. */
function editor({ isEditable = true } = {}) {
  const start = newAlgorithm(newId);
  const group = { ...newBlock('group', newId), children: [asset('QQQ')] } as BlockNode;
  const children = [asset('SPY'), group, asset('GLD'), asset('TLT')];
  const weight = { ...start.children[0], children } as unknown as BlockNode;
  const algorithm: Algorithm = { ...start, children: [weight] };
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm });
  const asked: string[] = [];
  let copied: BlockNode | null = null;
  const nameOf = (node: { readonly ticker?: string; readonly node_type?: string }) =>
    node.ticker ?? node.node_type ?? '';
  const tools = {
    store,
    newId,
    isEditable,
    strategyId: () => 'new',
    requestRemoval: (node: BlockNode) => asked.push(`remove ${nameOf(node as never)}`),
    requestRemovalOf: (nodes: readonly BlockNode[]) => asked.push(`remove ${nodes.length}`),
    removeAtOnce: (node: BlockNode) => asked.push(`cut ${nameOf(node as never)}`),
    copy: (node: BlockNode) => {
      copied = node;
      asked.push(`copy ${nameOf(node as never)}`);
    },
    readCopied: () => copied,
    openTypeBlocks: ({ begun = '' }) => asked.push(`type ${begun}`),
  } as unknown as EditorTools;
  const rows = () => visibleRows(store.document.algorithm);
  const at = (name: string) =>
    rows().findIndex((row) => row.kind === 'block' && nameOf(row.node as never) === name);
  const names = () =>
    rows().flatMap((row) => (row.kind === 'block' && row.node.node_type === 'asset' ? row.node.ticker : []));
  let focus = -1;
  const moves = {
    focusLine: (index: number) => {
      focus = index;
    },
    activate: () => asked.push('activate'),
    showSensitivity: () => asked.push('sensitivity'),
  };
  const press = (name: string, key: string, held: 'mod' | 'alt' | 'shift' | null = null) => {
    const keys = { key, isMod: held === 'mod', isAlt: held === 'alt', isShift: held === 'shift' };
    return handleTreeKey(keys, rows(), at(name), tools, moves);
  };
  const focused = () => {
    const row = rows()[focus];
    return row?.kind === 'block' ? nameOf(row.node as never) : (row?.kind ?? null);
  };
  return { store, asked, press, focused, names, at };
}

describe('keys in the tree', () => {
  it('go up and down, to both ends, and not above the first line', () => {
    const { press, focused } = editor();
    press('SPY', 'ArrowDown');
    expect(focused()).toBe('group');
    press('group', 'ArrowUp');
    expect(focused()).toBe('SPY');
    press('SPY', 'Home');
    expect(focused()).toBe('root');
    press('root', 'ArrowUp');
    expect(focused()).toBe('root');
  });

  it('close what is open, then go out to what is around it; open it again, then go in', () => {
    const { press, focused, names } = editor();
    press('QQQ', 'ArrowLeft');
    expect(focused()).toBe('group');
    press('group', 'ArrowLeft');
    expect(names()).toEqual(['SPY', 'GLD', 'TLT']);
    press('group', 'ArrowRight');
    expect(names()).toEqual(['SPY', 'QQQ', 'GLD', 'TLT']);
    press('group', 'ArrowRight');
    expect(focused()).toBe('QQQ');
  });

  it('choose several with Shift, past what lies deeper, and take only one again with Escape', () => {
    const { press, store, focused, at } = editor();
    store.select(store.document.algorithm.children[0]?.id ?? '');
    const rows = visibleRows(store.document.algorithm);
    store.select(rows[at('group')]?.key ?? '');
    press('group', 'ArrowDown', 'shift');
    expect([focused(), store.several().length]).toEqual(['GLD', 2]);
    press('GLD', 'ArrowUp', 'shift');
    expect([focused(), store.several().length]).toEqual(['group', 0]);
    press('group', 'ArrowUp', 'shift');
    expect([focused(), store.several().length]).toEqual(['SPY', 2]);
    expect(press('SPY', 'Escape')).toBe(true);
    expect(store.several()).toEqual([]);
    expect(press('SPY', 'Escape')).toBe(false);
  });

  it('ask before a block goes, and leave the root alone', () => {
    const { press, asked } = editor();
    for (const key of ['Delete', 'Backspace']) expect(press('GLD', key)).toBe(true);
    expect(press('root', 'Delete')).toBe(false);
    expect(press('root', 'x', 'mod')).toBe(false);
    expect(press('root', 'd', 'mod')).toBe(false);
    expect(asked).toEqual(['remove GLD', 'remove GLD']);
  });

  it('copy, cut, paste behind a line and duplicate', () => {
    const { press, asked, names, store } = editor();
    expect(press('GLD', 'v', 'mod')).toBe(false);
    press('QQQ', 'c', 'mod');
    press('GLD', 'v', 'mod');
    expect(names()).toEqual(['SPY', 'QQQ', 'GLD', 'QQQ', 'TLT']);
    const ids = visibleRows(store.document.algorithm).map(({ key }) => key);
    expect(new Set(ids).size).toBe(ids.length);
    press('SPY', 'd', 'mod');
    expect(names()).toEqual(['SPY', 'SPY', 'QQQ', 'GLD', 'QQQ', 'TLT']);
    press('TLT', 'x', 'mod');
    expect(asked).toEqual(['copy QQQ', 'copy TLT', 'cut TLT']);
  });

  it('move a block with Alt, and show what depends on its numbers', () => {
    const { press, names, asked } = editor();
    press('TLT', 'ArrowUp', 'alt');
    expect(names()).toEqual(['SPY', 'QQQ', 'TLT', 'GLD']);
    press('TLT', 'ArrowDown', 'alt');
    expect(names()).toEqual(['SPY', 'QQQ', 'GLD', 'TLT']);
    press('TLT', 's', 'alt');
    expect(asked).toEqual(['sensitivity']);
  });

  it('jump to the next line that begins with a letter, round the end', () => {
    const { press, focused } = editor();
    press('SPY', 't');
    expect(focused()).toBe('TLT');
    press('TLT', 'g');
    expect(focused()).toBe('group');
    press('group', 'G');
    expect(focused()).toBe('GLD');
    expect(press('GLD', 'z')).toBe(false);
  });

  it('change nothing where nothing may be changed', () => {
    const { press, store, names } = editor({ isEditable: false });
    const { document } = store;
    expect(press('GLD', 'c', 'mod')).toBe(true);
    for (const [key, held] of [
      ['v', 'mod'],
      ['x', 'mod'],
      ['d', 'mod'],
      ['ArrowUp', 'alt'],
      ['Delete', null],
    ] as const)
      expect(press('TLT', key, held)).toBe(false);
    expect(store.document).toBe(document);
    expect(names()).toEqual(['SPY', 'QQQ', 'GLD', 'TLT']);
  });
});
