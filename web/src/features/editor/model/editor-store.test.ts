import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { describe, expect, it } from 'vitest';
import { EditorStore, isUnsaved } from './editor-store.ts';

let count = 0;
const algorithm = newAlgorithm(() => `node_${count++}`);
function edited(): EditorStore {
  const store = new EditorStore({ name: algorithm.name, isPublic: false, algorithm });
  store.edit('Rebalance', (tree) => ({ ...tree, rebalance: 'monthly' }));
  return store;
}

it('takes the version of the language from what was stored', () => {
  const store = edited();
  store.markSaved(store.document, 'v2');
  expect(store.document.algorithm).toEqual({ ...algorithm, rebalance: 'monthly', version: 'v2' });
  expect(isUnsaved(store.state())).toBe(false);
});

it('is the very same document where the version is the one before', () => {
  const store = edited();
  const { document } = store;
  store.markSaved(document, 'v1');
  expect(store.document).toBe(document);
});

it('keeps what was changed while it was saved, as one step that is not saved', () => {
  const store = edited();
  const saving = store.document;
  store.rename('Renamed');
  store.markSaved(saving, 'v2');
  expect(store.document.name).toBe('Renamed');
  expect(isUnsaved(store.state())).toBe(true);
  store.undo();
  expect(store.document).toMatchObject({ name: algorithm.name, algorithm: { version: 'v2' } });
});

it('is called as its root is, unless that has no name', () => {
  const store = edited();
  store.edit('Rename root', (tree) => ({ ...tree, name: 'By the root' }));
  expect(store.document.name).toBe('By the root');
  store.edit('Empty the name', (tree) => ({ ...tree, name: '' }));
  expect(store.document.name).toBe('By the root');
});

describe('several blocks', () => {
  const blocks = ['SPY', 'TLT', 'GLD'].map((ticker) =>
    assetBlock(() => `node_${ticker}`, { ticker, name: ticker }),
  );
  const choosing = () =>
    new EditorStore({ name: 'Three', isPublic: false, algorithm: { ...algorithm, children: blocks } });
  const chosen = (store: EditorStore) => store.several().map(({ id }) => id);

  it('are chosen from where the choosing began, however far it goes', () => {
    const store = choosing();
    store.select('node_SPY');
    store.extendTo('node_TLT');
    store.extendTo('node_GLD');
    expect(chosen(store)).toEqual(['node_SPY', 'node_TLT', 'node_GLD']);
    store.extendTo('node_TLT');
    expect(chosen(store)).toEqual(['node_SPY', 'node_TLT']);
  });

  it('are none where the choosing has come back to where it began', () => {
    const store = choosing();
    store.select('node_SPY');
    store.extendTo('node_TLT');
    store.extendTo('node_SPY');
    expect(chosen(store)).toEqual([]);
  });

  it('are let go by choosing another line, and by choosing one only', () => {
    const store = choosing();
    store.select('node_SPY');
    store.extendTo('node_TLT');
    store.select('node_GLD');
    expect(chosen(store)).toEqual([]);
    store.extendTo('node_TLT');
    expect(chosen(store)).toEqual(['node_TLT', 'node_GLD']);
    store.chooseOne();
    expect(chosen(store)).toEqual([]);
  });
});
