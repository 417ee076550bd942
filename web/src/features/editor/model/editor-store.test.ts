import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
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
