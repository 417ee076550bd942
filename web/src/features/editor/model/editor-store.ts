import type { FidelityReport } from '@quantloom/domain/exchange/fidelity-report';
import { expandTo, removeNode } from '@quantloom/domain/strategy/edit';
import { blocksBetween } from '@quantloom/domain/strategy/edit-several';
import type { NewNodeId } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import {
  cancelGesture,
  endGesture,
  isDirty,
  recordChange,
  redo,
  redoLabel,
  startHistory,
  type UndoHistory,
  undo,
  undoLabel,
} from '@quantloom/domain/strategy/undo-history';
import { useSyncExternalStore } from 'react';
import { firstNewBlock, neighbourOf } from './line-after-edit.ts';

/** The file that a new strategy was read from, with the report of it; kept with its creation. */
export interface StrategyOrigin {
  readonly file_name: string | null;
  readonly report: FidelityReport;
}

/** The gesture of typing the strategy's name. */
export const RENAMING = 'name';

/** What the user edits and undo covers. The strategy's name is the root's name too. */
export interface EditorDocument {
  readonly name: string;
  readonly isPublic: boolean;
  readonly algorithm: Algorithm;
  /** Of an import that was never saved. */
  readonly origin?: StrategyOrigin;
}

export interface EditorState {
  readonly history: UndoHistory<EditorDocument>;
  /** The block that the keyboard acts on. */
  readonly selectedId: string | null;
  /** Where the choosing of several blocks began; null: only one is chosen. */
  readonly anchorId: string | null;
  /** A line that shall be brought into sight and take the focus; a new object each time. */
  readonly revealed: { readonly key: string; readonly isNew: boolean } | null;
  /** Unsaved from birth: an import or a new strategy that was changed elsewhere. */
  readonly isUnsavedImport: boolean;
}

/**
 * The document, its undo history and the selection: plain data with listeners, so that a keystroke re-renders
 * only what shows it.
 */
export class EditorStore {
  #state: EditorState;
  readonly #listeners = new Set<() => void>();

  constructor(document: EditorDocument, isUnsavedImport = false) {
    this.#state = {
      history: startHistory(document),
      selectedId: null,
      anchorId: null,
      revealed: null,
      isUnsavedImport,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): EditorState => this.#state;
  get document(): EditorDocument {
    return this.#state.history.present;
  }

  /** Changes the tree; `gesture` joins changes of one movement (typing, dragging) into one undo step. */
  edit(label: string, change: (algorithm: Algorithm) => Algorithm, gesture: string | null = null): void {
    const { present } = this.#state.history;
    const algorithm = change(present.algorithm);
    if (algorithm === present.algorithm) return;
    this.#record({ ...present, name: algorithm.name || present.name, algorithm }, label, gesture);
  }

  /** Changes the tree by a block that it did not hold before; the block's line takes the focus. */
  add(label: string, change: (algorithm: Algorithm) => Algorithm): void {
    const before = this.document.algorithm;
    this.edit(label, change);
    const added = firstNewBlock(before, this.document.algorithm);
    if (added !== null) this.reveal(added, true);
  }

  /** Takes a block or a condition out; the line that then stands in its place takes the focus. */
  remove(label: string, id: string, newId: NewNodeId): void {
    const before = this.document.algorithm;
    this.edit(label, (tree) => removeNode(tree, id, newId));
    const neighbour = neighbourOf(before, this.document.algorithm, id);
    if (neighbour !== null) this.reveal(neighbour);
  }

  rename(name: string): void {
    const { present } = this.#state.history;
    if (name === present.name) return;
    this.#record(
      { ...present, name, algorithm: { ...present.algorithm, name } },
      'Rename strategy',
      RENAMING,
    );
  }

  setVisibility(isPublic: boolean): void {
    const { present } = this.#state.history;
    if (isPublic !== present.isPublic)
      this.#record({ ...present, isPublic }, isPublic ? 'Make public' : 'Make private', null);
  }

  /** Puts a stored document in place, with nothing to undo. */
  open(document: EditorDocument): void {
    this.#set({
      history: startHistory(document),
      selectedId: null,
      anchorId: null,
      revealed: null,
      isUnsavedImport: false,
    });
  }

  /** Puts a whole document in place as one step: a restored revision, a compared version. */
  replace(document: EditorDocument, label: string): void {
    this.#record(document, label, null);
  }

  endGesture(): void {
    this.#set({ ...this.#state, history: endGesture(this.#state.history) });
  }
  /** Takes back what was typed since the field was entered, without a trace. */
  cancelGesture(gesture: string): void {
    this.#set({ ...this.#state, history: cancelGesture(this.#state.history, gesture) });
  }
  undo(): void {
    this.#set({ ...this.#state, history: undo(this.#state.history) });
  }
  redo(): void {
    this.#set({ ...this.#state, history: redo(this.#state.history) });
  }
  select(selectedId: string | null): void {
    if (selectedId !== this.#state.selectedId) this.#set({ ...this.#state, selectedId, anchorId: null });
  }

  /** Chooses all blocks from where the choosing began to this line. */
  extendTo(selectedId: string): void {
    const anchorId = this.#state.anchorId ?? this.#state.selectedId;
    if (selectedId !== this.#state.selectedId) this.#set({ ...this.#state, selectedId, anchorId });
  }

  /** Only the line that the keyboard is on stays chosen. */
  chooseOne(): void {
    if (this.#state.anchorId !== null) this.#set({ ...this.#state, anchorId: null });
  }

  /** The blocks that are chosen together; none where it is one only. */
  several(): readonly BlockNode[] {
    const { anchorId, selectedId, history } = this.#state;
    if (anchorId === null || selectedId === null) return [];
    const blocks = blocksBetween(history.present.algorithm, anchorId, selectedId);
    return blocks.length > 1 ? blocks : [];
  }

  /** Opens what is collapsed around a node, then selects it and brings it into sight. */
  reveal(id: string, isNew = false): void {
    this.edit('Expand', (tree) => expandTo(tree, id));
    this.#set({ ...this.#state, selectedId: id, anchorId: null, revealed: { key: id, isNew } });
  }

  /** Gives the focus back to the line that the keyboard acts on, after a dialog. */
  refocus(): void {
    if (this.#state.selectedId !== null)
      this.#set({ ...this.#state, revealed: { key: this.#state.selectedId, isNew: false } });
  }

  /**
   * After a save: both histories are cleared. What was typed while the save was under way stays, as one unsaved step.
   *
   * @param version of the language that the saved tree uses, which the server works out
   */
  markSaved(saved: EditorDocument, version: Algorithm['version']): void {
    const { present } = this.#state.history;
    const isCurrent = version === saved.algorithm.version;
    const stored = isCurrent ? saved : { ...saved, algorithm: { ...saved.algorithm, version } };
    const history = startHistory(stored);
    this.#set({
      ...this.#state,
      isUnsavedImport: false,
      history: present === saved ? history : recordChange(history, present, 'Changes while saving'),
    });
  }

  #record(document: EditorDocument, label: string, gesture: string | null): void {
    this.#set({ ...this.#state, history: recordChange(this.#state.history, document, label, gesture) });
  }
  #set(state: EditorState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Something to save: a step that can be undone, or an import that was never saved. */
export function isUnsaved({ history, isUnsavedImport }: EditorState): boolean {
  return isUnsavedImport || isDirty(history);
}

/** Reads a part of the store; re-renders when that part changes (compared by identity, so select stored values). */
export function useEditorState<Part>(store: EditorStore, select: (state: EditorState) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.state()));
}

/** The labels of the next undo and redo, null where there is none. */
export function useUndoLabels(store: EditorStore): {
  readonly undo: string | null;
  readonly redo: string | null;
} {
  const undoName = useEditorState(store, ({ history }) => undoLabel(history));
  const redoName = useEditorState(store, ({ history }) => redoLabel(history));
  return { undo: undoName, redo: redoName };
}
