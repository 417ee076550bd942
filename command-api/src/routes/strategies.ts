import { createHash } from 'node:crypto';
import { deleteDraft } from '@quantloom/domain/contracts/http/drafts';
import {
  cloneTradingBot,
  createTradingBot,
  undoTradingBotDeletion,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/strategies';
import type { FidelityReport } from '@quantloom/domain/exchange/fidelity-report';
import { type CommandContext, loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import { ownFieldsGiven } from '@quantloom/domain/strategy/own-fields/own-fields';
import { heldTreeOf, ReadTree, readTree, type TreeReference } from '@quantloom/domain/strategy/stored-tree';
import {
  maySeeStrategy,
  STRATEGY_NOT_FOUND,
  type StrategyCaller,
  strategyStream,
} from '@quantloom/domain/strategy/strategy';
import { tradingBotAt } from '@quantloom/domain/strategy/view';
import { paidJobs } from '@quantloom/http/documents/paid-jobs';
import { botAnswer, isLargeInline, readAgain, storeTree } from '@quantloom/http/documents/trees';
import type { Principal } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

const callerOf = ({ userId, features }: Principal): StrategyCaller => ({ userId, features });
const locationOf = (id: string) => `/api/v1/trading-bots/${id}`;

/** The name of a new bot that came without one: its root block's, or the editor's default. */
function nameOf(body: { name?: string; algorithm?: unknown }): string {
  const own = (body.algorithm as { name?: unknown } | null | undefined)?.name;
  return body.name ?? (typeof own === 'string' && own.trim() !== '' ? own : 'New Trading Bot');
}

/** The tree of a request as commands take it, read already. */
function givenTree(
  request: FastifyRequest,
  algorithm: unknown,
  { features }: Principal,
): ReadTree | RefusalError {
  if (request.readTree) return request.readTree;
  const read = readTree(algorithm, features, sha256Hex);
  return isRefusal(read) ? new RefusalError(read) : read;
}

/** Stores a tree that is to stand by itself, before the event that refers to it. */
export function storing(
  { eventStore }: Pick<WriteDeps, 'eventStore'>,
  given: ReadTree | RefusalError | undefined,
): CommandContext['prepare'] {
  if (!(given instanceof ReadTree) || given.text === null || !given.held.tree) return undefined;
  const { text } = given;
  const { hash } = given.held.tree;
  return async (events) => {
    const [first] = events.filter(({ data }) => (data as { tree?: TreeReference }).tree?.hash === hash);
    if (first) await storeTree(eventStore, { hash, text }, first);
    return null;
  };
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The report alone, whatever else of the import's answer was sent back with it. */
function reportOf({ source, counts, items }: FidelityReport): FidelityReport {
  return { source, counts, items };
}

/** Commands on trading bots (drafts, templates: the same things). */
export function mountStrategies(app: FastifyInstance, deps: WriteDeps): void {
  const answer = (result: Parameters<typeof tradingBotAt>[0]) =>
    botAnswer(deps.eventStore, tradingBotAt(result));

  mountRoute(app, createTradingBot, async (call) => {
    const strategyId = call.request.commandId;
    const given = givenTree(call.request, call.body.algorithm, call.principal);
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
        algorithm: given,
        ...(call.body.imported_from && {
          imported: {
            fileName: call.body.imported_from.file_name,
            report: reportOf(call.body.imported_from.report),
          },
        }),
      },
      locationOf(strategyId),
      storing(deps, given),
    );
    return isRefusal(result) ? result : await answer(result);
  });

  mountRoute(app, updateTradingBot, async (call) => {
    const { name, is_public, status, algorithm } = call.body;
    const given = algorithm === undefined ? undefined : givenTree(call.request, algorithm, call.principal);
    const result = await runCommand(
      call,
      deps,
      strategyStream,
      call.params.id,
      {
        type: 'UpdateStrategy',
        caller: callerOf(call.principal),
        ...(name !== undefined && { name }),
        ...(is_public !== undefined && { isPublic: is_public }),
        ...(status !== undefined && { status }),
        ...(given !== undefined && { algorithm: given }),
        ...ownFieldsGiven(call.body),
      },
      undefined,
      storing(deps, given),
    );
    return isRefusal(result) ? result : await answer(result);
  });

  mountRoute(app, cloneTradingBot, async (call) => {
    const source = await loadState(deps.eventStore, strategyStream, call.params.id, deps.stateCache);
    const { state } = source;
    if (
      state.status === 'none' ||
      !maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, call.principal.userId)
    )
      return STRATEGY_NOT_FOUND;
    const refused = await call.cost.expect(costOfStoredTree(heldTreeOf(state)));
    if (refused) return refused;
    const { name, variables, lineageId, holdOut } = state;
    let held = heldTreeOf(state);
    let read: ReadTree | undefined;
    if (isLargeInline(held)) {
      const again = await readAgain(deps.eventStore, paidJobs(app.documents, call), held, null);
      if (isRefusal(again)) return again;
      read = again;
      held = again.held;
    }
    const strategyId = call.request.commandId;
    const result = await runCommand(
      call,
      deps,
      strategyStream,
      strategyId,
      {
        type: 'CloneStrategy',
        strategyId,
        caller: callerOf(call.principal),
        source: {
          strategyId: state.strategyId,
          revision: source.revision,
          name,
          variables,
          lineageId,
          ...(holdOut && { holdOut }),
          ...held,
        },
      },
      locationOf(strategyId),
      storing(deps, read),
    );
    return isRefusal(result) ? result : await answer(result);
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
    return isRefusal(result) ? result : await answer(result);
  });
}
