import {
  cloneVariableList,
  createVariableList,
  deleteVariableList,
  undoVariableListDeletion,
  updateVariableList,
} from '@quantloom/domain/contracts/http/variable-lists';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import {
  maySeeVariableList,
  VARIABLE_LIST_NOT_FOUND,
  variableListStream,
} from '@quantloom/domain/variable-list/variable-list';
import { variableListOf } from '@quantloom/domain/variable-list/view';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const locationOf = (id: string) => `/api/v1/variable-lists/${id}`;

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
