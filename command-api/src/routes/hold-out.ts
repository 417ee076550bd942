import { type BatchLooksDocument, batchLooksProjection, dayBefore } from '@quantloom/domain/batch/looks';
import {
  type BatchDocument,
  type BatchStatus,
  batchesProjection,
  UNFINISHED_STATUSES,
} from '@quantloom/domain/batch/projections';
import { setTradingBotHoldOut } from '@quantloom/domain/contracts/http/strategies';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { LineageLook } from '@quantloom/domain/strategy/hold-out';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { holdOutAnswer } from '@quantloom/domain/strategy/view';
import { UnavailableError } from '@quantloom/http/principal';
import { MAX_WAIT_MS, type ReadModelProgress } from '@quantloom/http/read-own-writes';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/**
 * Batches that will rank their rows, or can be made to: one that failed may be run again, until its owner
 * deletes it.
 */
const MAY_STILL_RANK: ReadonlySet<BatchStatus> = new Set([...UNFINISHED_STATUSES, 'Error']);

/** The command that holds days out of all batches of a strategy. */
export function mountHoldOut(
  app: FastifyInstance,
  deps: WriteDeps & { readonly consistency?: ReadModelProgress },
): void {
  mountRoute(app, setTradingBotHoldOut, async (call) => {
    const { id } = call.params;
    const { userId, features } = call.principal;
    const { state } = await loadState(deps.eventStore, strategyStream, id, deps.stateCache);
    // The decider refuses everybody else before it looks at the lineage.
    const isOwn = state.status !== 'none' && state.ownerId === userId;
    if (isOwn) await awaitBatches(deps);
    const looks = isOwn ? await looksOf(deps.readModels, state.lineageId, userId) : [];
    const result = await runCommand(call, deps, strategyStream, id, {
      type: 'SetStrategyHoldOut',
      caller: { userId, features },
      date: call.body.date,
      looks,
    });
    if (isRefusal(result)) return result;
    const { state: now, revision } = result;
    return { id, revision, hold_out: holdOutAnswer(now.status === 'none' ? undefined : now.holdOut) };
  });
}

/**
 * A batch that was created a moment ago is to be among those that are looked at. A promise about days that
 * nobody has looked at cannot be taken back, so that it is not made before all looks are known, as after an upgrade.
 */
async function awaitBatches({
  eventStore,
  consistency,
}: Pick<WriteDeps, 'eventStore'> & { readonly consistency?: ReadModelProgress }): Promise<void> {
  const isReached = await consistency?.whenReached(await eventStore.head(), {
    projections: [batchLooksProjection, batchesProjection],
    timeoutMs: MAX_WAIT_MS,
  });
  if (isReached === false) throw new UnavailableError('what batches have looked at is not known yet');
}

/** How far each batch of a lineage has ranked its rows, or will where it is under way. */
async function looksOf(readModels: ReadModels, lineageId: string, userId: string): Promise<LineageLook[]> {
  const documents = await readModels.find<BatchLooksDocument>(batchLooksProjection.collection.name, {
    where: { lineageId },
  });
  const unseen = documents.filter(({ seenUntil: until }) => until === '').map(({ id }) => id);
  const batches =
    unseen.length === 0
      ? []
      : await readModels.getMany<BatchDocument>(batchesProjection.collection.name, unseen);
  const coming = new Set(batches.filter(({ status }) => MAY_STILL_RANK.has(status)).map(({ id }) => id));
  return documents.flatMap(({ id, userId: owner, name, seenUntil: seen, ...batch }) => {
    if (seen === '' && !coming.has(id)) return [];
    const { outOfSampleDate: split, endDate: end } = batch;
    const until = seen === '' ? (split === null ? end : dayBefore(split)) : seen;
    return [{ batchId: id, name: owner === userId ? name : null, until }];
  });
}
