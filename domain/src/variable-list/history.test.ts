import { describe, expect, it } from 'vitest';
import type { VariableListEvent } from './events.ts';
import { variableListHistory } from './history.ts';
import type { VariableListContent } from './variable-list.ts';

const before = { name: 'L', isPublic: false, variables: ['A', 'B', 'C'] };
const saved = (over: Partial<VariableListContent>): VariableListEvent => ({
  type: 'VariableListUpdated',
  data: { listId: 'l1', ...before, ...over } as typeof before & { listId: string },
});
const told = (over: Partial<VariableListContent>, from: VariableListContent | null = before) =>
  variableListHistory.describe(saved(over), from);
const letters = (count: number) => Array.from({ length: count }, (_, i) => `T${i}`);

describe('the history of a variable list', () => {
  it.each<[string, object, object[]]>([
    ['a name', { name: 'M' }, [{ kind: 'changed', text: 'Name L → M' }]],
    ['who may see it', { isPublic: true }, [{ kind: 'changed', text: 'Visibility private → public' }]],
    ['tickers that went', { variables: ['B'] }, [{ kind: 'removed', text: 'Removed A, C' }]],
    ['tickers that came', { variables: ['A', 'D', 'B', 'C'] }, [{ kind: 'added', text: 'Added D' }]],
    ['another order', { variables: ['B', 'A', 'C'] }, [{ kind: 'moved', text: 'Changed the order' }]],
    ['nothing', {}, []],
    [
      'all at once',
      { name: 'M', isPublic: true, variables: ['D', 'C', 'B'] },
      [
        { kind: 'changed', text: 'Name L → M' },
        { kind: 'changed', text: 'Visibility private → public' },
        { kind: 'removed', text: 'Removed A' },
        { kind: 'added', text: 'Added D' },
        { kind: 'moved', text: 'Changed the order' },
      ],
    ],
  ])('tells %s', (_, over, changes) => expect(told(over)).toEqual({ summary: 'Saved', changes }));

  it('names twenty tickers, and of more the number', () => {
    const added = (count: number) =>
      told({ variables: letters(count) }, { ...before, variables: [] }).changes;
    expect(added(20)).toEqual([{ kind: 'added', text: `Added ${letters(20).join(', ')}` }]);
    expect(added(21)).toEqual([{ kind: 'added', text: `Added ${letters(20).join(', ')} and 1 more` }]);
    expect(added(23)).toEqual([{ kind: 'added', text: `Added ${letters(20).join(', ')} and 3 more` }]);
  });

  it('says how it began, ended and came back', () => {
    const data = { listId: 'l1', ...before };
    const summary = (event: VariableListEvent, from: VariableListContent | null = before) =>
      variableListHistory.describe(event, from);
    expect(summary({ type: 'VariableListCreated', data: { ownerId: 'o', ...data } }, null)).toEqual({
      summary: 'Created "L"',
      changes: [],
    });
    expect(
      summary({ type: 'VariableListCloned', data: { ownerId: 'o', sourceId: 'l0', ...data } }, null),
    ).toEqual({ summary: 'Cloned from another variable list', changes: [] });
    expect(summary({ type: 'VariableListDeleted', data: { listId: 'l1' } })).toEqual({
      summary: 'Deleted',
      changes: [],
    });
    expect(summary({ type: 'VariableListDeletionUndone', data: { listId: 'l1' } })).toEqual({
      summary: 'Deletion undone',
      changes: [],
    });
    expect(summary({ type: 'VariableListRestored', data: { ...data, name: 'M', fromRevision: 7 } })).toEqual({
      summary: 'Restored revision 7',
      changes: [{ kind: 'changed', text: 'Name L → M' }],
    });
    expect(told({ name: 'M' }, null)).toEqual({ summary: 'Saved', changes: [] });
  });

  it('knows what a list held from what was saved of it', () => {
    expect(variableListHistory.contentOf(saved({ name: 'M' }))).toEqual({ ...before, name: 'M' });
    expect(variableListHistory.contentOf({ type: 'VariableListDeleted', data: { listId: 'l1' } })).toEqual(
      {},
    );
    expect(variableListHistory.fields).toEqual(['name', 'isPublic', 'variables']);
  });
});
