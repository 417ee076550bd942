import type { HistoryRules } from '../kernel/history.ts';
import { diffStrategies } from './diff.ts';
import type { StrategyEvent } from './events.ts';
import type { Algorithm } from './tree.ts';

export interface StrategyHistoryContent {
  readonly name: string;
  readonly algorithm: Algorithm;
}

/** How a strategy's events are told to its owner. */
export const strategyHistory: HistoryRules<StrategyEvent, StrategyHistoryContent> = {
  fields: ['name', 'algorithm'],
  contentOf: ({ data }) => ({
    ...('name' in data && { name: data.name }),
    ...('algorithm' in data && { algorithm: data.algorithm }),
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
        return { summary: 'Saved', changes: contentChanges(before, event.data) };
      case 'StrategyRestored':
        return {
          summary: `Restored revision ${event.data.fromRevision}`,
          changes: contentChanges(before, event.data),
        };
      case 'StrategyRenamed':
        return { summary: 'Renamed', changes: contentChanges(before, event.data) };
      case 'StrategyVisibilityChanged':
        return { summary: event.data.isPublic ? 'Made public' : 'Made private', changes: [] };
      case 'StrategyDeleted':
        return { summary: 'Deleted', changes: [] };
      case 'StrategyDeletionUndone':
        return { summary: 'Deletion undone', changes: [] };
      default: {
        const unknown: never = event;
        return unknown;
      }
    }
  },
};

function contentChanges(
  before: StrategyHistoryContent | null,
  after: { readonly name: string; readonly algorithm?: Algorithm },
) {
  if (!before) return [];
  const renamed =
    before.name === after.name
      ? []
      : [{ kind: 'changed' as const, text: `Name of the trading bot ${before.name} → ${after.name}` }];
  const edited = after.algorithm ? diffStrategies(before.algorithm, after.algorithm) : [];
  return [...renamed, ...edited.map(({ kind, text, nodeId }) => ({ kind, text, nodeId }))];
}
