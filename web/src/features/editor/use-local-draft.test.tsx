// @vitest-environment happy-dom
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { editorMachine, type SaveInput } from './machines/editor.machine.ts';
import { EditorStore, isUnsaved, type StrategyOrigin } from './model/editor-store.ts';
import { useLocalDraft } from './use-local-draft.tsx';

let count = 0;
const tree = (name: string): Algorithm => newAlgorithm(() => `node_${++count}`, name);
const origin = {
  file_name: 'a.json',
  report: { source: 'x', counts: {}, items: [] },
} as unknown as StrategyOrigin;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);

const importOf = (algorithm: Algorithm) =>
  new EditorStore({ name: algorithm.name, isPublic: false, algorithm, origin }, true);
const edit = (store: EditorStore) => store.rename('Renamed');

/** Opens the editor of a new strategy as the page does when it is loaded. */
function open(store: EditorStore) {
  const load = fromPromise<TradingBot, { readonly id: string }>(() => new Promise(() => {}));
  const save = fromPromise<TradingBot, SaveInput>(() => new Promise(() => {}));
  const actor = createActor(editorMachine.provide({ actors: { load, save } }), {
    input: { id: 'new' },
  }).start();
  return renderHook(() => useLocalDraft(store, actor, 'ada', true)).result;
}
/** The browser leaves the page without telling anything in it more than that. */
const leave = () => window.dispatchEvent(new Event('pagehide'));

describe('unsaved work', () => {
  it('of a new strategy comes back after a reload, as a step that can be undone', () => {
    const before = new EditorStore({ name: 'New', isPublic: false, algorithm: tree('New') });
    open(before);
    edit(before);
    leave();
    const after = new EditorStore({ name: 'New', isPublic: false, algorithm: tree('New') });
    const restored = open(after);
    expect(after.document).toEqual(before.document);
    restored.current?.discard();
    expect(after.document.name).toBe('New');
  });

  it('on an import comes back after a reload, which opens the import once more', () => {
    const imported = tree('Imported');
    const before = importOf(imported);
    open(before);
    edit(before);
    leave();
    const after = importOf(imported);
    const restored = open(after);
    expect(after.document).toEqual(before.document);
    restored.current?.discard();
    expect(after.document).toEqual({ name: 'Imported', isPublic: false, algorithm: imported, origin });
    expect(isUnsaved(after.state())).toBe(true);
  });

  it('on an import keeps the report of it where the address does not bring the import again', () => {
    const before = importOf(tree('Imported'));
    open(before);
    edit(before);
    leave();
    const after = new EditorStore({ name: 'New', isPublic: false, algorithm: tree('New') });
    open(after);
    expect(after.document).toEqual(before.document);
    expect(after.document.origin).toEqual(origin);
  });

  it('on something else takes the place of no import', () => {
    const before = importOf(tree('Imported'));
    open(before);
    edit(before);
    leave();
    const another = importOf(tree('Another'));
    const { document } = another;
    expect(open(another).current).toBeNull();
    expect(another.document).toBe(document);
  });
});

describe('unsaved work on a saved strategy', () => {
  const algorithm = tree('Saved');
  /** Opens the editor on what the server has. */
  async function openSaved(revision: number) {
    const bot = { id: 'b1', name: 'Saved', is_public: false, revision, algorithm } as TradingBot;
    const load = fromPromise<TradingBot, { readonly id: string }>(async () => bot);
    const save = fromPromise<TradingBot, SaveInput>(() => new Promise(() => {}));
    const actor = createActor(editorMachine.provide({ actors: { load, save } }), {
      input: { id: 'b1' },
    }).start();
    await waitFor(() => expect(actor.getSnapshot().context.bot).toEqual(bot));
    const store = new EditorStore({ name: 'Saved', isPublic: false, algorithm });
    const { result, unmount } = renderHook(() => useLocalDraft(store, actor, 'ada', true));
    return { store, restored: result, unmount, base: () => actor.getSnapshot().context.bot?.revision };
  }

  it('comes back on the revision that it was made of, so that a change since is met as a conflict', async () => {
    const before = await openSaved(3);
    edit(before.store);
    leave();
    const after = await openSaved(4);
    expect(after.store.document.name).toBe('Renamed');
    expect(after.restored.current?.at).toBeDefined();
    expect(after.base()).toBe(3);
  });

  it('is gone for good where the editor was left without saving: that was asked', async () => {
    const before = await openSaved(3);
    edit(before.store);
    leave();
    before.unmount();
    const after = await openSaved(3);
    expect(after.restored.current).toBeNull();
    expect(after.store.document.name).toBe('Saved');
  });
});
