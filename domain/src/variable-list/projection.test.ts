import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import type { VariableListEvent } from './events.ts';
import { variableListsProjection } from './projection.ts';
import { type VariableListState, variableListStream } from './variable-list.ts';
import { variableListOf } from './view.ts';

const listId = 'l1';
const content = { name: 'L', isPublic: false, variables: ['SPY', 'QQQ'] };
const created: VariableListEvent = {
  type: 'VariableListCreated',
  data: { listId, ownerId: 'o', ...content },
};
const updated: VariableListEvent = {
  type: 'VariableListUpdated',
  data: { listId, name: 'M', isPublic: true, variables: ['TLT'] },
};
const deleted: VariableListEvent = { type: 'VariableListDeleted', data: { listId } };
const undone: VariableListEvent = { type: 'VariableListDeletionUndone', data: { listId } };
const restored: VariableListEvent = {
  type: 'VariableListRestored',
  data: { listId, fromRevision: 0, ...content },
};
const cloned: VariableListEvent = {
  type: 'VariableListCloned',
  data: { listId, ownerId: 'o', sourceId: 'l0', ...content },
};
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const list = (...events: readonly VariableListEvent[]) => folded(variableListsProjection, ...events);
const stateOf = (...events: readonly VariableListEvent[]) =>
  events.reduce<VariableListState>(
    (state, event, i) =>
      variableListStream.decider.evolve(state, { ...event, metadata: { recordedAt: at(i + 1) } } as never),
    variableListStream.decider.initialState,
  );

describe('a variable list as it is found', () => {
  it('is what was saved last', () => {
    const first = {
      id: listId,
      ownerId: 'o',
      ...content,
      isDeleted: false,
      createdAt: at(1),
      updatedAt: at(1),
    };
    expect(list(created)).toEqual(first);
    expect(list(cloned)).toEqual(first);
    expect(list(created, updated)).toEqual({
      ...first,
      name: 'M',
      isPublic: true,
      variables: ['TLT'],
      updatedAt: at(2),
    });
    expect(list(created, updated, restored)).toEqual({ ...first, updatedAt: at(3) });
  });

  it('stays when it is deleted, so that it can be brought back', () => {
    expect(list(created, deleted)).toMatchObject({ isDeleted: true, name: 'L', updatedAt: at(2) });
    expect(list(created, deleted, undone)).toMatchObject({ isDeleted: false, updatedAt: at(3) });
    expect(() => list(deleted)).toThrow('VariableListDeleted of a variable list that was never created');
  });
});

describe('a variable list as the API shows it', () => {
  const shown = {
    id: listId,
    name: 'L',
    is_public: false,
    user_id: 'o',
    variables: ['SPY', 'QQQ'],
    created_at: at(1),
    updated_at: at(1),
    revision: 0,
  };

  it('tells which of the sent lines were left out or changed, where there are such', () => {
    const state = stateOf(created);
    expect(variableListOf({ state, revision: 0 })).toEqual(shown);
    expect(variableListOf({ state, revision: 0 }, ['SPY'])).toEqual(shown);
    expect(variableListOf({ state, revision: 0 }, ['$spy', '---', 'QQQ'])).toEqual({
      ...shown,
      dropped: ['---'],
      changed: [{ from: '$spy', to: 'SPY' }],
    });
  });

  it('is there, or its stream is broken', () => {
    expect(() => variableListOf({ state: stateOf(), revision: -1 })).toThrow(
      'no variable list in this stream',
    );
  });
});
