import type { HistoryChange, HistoryRules } from '../kernel/history.ts';
import { diffStrategies } from './diff.ts';
import type { StrategyEvent } from './events.ts';
import { ownFieldTold } from './own-fields/own-fields.ts';
import { type HeldTree, heldTreeOf } from './stored-tree.ts';
import { isSameTree } from './strategy.ts';
import type { Algorithm } from './tree.ts';

export interface StrategyHistoryContent {
  readonly name: string;
  readonly held: HeldTree;
}

/** Two trees whose differences are still to be found, because one of them is stored by itself. */
export interface TreePair {
  readonly before: HeldTree;
  readonly after: HeldTree;
}

/** How a strategy's events are told to its owner. */
export const strategyHistory: HistoryRules<StrategyEvent, StrategyHistoryContent, TreePair> = {
  fields: ['name', 'held'],
  contentOf: ({ data }) => ({
    ...('name' in data && { name: data.name }),
    ...('variables' in data && { held: heldTreeOf(data) }),
  }),
  describe: (event, before) => {
    switch (event.type) {
      case 'StrategyCreated':
        return { summary: `Created "${event.data.name}"`, changes: [] };
      case 'StrategyCloned':
        return {
          summary: `Cloned from another trading bot (revision ${event.data.source.revision})`,
          changes: [],
        };
      case 'StrategyImported':
        return { summary: `Imported from ${event.data.report.source}`, changes: [] };
      case 'StrategySaved':
        return { summary: 'Saved', ...contentChanges(before, event.data, event.data) };
      case 'StrategyRestored':
        return {
          summary: `Restored revision ${event.data.fromRevision}`,
          ...contentChanges(before, event.data, event.data),
        };
      case 'StrategyRenamed':
        return { summary: 'Renamed', ...contentChanges(before, event.data) };
      case 'StrategyVisibilityChanged':
        return { summary: event.data.isPublic ? 'Made public' : 'Made private', changes: [] };
      case 'StrategyHoldOutSet':
        return {
          summary:
            event.data.date === null
              ? 'Took the hold-out off: batches rank all days again'
              : `Held out the days from ${event.data.date} on`,
          changes: [],
        };
      case 'StrategyDeleted':
        return { summary: 'Deleted', changes: [] };
      case 'StrategyDeletionUndone':
        return { summary: 'Deletion undone', changes: [] };
      default:
        return { summary: ownFieldTold(event), changes: [] };
    }
  },
};

function contentChanges(
  before: StrategyHistoryContent | null,
  after: { readonly name: string },
  held?: HeldTree,
): { readonly changes: readonly HistoryChange[]; readonly compare?: TreePair } {
  if (!before) return { changes: [] };
  const renamed =
    before.name === after.name
      ? []
      : [{ kind: 'changed' as const, text: `Name of the trading bot ${before.name} → ${after.name}` }];
  if (!held || isSameTree(before.held, held)) return { changes: renamed };
  if (before.held.tree || held.tree)
    return { changes: renamed, compare: { before: before.held, after: heldTreeOf(held) } };
  // The root carries the same name: it is told once.
  const now = renamed.length > 0 ? { ...held.algorithm, name: before.held.algorithm.name } : held.algorithm;
  return { changes: [...renamed, ...treeChanges(before.held.algorithm, now)] };
}

/** What one tree became another by. */
export function treeChanges(before: Algorithm, after: Algorithm): HistoryChange[] {
  return diffStrategies(before, after).map(({ kind, text, nodeId }) => ({ kind, text, nodeId }));
}
