import { type Static, Type } from 'typebox';
import type { DomainEvent } from '../kernel/event.ts';
import type { EventType } from '../kernel/event-type.ts';

/** The events of a `variableList-{id}` stream. */

const listId = Type.String({ minLength: 1 });
const content = { name: Type.String(), isPublic: Type.Boolean(), variables: Type.Array(Type.String()) };
const CreatedData = Type.Object({ listId, ownerId: Type.String({ minLength: 1 }), ...content });
const ClonedData = Type.Object({ ...CreatedData.properties, sourceId: Type.String({ minLength: 1 }) });
const UpdatedData = Type.Object({ listId, ...content });
const RestoredData = Type.Object({ listId, fromRevision: Type.Integer({ minimum: 0 }), ...content });
const ReferenceData = Type.Object({ listId });

export type VariableListEvent =
  | DomainEvent<'VariableListCreated', Static<typeof CreatedData>>
  | DomainEvent<'VariableListCloned', Static<typeof ClonedData>>
  | DomainEvent<'VariableListUpdated', Static<typeof UpdatedData>>
  | DomainEvent<'VariableListRestored', Static<typeof RestoredData>>
  | DomainEvent<'VariableListDeleted', Static<typeof ReferenceData>>
  | DomainEvent<'VariableListDeletionUndone', Static<typeof ReferenceData>>;

export const VARIABLE_LIST_EVENTS: readonly EventType[] = [
  { type: 'VariableListCreated', version: 1, schema: CreatedData },
  { type: 'VariableListCloned', version: 1, schema: ClonedData },
  { type: 'VariableListUpdated', version: 1, schema: UpdatedData },
  { type: 'VariableListRestored', version: 1, schema: RestoredData },
  { type: 'VariableListDeleted', version: 1, schema: ReferenceData },
  { type: 'VariableListDeletionUndone', version: 1, schema: ReferenceData },
];
