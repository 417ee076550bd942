import { readStructure } from '@quantloom/domain/strategy/structure';
import type { EditorDocument } from './editor-store.ts';

/** Unsaved work as this browser keeps it, so that a reload or a crash loses nothing. */
export interface LocalDraft {
  readonly document: EditorDocument;
  /** The stored revision that was edited; null for a strategy that was never saved. */
  readonly revision: number | null;
  /** ISO 8601. */
  readonly at: string;
}

/** This tab's own id: it survives a reload, so that two tabs with new strategies keep two drafts. */
function tabId(session: Storage = sessionStorage): string {
  const known = session.getItem('editorTab');
  if (known) return known;
  const id = crypto.randomUUID();
  session.setItem('editorTab', id);
  return id;
}

/** Where a user's draft of a strategy is kept; unsaved strategies have one per tab. */
export function draftKey(userId: string, strategyId: string, tab: () => string = tabId): string {
  return `editorDraft:${userId}:${strategyId === 'new' ? `new:${tab()}` : strategyId}`;
}

/** Keeps a draft; a full or forbidden storage leaves the last one and answers false. */
export function writeDraft(key: string, draft: LocalDraft, storage: Storage = localStorage): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(key: string, storage: Storage = localStorage): void {
  storage.removeItem(key);
}

/** The draft, or null where there is none that can be read. */
export function readDraft(key: string, storage: Storage = localStorage): LocalDraft | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  let value: Partial<LocalDraft> | null;
  try {
    value = JSON.parse(text) as Partial<LocalDraft> | null;
  } catch {
    return null; // Half written or foreign: nothing to restore.
  }
  const { document, revision, at } = value ?? {};
  const { algorithm } = readStructure(document?.algorithm);
  if (!algorithm || typeof document?.name !== 'string' || typeof at !== 'string') return null;
  const { origin } = document;
  return {
    document: {
      name: document.name,
      isPublic: document.isPublic === true,
      algorithm,
      // Written by this program; it goes with the first save.
      ...(origin && { origin }),
    },
    revision: typeof revision === 'number' ? revision : null,
    at,
  };
}
