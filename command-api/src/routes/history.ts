import { restoreTradingBot, restoreVariableList } from '@quantloom/domain/contracts/http/history';
import { stateAt } from '@quantloom/domain/kernel/history';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import { heldTreeOf, readTree } from '@quantloom/domain/strategy/stored-tree';
import { STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { tradingBotAt } from '@quantloom/domain/strategy/view';
import { VARIABLE_LIST_NOT_FOUND, variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { variableListOf } from '@quantloom/domain/variable-list/view';
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
    const at = await stateAt(deps.eventStore, strategyStream, id, revision);
    const { userId, features } = call.principal;
    // The decider checks the owner again; here it keeps a stranger from learning anything.
    const owned = at ?? (await stateAt(deps.eventStore, strategyStream, id, 0));
    if (!owned || owned.state.status === 'none' || owned.state.ownerId !== userId) return STRATEGY_NOT_FOUND;
    if (!at || at.state.status === 'none') return REVISION_NOT_FOUND;
    const { name } = at.state;
    const held = heldTreeOf(at.state);
    const refused = await call.cost.expect(costOfStoredTree(held));
    if (refused) return refused;
    const read =
      held.tree || isLargeInline(held)
        ? await readAgain(deps.eventStore, app.documents, held, { userId, features })
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
    const at = await stateAt(deps.eventStore, variableListStream, id, revision);
    const callerId = call.principal.userId;
    const owned = at ?? (await stateAt(deps.eventStore, variableListStream, id, 0));
    if (!owned || owned.state.status === 'none' || owned.state.ownerId !== callerId)
      return VARIABLE_LIST_NOT_FOUND;
    if (!at || at.state.status === 'none') return REVISION_NOT_FOUND;
    const { name, isPublic, variables } = at.state;
    const result = await runCommand(call, deps, variableListStream, id, {
      type: 'RestoreVariableList',
      callerId,
      from: { revision, name, isPublic, variables },
    });
    return isRefusal(result) ? result : variableListOf(result);
  });
}
