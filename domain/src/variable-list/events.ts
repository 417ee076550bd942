import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, exactly, Id, Text } from '../kernel/event-fields.ts';

/** The events of a `variableList-{id}` stream. */

const content = { name: Text, isPublic: Type.Boolean(), variables: Type.Array(Text) };
const created = { listId: Id, ownerId: Id, ...content };
const Reference = exactly({ listId: Id });

export const VARIABLE_LIST_EVENTS = defineStream({
  category: 'variableList',
  events: {
    VariableListCreated: exactly(created),
    VariableListCloned: exactly({ ...created, sourceId: Id }),
    VariableListUpdated: exactly({ listId: Id, ...content }),
    VariableListRestored: exactly({ listId: Id, fromRevision: Count, ...content }),
    VariableListDeleted: Reference,
    VariableListDeletionUndone: Reference,
  },
});
export type VariableListEvent = EventOf<typeof VARIABLE_LIST_EVENTS>;
