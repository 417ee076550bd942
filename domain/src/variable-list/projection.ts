import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { VARIABLE_LIST_EVENTS } from './events.ts';
import { variableListStream } from './variable-list.ts';

/** A variable list. Times are ISO 8601. Deleted ones stay, so that deletion can be undone. */
export interface VariableListDocument extends ReadDocument {
  readonly ownerId: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly variables: readonly string[];
  readonly isDeleted: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const variableListsProjection: Projection<VariableListDocument> = defineProjection({
  name: 'variableLists',
  version: 1,
  collection: { name: 'variableLists_v1', indexes: [['ownerId', 'isDeleted', 'updatedAt']] },
  events: [VARIABLE_LIST_EVENTS],
  keys: (event) => [event.data.listId],
  evolve: (document, event) => {
    // The document is the state of the list under other names, so the same rules serve both.
    const state = variableListStream.decider.evolve(
      document
        ? { ...document, listId: document.id, status: document.isDeleted ? 'deleted' : 'active' }
        : { status: 'none' },
      event,
    );
    if (state.status === 'none') return null;
    const { listId: id, ownerId, name, isPublic, variables, createdAt, updatedAt } = state;
    return {
      id,
      ownerId,
      name,
      isPublic,
      variables,
      isDeleted: state.status === 'deleted',
      createdAt,
      updatedAt,
    };
  },
});
