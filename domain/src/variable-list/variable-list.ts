import type { Decider } from '../kernel/decider.ts';
import type { EventMetadata } from '../kernel/event.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { VARIABLE_LIST_EVENTS, type VariableListEvent } from './events.ts';
import { cleanTickers, MAX_TICKERS } from './tickers.ts';

export const MAX_LIST_NAME_LENGTH = 200;

export interface VariableListContent {
  readonly name: string;
  readonly isPublic: boolean;
  readonly variables: readonly string[];
}

export type VariableListCommand =
  | ({
      readonly type: 'CreateVariableList';
      readonly listId: string;
      readonly callerId: string;
    } & VariableListContent)
  | {
      readonly type: 'CloneVariableList';
      readonly listId: string;
      readonly callerId: string;
      readonly source: { readonly listId: string } & VariableListContent;
    }
  | ({ readonly type: 'UpdateVariableList'; readonly callerId: string } & Partial<VariableListContent>)
  | {
      readonly type: 'RestoreVariableList';
      readonly callerId: string;
      readonly from: { readonly revision: number } & VariableListContent;
    }
  | { readonly type: 'DeleteVariableList'; readonly callerId: string }
  | { readonly type: 'UndoVariableListDeletion'; readonly callerId: string };

export type VariableListState =
  | { readonly status: 'none' }
  | (VariableListContent & {
      readonly status: 'active' | 'deleted';
      readonly listId: string;
      readonly ownerId: string;
      /** ISO 8601. */
      readonly createdAt: string;
      readonly updatedAt: string;
    });
type ExistingList = Exclude<VariableListState, { status: 'none' }>;

export const VARIABLE_LIST_NOT_FOUND = refuse(
  404,
  'variable_list_not_found',
  'The variable list you are looking for cannot be found.',
);
const NOT_OWNER = refuse(
  403,
  'not_owner',
  'Only the owner of a variable list can change it. Clone it to work on a copy.',
);
const EXISTS = refuse(409, 'variable_list_exists', 'There is a variable list with this id already.');

/** Who may see a list: its owner, and everybody who is signed in and has the link where it is public. */
export function maySeeVariableList(
  list: { readonly ownerId: string; readonly isPublic: boolean; readonly isDeleted: boolean },
  userId: string,
): boolean {
  return !list.isDeleted && (list.ownerId === userId || list.isPublic);
}

function readContent({ name, isPublic, variables }: VariableListContent): VariableListContent | Refusal {
  const trimmed = name.trim();
  if (trimmed === '') return refuse(422, 'invalid_name', 'The variable list needs a name.');
  if (trimmed.length > MAX_LIST_NAME_LENGTH)
    return refuse(422, 'invalid_name', `The name may have at most ${MAX_LIST_NAME_LENGTH} characters.`);
  const { tickers, dropped } = cleanTickers(variables);
  if (tickers.length === 0)
    return refuse(
      422,
      'invalid_variables',
      dropped.length === 0
        ? 'The variable list needs at least one ticker.'
        : `None of the lines is a ticker; the first is ${JSON.stringify(dropped[0]?.slice(0, 40))}. ` +
            'A ticker has 1 to 10 letters, digits or colons.',
    );
  if (tickers.length > MAX_TICKERS)
    return refuse(422, 'too_many_variables', `A variable list holds at most ${MAX_TICKERS} tickers.`);
  return { name: trimmed, isPublic, variables: tickers };
}

function isSame(left: VariableListContent, right: VariableListContent): boolean {
  return (
    left.name === right.name &&
    left.isPublic === right.isPublic &&
    left.variables.length === right.variables.length &&
    left.variables.every((ticker, index) => ticker === right.variables[index])
  );
}

function own(state: VariableListState, callerId: string, deleted = false): ExistingList | Refusal {
  if (state.status === 'none') return VARIABLE_LIST_NOT_FOUND;
  if (state.ownerId !== callerId)
    return state.isPublic && state.status === 'active' ? NOT_OWNER : VARIABLE_LIST_NOT_FOUND;
  return (state.status === 'deleted') === deleted ? state : VARIABLE_LIST_NOT_FOUND;
}

/** Event data have mutable arrays by their schema's type. */
const mutable = ({ name, isPublic, variables }: VariableListContent) => ({
  name,
  isPublic,
  variables: [...variables],
});

function decide(
  command: VariableListCommand,
  state: VariableListState,
): readonly VariableListEvent[] | Refusal {
  switch (command.type) {
    case 'CreateVariableList': {
      if (state.status !== 'none') return EXISTS;
      const content = readContent(command);
      if (isRefusal(content)) return content;
      const { listId, callerId } = command;
      return [{ type: 'VariableListCreated', data: { listId, ownerId: callerId, ...mutable(content) } }];
    }
    case 'CloneVariableList': {
      if (state.status !== 'none') return EXISTS;
      const { source, listId, callerId } = command;
      const suffix = ' (Copy)';
      const name = `${source.name.slice(0, MAX_LIST_NAME_LENGTH - suffix.length)}${suffix}`;
      const content = readContent({ name, isPublic: false, variables: source.variables });
      if (isRefusal(content)) return content;
      const data = { listId, ownerId: callerId, ...mutable(content), sourceId: source.listId };
      return [{ type: 'VariableListCloned', data }];
    }
    case 'UpdateVariableList': {
      const list = own(state, command.callerId);
      if (isRefusal(list)) return list;
      const { name = list.name, isPublic = list.isPublic, variables = list.variables } = command;
      const content = readContent({ name, isPublic, variables });
      if (isRefusal(content)) return content;
      if (isSame(content, list)) return [];
      return [{ type: 'VariableListUpdated', data: { listId: list.listId, ...mutable(content) } }];
    }
    case 'RestoreVariableList': {
      const list = own(state, command.callerId);
      if (isRefusal(list)) return list;
      // What was private or public then does not come back: visibility is decided for today.
      const content = readContent({ ...command.from, isPublic: list.isPublic });
      if (isRefusal(content)) return content;
      if (isSame(content, list)) return [];
      const data = { listId: list.listId, fromRevision: command.from.revision, ...mutable(content) };
      return [{ type: 'VariableListRestored', data }];
    }
    case 'DeleteVariableList': {
      const list = own(state, command.callerId);
      if (isRefusal(list)) return list;
      return [{ type: 'VariableListDeleted', data: { listId: list.listId } }];
    }
    case 'UndoVariableListDeletion': {
      if (state.status === 'active' && state.ownerId === command.callerId) return [];
      const list = own(state, command.callerId, true);
      if (isRefusal(list)) return list;
      return [{ type: 'VariableListDeletionUndone', data: { listId: list.listId } }];
    }
    default: {
      const unknown: never = command;
      return unknown;
    }
  }
}

function evolve(
  state: VariableListState,
  event: VariableListEvent & { readonly metadata?: EventMetadata },
): VariableListState {
  const now = event.metadata?.recordedAt ?? '';
  if (event.type === 'VariableListCreated' || event.type === 'VariableListCloned') {
    const { listId, ownerId, name, isPublic, variables } = event.data;
    return { status: 'active', listId, ownerId, name, isPublic, variables, createdAt: now, updatedAt: now };
  }
  if (state.status === 'none') throw new Error(`${event.type} of a variable list that was never created`);
  const changed = { ...state, updatedAt: now };
  switch (event.type) {
    case 'VariableListUpdated':
    case 'VariableListRestored': {
      const { name, isPublic, variables } = event.data;
      return { ...changed, name, isPublic, variables };
    }
    case 'VariableListDeleted':
      return { ...changed, status: 'deleted' };
    case 'VariableListDeletionUndone':
      return { ...changed, status: 'active' };
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

/** Streams `variableList-{id}`. */
export const variableListStream: StreamKind<VariableListCommand, VariableListState, VariableListEvent> = {
  ...VARIABLE_LIST_EVENTS,
  decider: { initialState: { status: 'none' }, decide, evolve } satisfies Decider<
    VariableListCommand,
    VariableListState,
    VariableListEvent
  >,
};
