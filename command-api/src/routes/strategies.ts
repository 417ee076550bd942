import { deleteDraft } from '@quantloom/domain/contracts/http/drafts';
import {
  cloneTradingBot,
  createTradingBot,
  undoTradingBotDeletion,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/strategies';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import {
  maySeeStrategy,
  STRATEGY_NOT_FOUND,
  type StrategyCaller,
  strategyStream,
} from '@quantloom/domain/strategy/strategy';
import { tradingBotOf } from '@quantloom/domain/strategy/view';
import type { Principal } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const callerOf = ({ userId, features }: Principal): StrategyCaller => ({ userId, features });
const locationOf = (id: string) => `/api/v1/trading-bots/${id}`;

/** The name of a new bot that came without one: its root block's, or the editor's default. */
function nameOf(body: { name?: string; algorithm?: unknown }): string {
  const own = (body.algorithm as { name?: unknown } | null | undefined)?.name;
  return body.name ?? (typeof own === 'string' && own.trim() !== '' ? own : 'New Trading Bot');
}

/** Commands on trading bots (drafts, templates: the same things). */
export function mountStrategies(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, createTradingBot, async (call) => {
    const strategyId = call.request.commandId;
    const result = await runCommand(
      call,
      deps,
      strategyStream,
      strategyId,
      {
        type: 'CreateStrategy',
        strategyId,
        caller: callerOf(call.principal),
        name: nameOf(call.body),
        isPublic: call.body.is_public ?? false,
        status: call.body.status ?? 'draft',
        algorithm: call.body.algorithm,
        ...(call.body.imported_from && {
          imported: { fileName: call.body.imported_from.file_name, report: call.body.imported_from.report },
        }),
      },
      locationOf(strategyId),
    );
    return isRefusal(result) ? result : tradingBotOf(result);
  });

  mountRoute(app, updateTradingBot, async (call) => {
    const { name, is_public, status, algorithm } = call.body;
    const result = await runCommand(call, deps, strategyStream, call.params.id, {
      type: 'UpdateStrategy',
      caller: callerOf(call.principal),
      ...(name !== undefined && { name }),
      ...(is_public !== undefined && { isPublic: is_public }),
      ...(status !== undefined && { status }),
      ...(algorithm !== undefined && { algorithm }),
    });
    return isRefusal(result) ? result : tradingBotOf(result);
  });

  mountRoute(app, cloneTradingBot, async (call) => {
    const source = await loadState(deps.eventStore, strategyStream, call.params.id, deps.stateCache);
    const { state } = source;
    if (
      state.status === 'none' ||
      !maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, call.principal.userId)
    )
      return STRATEGY_NOT_FOUND;
    const refused = await call.cost.expect(costOfStoredTree(state.algorithm));
    if (refused) return refused;
    const strategyId = call.request.commandId;
    const { name, algorithm, lineageId } = state;
    const result = await runCommand(
      call,
      deps,
      strategyStream,
      strategyId,
      {
        type: 'CloneStrategy',
        strategyId,
        caller: callerOf(call.principal),
        source: { strategyId: state.strategyId, revision: source.revision, name, algorithm, lineageId },
      },
      locationOf(strategyId),
    );
    return isRefusal(result) ? result : tradingBotOf(result);
  });

  mountRoute(app, deleteDraft, async (call) => {
    const result = await runCommand(call, deps, strategyStream, call.params.id, {
      type: 'DeleteStrategy',
      caller: callerOf(call.principal),
    });
    return isRefusal(result) ? result : { id: call.params.id, deleted: true, revision: result.revision };
  });

  mountRoute(app, undoTradingBotDeletion, async (call) => {
    const result = await runCommand(call, deps, strategyStream, call.params.id, {
      type: 'UndoStrategyDeletion',
      caller: callerOf(call.principal),
    });
    return isRefusal(result) ? result : tradingBotOf(result);
  });
}
