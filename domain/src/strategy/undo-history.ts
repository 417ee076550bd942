/**
 * Undo and redo over immutable snapshots. An entry says what was done, so that the editor can name what it
 * undoes. Snapshots share what did not change, so a long history of a large tree stays small.
 */
export interface UndoEntry<Document> {
  readonly label: string;
  /** The document before the change. */
  readonly before: Document;
  /** Changes of one gesture (typing a name, dragging a number) carry the same key and become one entry. */
  readonly gesture: string | null;
}

export interface UndoHistory<Document> {
  readonly present: Document;
  readonly past: readonly UndoEntry<Document>[];
  /** Newest first; `before` of a future entry is the document after it was undone. */
  readonly future: readonly { readonly label: string; readonly after: Document }[];
}

const MAX_ENTRIES = 500;

/** A history that has nothing to undo; also what saving leaves behind. */
export function startHistory<Document>(present: Document): UndoHistory<Document> {
  return { present, past: [], future: [] };
}

/** Records a change. The very same document is no change; a change drops what could be redone. */
export function recordChange<Document>(
  history: UndoHistory<Document>,
  next: Document,
  label: string,
  gesture: string | null = null,
): UndoHistory<Document> {
  if (next === history.present) return history;
  const last = history.past.at(-1);
  const past =
    gesture !== null && last?.gesture === gesture
      ? history.past
      : [...history.past, { label, before: history.present, gesture }].slice(-MAX_ENTRIES);
  return { present: next, past, future: [] };
}

/** Closes the running gesture, so that the next change is an entry of its own. */
export function endGesture<Document>(history: UndoHistory<Document>): UndoHistory<Document> {
  const last = history.past.at(-1);
  if (!last || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] };
}

/** Takes the running gesture back as if it had never begun: it leaves no entry, so that nothing is unsaved by it. */
export function cancelGesture<Document>(
  history: UndoHistory<Document>,
  gesture: string,
): UndoHistory<Document> {
  const last = history.past.at(-1);
  if (!last || last.gesture !== gesture) return history;
  return { present: last.before, past: history.past.slice(0, -1), future: [] };
}

/** Steps back; with nothing to undo, the same history. */
export function undo<Document>(history: UndoHistory<Document>): UndoHistory<Document> {
  const last = history.past.at(-1);
  if (!last) return history;
  return {
    present: last.before,
    past: history.past.slice(0, -1),
    future: [{ label: last.label, after: history.present }, ...history.future],
  };
}

/** Steps forward; with nothing to redo, the same history. */
export function redo<Document>(history: UndoHistory<Document>): UndoHistory<Document> {
  const next = history.future[0];
  if (!next) return history;
  return {
    present: next.after,
    past: [...history.past, { label: next.label, before: history.present, gesture: null }],
    future: history.future.slice(1),
  };
}

/** What the next undo takes back, or null. */
export function undoLabel(history: UndoHistory<unknown>): string | null {
  return history.past.at(-1)?.label ?? null;
}

/** What the next redo does again, or null. */
export function redoLabel(history: UndoHistory<unknown>): string | null {
  return history.future[0]?.label ?? null;
}

/** Unsaved changes: there is something to undo. */
export function isDirty(history: UndoHistory<unknown>): boolean {
  return history.past.length > 0;
}
