import { CREATION_EXPIRED, MAX_NAME_LENGTH } from '@quantloom/domain/batch/decider';
import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import { tickersOf } from '@quantloom/domain/batch/request';
import { batchExists } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import {
  type BatchRequestBody,
  createBatchBacktest,
  deleteBatchBacktest,
  type Estimate,
  type EstimateRequestBody,
  estimateBatchBacktest,
  pinResultRow,
  stopBatchBacktest,
  unpinResultRow,
  updateBatchBacktest,
} from '@quantloom/domain/contracts/http/batches';
import { openOutOfSample } from '@quantloom/domain/contracts/http/out-of-sample';
import { handleCommand, loadState, streamName } from '@quantloom/domain/kernel/handle-command';
import { derivedId, ulidTime } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { holdsSimulatedPrices } from '@quantloom/domain/market-data/simulated-prefix';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { estimatedUsage } from '@quantloom/domain/usage/usage';
import { mountRoute, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandContext, commandHeaders, runCommand } from '../command-call.ts';
import { refuseWithoutRoom } from '../stored-bytes.ts';
import { type BatchCommandDeps, type PreparedBatch, prepareBatch } from './batch-preparation.ts';
import { refuseGoneSources, refuseHeldSource, takeCopiedRows } from './taken-over-rows.ts';

const locationOf = (id: string) => `/api/v1/batch-backtests/${id}`;

/** Every ticker that a combination may name. */
function namedTickers(draft: PreparedBatch['draft']): string[] {
  const { inTree, byVariable } = tickersOf(draft);
  return [...inTree, ...[...byVariable.values()].flat()];
}

function estimateOf(prepared: PreparedBatch): Estimate {
  const { draft, used, monthlyLimit, newCombinations } = prepared;
  return {
    combinations: draft.combinations,
    requested_combinations: draft.requestedCombinations,
    new_combinations: newCombinations,
    partitions: prepared.partitions,
    time_estimate: { seconds: prepared.seconds },
    usage: estimatedUsage(used, monthlyLimit, newCombinations),
    unknown_tickers: Object.fromEntries(
      Object.entries(prepared.unknownTickers).map(([name, tickers]) => [name, [...tickers]]),
    ),
    hold_out: prepared.holdOut,
  };
}

function createdOf(
  batchId: string,
  userId: string,
  name: string,
  isPublic: boolean,
  prepared: PreparedBatch,
): BatchBacktestCreated['data'] {
  const { draft, dataSet, origin } = prepared;
  return {
    batchId,
    userId,
    name,
    isPublic,
    template: draft.template,
    variables: draft.variables,
    config: draft.config,
    requestedCombinations: draft.requestedCombinations,
    combinations: draft.combinations,
    partitionSize: prepared.partitionSize,
    partitions: prepared.partitions,
    timeEstimateSeconds: prepared.seconds,
    isQuick: prepared.isQuick,
    dataVersion: dataSet.version,
    engineVersion: ENGINE_VERSION,
    isSimulated: holdsSimulatedPrices(dataSet, namedTickers(draft)),
    ...origin,
    ...(prepared.holdOut && { holdOutDate: prepared.holdOut.date }),
    fingerprint: prepared.fingerprint,
    reuse: prepared.reuse.map(({ batchId: source, targets }) => ({ batchId: source, count: targets.length })),
    quotaMonth: prepared.month,
    quotaByPartition: prepared.quotaByPartition,
  };
}

/** Commands on batch backtests: estimate, create, change, pin, delete. */
export function mountBatches(app: FastifyInstance, deps: BatchCommandDeps): void {
  mountRoute(app, estimateBatchBacktest, async ({ body, principal, cost, request }) => {
    const { checkedSize } = request;
    const prepared = await prepareBatch(asPlanned(body), principal, deps, { cost, checkedSize });
    return isRefusal(prepared) ? prepared : estimateOf(prepared);
  });

  mountRoute(app, createBatchBacktest, async (call) => create(call, deps));

  mountRoute(app, updateBatchBacktest, async (call) => {
    const { name, is_public, note } = call.body;
    const { id } = call.params;
    const { userId } = call.principal;
    const given = [name, is_public, note].filter((value) => value !== undefined);
    // One change, one command: two of them could end half done.
    if (given.length !== 1)
      return refuse(400, 'one_change_at_a_time', 'Send exactly one of name, is_public and note');
    const result = await runCommand(
      call,
      deps,
      BATCH_STREAM,
      id,
      name !== undefined
        ? { type: 'RenameBatchBacktest', userId, name }
        : is_public !== undefined
          ? { type: 'ChangeBatchVisibility', userId, isPublic: is_public }
          : { type: 'ChangeBatchNote', userId, text: note ?? '' },
    );
    return isRefusal(result) ? result : { id, revision: result.revision };
  });

  mountRoute(app, deleteBatchBacktest, async (call) => {
    const { id } = call.params;
    const held = await refuseHeldSource(deps, id, call.principal.userId);
    if (held) return held;
    // Compute nodes write to the same stream all the time: unlike an edit, a deletion wins.
    const result = await systemCommand(
      deps.eventStore,
      BATCH_STREAM,
      id,
      { type: 'DeleteBatchBacktest', userId: call.principal.userId },
      commandContext(call.request, call.principal, deps),
      deps.stateCache,
    );
    if (isRefusal(result)) return result;
    commandHeaders(call.reply, result);
    return { id, deleted: true };
  });

  mountRoute(app, stopBatchBacktest, async (call) => {
    const { id } = call.params;
    // Compute nodes write to the same stream all the time; what they finish until then is kept.
    const result = await systemCommand(
      deps.eventStore,
      BATCH_STREAM,
      id,
      { type: 'StopBatchBacktest', userId: call.principal.userId },
      commandContext(call.request, call.principal, deps),
      deps.stateCache,
    );
    if (isRefusal(result)) return result;
    commandHeaders(call.reply, result);
    return { id, revision: result.revision };
  });

  mountRoute(app, pinResultRow, async (call) => {
    const { combination, note = '' } = call.body;
    const { id } = call.params;
    const command = { type: 'PinResultRow', userId: call.principal.userId, combination, note } as const;
    const result = await runCommand(call, deps, BATCH_STREAM, id, command);
    return isRefusal(result) ? result : { id, revision: result.revision };
  });

  mountRoute(app, unpinResultRow, async (call) => {
    const { id, combination } = call.params;
    const { userId } = call.principal;
    const command = { type: 'UnpinResultRow', userId, combination: Number(combination) } as const;
    const result = await runCommand(call, deps, BATCH_STREAM, id, command);
    return isRefusal(result) ? result : { id, revision: result.revision };
  });

  mountRoute(app, openOutOfSample, async (call) => {
    const { id } = call.params;
    const command = { type: 'OpenOutOfSample', userId: call.principal.userId } as const;
    const result = await runCommand(call, deps, BATCH_STREAM, id, command);
    return isRefusal(result) ? result : { id, revision: result.revision };
  });
}

/** The batch that is to follow: with other costs none of the rows that it will take over could be found. */
function asPlanned({ planned_slippage_bps, ...body }: EstimateRequestBody): BatchRequestBody {
  if (planned_slippage_bps === undefined) return body;
  return { ...body, backtest_config: { ...body.backtest_config, slippage_bps: planned_slippage_bps } };
}

/** Each costs an outage of more than a minute at the worst moment. */
const MOST_IDS = 10;

/**
 * Reserves first, then creates. Dying in between leaves a reservation without a batch, which the process
 * manager gives back after a minute; the same request with its idempotency key finds the reservation and
 * creates the batch. After that minute there can be no batch of this id any more: it comes under the next one,
 * which follows from the first, so that the same request finds it again however often it is repeated.
 */
async function create(call: RouteCall<typeof createBatchBacktest>, deps: BatchCommandDeps) {
  const first = call.request.commandId;
  // A command id of its own was never used before.
  const mayHaveBegun = call.request.idempotency !== null;
  const isAbandoned = async (id: string) => {
    const { state } = await loadState(deps.eventStore, BATCH_STREAM, id, deps.stateCache);
    return state.status === 'abandoned';
  };
  let refused = CREATION_EXPIRED;
  for (let number = 0; number < MOST_IDS; number += 1) {
    const id = number === 0 ? first : derivedId(ulidTime(first), first, `batch-${number}`);
    if (mayHaveBegun && (await isAbandoned(id))) continue;
    const created = await createAs(id, call, deps);
    if (!isRefusal(created) || created.code !== refused.code) return created;
    refused = created;
    // A batch that was there and was deleted since does not come back.
    if (!(await isAbandoned(id))) break;
  }
  return refused;
}

async function createAs(
  batchId: string,
  call: RouteCall<typeof createBatchBacktest>,
  deps: BatchCommandDeps,
) {
  const { body, principal, request, reply, cost } = call;
  const prepared = await prepareBatch(body, principal, deps, {
    cost,
    batchId,
    checkedSize: request.checkedSize,
  });
  if (isRefusal(prepared)) return prepared;
  const name = body.name?.trim() || `Backtest based on ${prepared.draft.template.name}`;
  if (name.length > MAX_NAME_LENGTH)
    return refuse(400, 'name_too_long', `A name has at most ${MAX_NAME_LENGTH} characters`);
  const context = { ...commandContext(request, principal, deps), commandId: batchId };
  const { userId } = principal;
  const { month, newCombinations, monthlyLimit } = prepared;
  const batch = createdOf(batchId, userId, name, body.is_public ?? false, prepared);
  const created = { type: 'BatchBacktestCreated', data: batch };
  const stream = streamName(BATCH_STREAM, batchId);
  const full = await refuseWithoutRoom(deps, principal, stream, [created], reply);
  if (full) return full;
  const gone = await refuseGoneSources(deps, prepared.reuse);
  if (gone) return gone;
  const copied = batch.combinations - newCombinations;
  const giveBack = await takeCopiedRows(deps, principal, month, copied);
  if (isRefusal(giveBack)) return giveBack;
  const reserved = await systemCommand(
    deps.eventStore,
    USAGE_STREAM,
    usageId(userId, month),
    { type: 'ReserveQuota', userId, month, batchId, combinations: newCombinations, monthlyLimit },
    { ...context, commandId: derivedId(ulidTime(batchId), batchId, 'reserve-quota') },
    deps.stateCache,
  );
  if (isRefusal(reserved)) {
    await giveBack();
    return reserved;
  }
  const result = await handleCommand(
    deps.eventStore,
    BATCH_STREAM,
    batchId,
    { type: 'CreateBatchBacktest', batch },
    context,
    deps.stateCache,
  );
  if (isRefusal(result) || result.isRepetition) await giveBack();
  if (isRefusal(result)) return result;
  commandHeaders(reply, result, locationOf(batchId));
  const stored = batchExists(result.state) ? result.state.created : batch;
  return {
    ...estimateOf(prepared),
    combinations: stored.combinations,
    partitions: stored.partitions,
    usage: estimatedUsage(reserved.state.used - newCombinations, monthlyLimit, newCombinations),
    id: batchId,
    name: stored.name,
    revision: result.revision,
  };
}
