import {
  changeResultView,
  createResultView,
  deleteResultView,
  resultViewAnswer,
} from '@quantloom/domain/contracts/http/result-views';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { type ResultViewsState, resultViewsStream } from '@quantloom/domain/result-views/result-views';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/** The view after a command on it. */
function answerOf(result: { readonly state: ResultViewsState } | Refusal, viewId: string) {
  if (isRefusal(result)) return result;
  const view = result.state.views.find(({ id }) => id === viewId);
  if (!view) throw new Error('A view that was just written is missing');
  return resultViewAnswer(view, result.state);
}

/** Views of batch results, each in the account of who made it. */
export function mountResultViews(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, createResultView, async (call) => {
    const viewId = call.request.commandId;
    const { userId } = call.principal;
    const { name, is_default: isDefault = false, ...content } = call.body;
    const command = { type: 'CreateResultView', userId, viewId, name, content, isDefault } as const;
    return answerOf(await runCommand(call, deps, resultViewsStream, userId, command), viewId);
  });

  mountRoute(app, changeResultView, async (call) => {
    const viewId = call.params.id;
    const { userId } = call.principal;
    const { name, is_default: isDefault, ...content } = call.body;
    const command = { type: 'ChangeResultView', userId, viewId, name, content, isDefault } as const;
    return answerOf(await runCommand(call, deps, resultViewsStream, userId, command), viewId);
  });

  mountRoute(app, deleteResultView, async (call) => {
    const { id } = call.params;
    const { userId } = call.principal;
    const command = { type: 'DeleteResultView', userId, viewId: id } as const;
    const result = await runCommand(call, deps, resultViewsStream, userId, command);
    return isRefusal(result) ? result : { id, deleted: true };
  });
}
