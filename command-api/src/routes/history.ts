import { restoreTradingBot, restoreVariableList } from '@quantloom/domain/contracts/http/history';
import { contentAt, stateAt } from '@quantloom/domain/kernel/history';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import { strategyHistory } from '@quantloom/domain/strategy/history';
import { readTree } from '@quantloom/domain/strategy/stored-tree';
import { STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { tradingBotAt } from '@quantloom/domain/strategy/view';
import { variableListHistory } from '@quantloom/domain/variable-list/history';
import { VARIABLE_LIST_NOT_FOUND, variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { variableListOf } from '@quantloom/domain/variable-list/view';
import { paidJobs } from '@quantloom/http/documents/paid-jobs';
import { botAnswer, isLargeInline, readAgain } from '@quantloom/http/documents/trees';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';
import { storing } from './strategies.ts';

const REVISION_NOT_FOUND = refuse(404, 'revision_not_found', 'There is no such revision.');

/** Restoring: an earlier revision's content becomes the newest one. */
export function mountHistory(app: FastifyInstance, deps: WriteDeps): void {
  mountRoute(app, restoreTradingBot, async (call) => {
    const { id } = call.params;
    const revision = Number(call.params.revision);
    const { userId, features } = call.principal;
    // The decider checks the owner again; here it keeps a stranger from learning anything. The first event
    // names him for good.
    const begun = await stateAt(deps.eventStore, strategyStream, id, 0);
    if (!begun || begun.state.status === 'none' || begun.state.ownerId !== userId) return STRATEGY_NOT_FOUND;
    const at = await contentAt(deps.eventStore, strategyStream, id, strategyHistory, revision);
    if (!at) return REVISION_NOT_FOUND;
    const { name, held } = at;
    const refused = await call.cost.expect(costOfStoredTree(held));
    if (refused) return refused;
    const read =
      held.tree || isLargeInline(held)
        ? await readAgain(deps.eventStore, paidJobs(app.documents, call), held, features)
        : readTree(held.algorithm, features);
    const given = isRefusal(read) ? new RefusalError(read) : read;
    const result = await runCommand(
      call,
      deps,
      strategyStream,
      id,
      { type: 'RestoreStrategy', caller: { userId, features }, from: { revision, name, algorithm: given } },
      undefined,
      storing(deps, given),
    );
    return isRefusal(result) ? result : await botAnswer(deps.eventStore, tradingBotAt(result));
  });

  mountRoute(app, restoreVariableList, async (call) => {
    const { id } = call.params;
    const revision = Number(call.params.revision);
    const callerId = call.principal.userId;
    const begun = await stateAt(deps.eventStore, variableListStream, id, 0);
    if (!begun || begun.state.status === 'none' || begun.state.ownerId !== callerId)
      return VARIABLE_LIST_NOT_FOUND;
    const at = await contentAt(deps.eventStore, variableListStream, id, variableListHistory, revision);
    if (!at) return REVISION_NOT_FOUND;
    const { name, isPublic, variables } = at;
    const result = await runCommand(call, deps, variableListStream, id, {
      type: 'RestoreVariableList',
      callerId,
      from: { revision, name, isPublic, variables },
    });
    return isRefusal(result) ? result : variableListOf(result);
  });
}
