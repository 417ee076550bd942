import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { describe, expect, it } from 'vitest';
import { EditorStore, isUnsaved, RENAMING } from './editor-store.ts';

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

describe('unsaved', () => {
  it('is an import from its birth, until it is saved or another document is opened', () => {
    const imported = () => new EditorStore({ name: 'Read', isPublic: false, algorithm }, true);
    const [saved, opened] = [imported(), imported()];
    expect(isUnsaved(saved.state())).toBe(true);
    saved.markSaved(saved.document, 'v1');
    opened.open({ ...opened.document, name: 'Another' });
    for (const store of [saved, opened]) expect(isUnsaved(store.state())).toBe(false);
    expect(isUnsaved(edited().state())).toBe(true);
  });

  it('is nothing where what was done changes nothing', () => {
    const store = new EditorStore({ name: algorithm.name, isPublic: false, algorithm });
    const before = store.state();
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    store.edit('Nothing', (tree) => tree);
    store.rename(algorithm.name);
    store.setVisibility(false);
    store.select(null);
    store.chooseOne();
    store.refocus();
    expect([store.state(), told]).toEqual([before, 0]);
    expect(isUnsaved(store.state())).toBe(false);
    store.setVisibility(true);
    expect(told).toBe(1);
    stop();
    store.setVisibility(false);
    expect(told).toBe(1);
  });
});

describe('a step', () => {
  const labels = ({ history }: ReturnType<EditorStore['state']>) => history.past.map(({ label }) => label);

  it('is the whole of what was typed, for the strategy and its root', () => {
    const store = new EditorStore({ name: algorithm.name, isPublic: false, algorithm });
    for (const name of ['N', 'Ne', 'New']) store.rename(name);
    expect(store.document).toMatchObject({ name: 'New', algorithm: { name: 'New' } });
    expect(labels(store.state())).toEqual(['Rename strategy']);
    store.endGesture();
    store.rename('Newer');
    expect(labels(store.state())).toEqual(['Rename strategy', 'Rename strategy']);
    store.undo();
    expect(store.document.name).toBe('New');
    store.redo();
    store.endGesture();
    store.rename('Given up');
    store.cancelGesture(RENAMING);
    expect([store.document.name, labels(store.state()).length]).toEqual(['Newer', 2]);
  });

  it('is called after what it did', () => {
    const store = new EditorStore({ name: algorithm.name, isPublic: false, algorithm });
    store.setVisibility(true);
    store.setVisibility(false);
    store.replace({ ...store.document, name: 'As it was' }, 'Restore');
    expect(labels(store.state())).toEqual(['Make public', 'Make private', 'Restore']);
    expect(store.document.name).toBe('As it was');
  });

  it('is none, and nothing is chosen, in a document that was opened', () => {
    const store = edited();
    store.reveal(algorithm.id);
    store.extendTo('node_other');
    store.open({ ...store.document, name: 'Another' });
    expect(store.state()).toMatchObject({ selectedId: null, anchorId: null, revealed: null });
    expect(labels(store.state())).toEqual([]);
  });
});

describe('the line with the focus', () => {
  const asset = (ticker: string) => assetBlock(() => `node_${ticker}`, { ticker, name: ticker });
  const three = () =>
    new EditorStore({
      name: 'Three',
      isPublic: false,
      algorithm: { ...algorithm, children: ['SPY', 'TLT', 'GLD'].map(asset) },
    });

  it('is that of a block that was added', () => {
    const store = three();
    store.select('node_SPY');
    store.extendTo('node_TLT');
    store.add('Add', (tree) => ({ ...tree, children: [...tree.children, asset('QQQ')] }));
    expect(store.state()).toMatchObject({
      selectedId: 'node_QQQ',
      anchorId: null,
      revealed: { key: 'node_QQQ', isNew: true },
    });
  });

  it('is that which stands in the place of one that was removed', () => {
    const store = three();
    store.remove('Remove', 'node_TLT', () => 'node_new');
    expect(store.document.algorithm.children.map(({ id }) => id)).toEqual(['node_SPY', 'node_GLD']);
    expect(store.state()).toMatchObject({
      selectedId: 'node_GLD',
      revealed: { key: 'node_GLD', isNew: false },
    });
  });

  it('is told anew each time it is to have it again', () => {
    const store = three();
    store.select('node_SPY');
    store.refocus();
    const { revealed } = store.state();
    expect(revealed).toEqual({ key: 'node_SPY', isNew: false });
    store.refocus();
    expect(store.state().revealed).not.toBe(revealed);
  });
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
