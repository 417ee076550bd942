import {
  cloneVariableList,
  createVariableList,
  deleteVariableList,
  undoVariableListDeletion,
  updateVariableList,
  type VariableList,
} from '@quantloom/domain/contracts/http/variable-lists';
import { type CommandResult, loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { cleanTickers } from '@quantloom/domain/variable-list/tickers';
import {
  maySeeVariableList,
  VARIABLE_LIST_NOT_FOUND,
  type VariableListState,
  variableListStream,
} from '@quantloom/domain/variable-list/variable-list';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const locationOf = (id: string) => `/api/v1/variable-lists/${id}`;

/** What a command leaves, as the API shows it. `lines`: what the caller sent, to tell which of it was left out. */
export function variableListOf(
  { state, revision }: Pick<CommandResult<VariableListState>, 'state' | 'revision'>,
  lines?: readonly string[],
): VariableList {
  if (state.status === 'none') throw new Error('There is no variable list after the command');
  const { dropped } = cleanTickers(lines ?? []);
  return {
    id: state.listId,
    name: state.name,
    is_public: state.isPublic,
    user_id: state.ownerId,
    variables: [...state.variables],
    created_at: state.createdAt,
    updated_at: state.updatedAt,
    revision,
    ...(dropped.length > 0 && { dropped: [...dropped] }),
  };
}

/** Commands on variable lists. */
export function mountVariableLists(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, createVariableList, async (call) => {
    const listId = call.request.commandId;
    const { name, is_public: isPublic = false, variables } = call.body;
    const command = { type: 'CreateVariableList', listId, callerId: call.principal.userId } as const;
    const result = await runCommand(
      call,
      deps,
      variableListStream,
      listId,
      { ...command, name, isPublic, variables },
      locationOf(listId),
    );
    return isRefusal(result) ? result : variableListOf(result, variables);
  });

  mountRoute(app, updateVariableList, async (call) => {
    const { name, is_public, variables } = call.body;
    const result = await runCommand(call, deps, variableListStream, call.params.id, {
      type: 'UpdateVariableList',
      callerId: call.principal.userId,
      ...(name !== undefined && { name }),
      ...(is_public !== undefined && { isPublic: is_public }),
      ...(variables !== undefined && { variables }),
    });
    return isRefusal(result) ? result : variableListOf(result, variables);
  });

  mountRoute(app, cloneVariableList, async (call) => {
    const { state } = await loadState(deps.eventStore, variableListStream, call.params.id, deps.stateCache);
    const callerId = call.principal.userId;
    if (
      state.status === 'none' ||
      !maySeeVariableList({ ...state, isDeleted: state.status === 'deleted' }, callerId)
    )
      return VARIABLE_LIST_NOT_FOUND;
    const listId = call.request.commandId;
    const command = { type: 'CloneVariableList', listId, callerId, source: state } as const;
    const result = await runCommand(call, deps, variableListStream, listId, command, locationOf(listId));
    return isRefusal(result) ? result : variableListOf(result);
  });

  mountRoute(app, deleteVariableList, async (call) => {
    const command = { type: 'DeleteVariableList', callerId: call.principal.userId } as const;
    const result = await runCommand(call, deps, variableListStream, call.params.id, command);
    return isRefusal(result) ? result : { id: call.params.id, deleted: true, revision: result.revision };
  });

  mountRoute(app, undoVariableListDeletion, async (call) => {
    const command = { type: 'UndoVariableListDeletion', callerId: call.principal.userId } as const;
    const result = await runCommand(call, deps, variableListStream, call.params.id, command);
    return isRefusal(result) ? result : variableListOf(result);
  });
}
