import type { HistoryChange, HistoryRules } from '../kernel/history.ts';
import type { VariableListEvent } from './events.ts';
import type { VariableListContent } from './variable-list.ts';

/** Tickers named in one sentence; of more the number is told. */
const NAMED = 20;

/** How a variable list's events are told to its owner. */
export const variableListHistory: HistoryRules<VariableListEvent, VariableListContent> = {
  fields: ['name', 'isPublic', 'variables'],
  contentOf: ({ data }) =>
    'variables' in data ? { name: data.name, isPublic: data.isPublic, variables: data.variables } : {},
  describe: (event, before) => {
    switch (event.type) {
      case 'VariableListCreated':
        return { summary: `Created "${event.data.name}"`, changes: [] };
      case 'VariableListCloned':
        return { summary: 'Cloned from another variable list', changes: [] };
      case 'VariableListUpdated':
        return { summary: 'Saved', changes: contentChanges(before, event.data) };
      case 'VariableListRestored':
        return {
          summary: `Restored revision ${event.data.fromRevision}`,
          changes: contentChanges(before, event.data),
        };
      case 'VariableListDeleted':
        return { summary: 'Deleted', changes: [] };
      case 'VariableListDeletionUndone':
        return { summary: 'Deletion undone', changes: [] };
      default: {
        const unknown: never = event;
        return unknown;
      }
    }
  },
};

function contentChanges(before: VariableListContent | null, after: VariableListContent): HistoryChange[] {
  if (!before) return [];
  const changes: HistoryChange[] = [];
  if (before.name !== after.name)
    changes.push({ kind: 'changed', text: `Name ${before.name} → ${after.name}` });
  if (before.isPublic !== after.isPublic)
    changes.push({
      kind: 'changed',
      text: `Visibility ${visibility(before.isPublic)} → ${visibility(after.isPublic)}`,
    });
  const old = new Set(before.variables);
  const now = new Set(after.variables);
  const removed = before.variables.filter((ticker) => !now.has(ticker));
  const added = after.variables.filter((ticker) => !old.has(ticker));
  if (removed.length > 0) changes.push({ kind: 'removed', text: `Removed ${tickers(removed)}` });
  if (added.length > 0) changes.push({ kind: 'added', text: `Added ${tickers(added)}` });
  const oldOrder = before.variables.filter((ticker) => now.has(ticker)).join();
  if (oldOrder !== after.variables.filter((ticker) => old.has(ticker)).join())
    changes.push({ kind: 'moved', text: 'Changed the order' });
  return changes;
}

function visibility(isPublic: boolean): string {
  return isPublic ? 'public' : 'private';
}

function tickers(list: readonly string[]): string {
  const more = list.length - NAMED;
  return more > 0 ? `${list.slice(0, NAMED).join(', ')} and ${more} more` : list.join(', ');
}
