import { useEffect, useState } from 'react';
import type { EditorActor } from './machines/actors.ts';
import { type EditorStore, isUnsaved } from './model/editor-store.ts';
import { draftKey, dropDraft, type LocalDraft, readDraft, writeDraft } from './model/local-draft.ts';

/** How long work rests before it is written down, whole; what is unwritten when the page goes is written then. */
const DELAY = 1000;

/** What was restored when the editor opened, and how to take it back. */
export interface RestoredDraft {
  readonly at: string;
  discard(): void;
  dismiss(): void;
}

/** Keeps unsaved work in this browser and puts it back, as one undo step, when the editor opens again. */
export function useLocalDraft(
  store: EditorStore,
  actor: EditorActor,
  userId: string,
  isEditable: boolean,
): RestoredDraft | null {
  const [restored, setRestored] = useState<LocalDraft | null>(null);
  useEffect(() => {
    if (!isEditable) return;
    const keyNow = () => draftKey(userId, actor.getSnapshot().context.id);
    const key = keyNow();
    const draft = readDraft(key);
    // An import comes again with its address: what was made of this very one goes on, and nothing else takes its place.
    const isOfThis =
      !isUnsaved(store.state()) || draft?.document.algorithm.id === store.document.algorithm.id;
    const found = isOfThis ? draft : null;
    if (found && JSON.stringify(found.document) !== JSON.stringify(store.document)) {
      store.replace(found.document, 'Unsaved changes');
      // A save then meets what was stored since as the conflict that it is.
      if (found.revision !== null) actor.send({ type: 'draft.restored', revision: found.revision });
      setRestored(found);
    } else if (found) dropDraft(key);
    let kept = store.document;
    const keep = () => {
      window.clearTimeout(timer);
      const { bot } = actor.getSnapshot().context;
      if (!isUnsaved(store.state())) dropDraft(keyNow());
      else if (kept !== store.document)
        writeDraft(keyNow(), {
          document: store.document,
          revision: bot?.revision ?? null,
          at: new Date().toISOString(),
        });
      kept = store.document;
    };
    let timer = 0;
    let wasUnsaved = isUnsaved(store.state());
    const stop = store.subscribe(() => {
      window.clearTimeout(timer);
      const isUnsavedNow = isUnsaved(store.state());
      // A saved new strategy leaves no draft behind under the name that it had before.
      if (wasUnsaved && !isUnsavedNow) {
        dropDraft(key);
        setRestored(null);
      }
      wasUnsaved = isUnsavedNow;
      timer = window.setTimeout(keep, DELAY);
    });
    window.addEventListener('pagehide', keep);
    return () => {
      stop();
      window.clearTimeout(timer);
      window.removeEventListener('pagehide', keep);
      // Whoever leaves without saving has been asked.
      dropDraft(keyNow());
    };
  }, [store, actor, userId, isEditable]);
  if (!restored) return null;
  return {
    at: restored.at,
    discard: () => {
      store.undo();
      setRestored(null);
    },
    dismiss: () => setRestored(null),
  };
}
