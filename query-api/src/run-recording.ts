import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { POSITION_HEADER, RUN_HEADER } from '@quantloom/domain/contracts/http/headers';
import { type CommandContext, handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { namedIndicatorPrices } from '@quantloom/domain/market-data/price-basis';
import type { RunFigures } from '@quantloom/domain/ports/backtest-runner';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import {
  DEFAULT_BENCHMARK,
  DEFAULT_SLIPPAGE_BPS,
  DEFAULT_STARTING_BALANCE,
} from '@quantloom/domain/strategy/backtest-terms';
import { type StrategyDocument, strategiesProjection } from '@quantloom/domain/strategy/projection';
import { type RunHashes, storedFingerprint } from '@quantloom/domain/strategy/run-hashes';
import { figuresOfMetrics, type RecordedRun, type RunTerms } from '@quantloom/domain/strategy-run/events';
import { strategyRunsId, strategyRunsStream } from '@quantloom/domain/strategy-run/strategy-run';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { awaitOwnWrites } from './consistency.ts';
import type { ReadDeps } from './deps.ts';
import { takeRoom } from './room.ts';

interface RecordingCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly principal: Principal;
}

type RecordingDeps = ReadDeps & { readonly rateLimits?: RateLimits };

/** A run that succeeded. */
interface EndedRun {
  readonly wanted: Omit<BacktestRequest, 'trading_bot'>;
  readonly hashes: RunHashes;
  readonly figures: RunFigures;
}

/** Keeps what saved strategies come to. */
export interface RunRecorder {
  /**
   * Records the run of a strategy of the caller's, if what was run is what is saved and it came to something
   * new. The answer's header `x-quantloom-run` then names it. An answer is not held back because recording failed.
   */
  record(call: RecordingCall, strategyId: string, ended: EndedRun, context: CommandContext): Promise<void>;
}

/** Shown to nobody: an answer is not held back. */
export const NO_ROOM = refuse(
  413,
  'storage_full',
  'There is no room left for what this call would leave behind',
);

export function createRunRecorder(deps: RecordingDeps): RunRecorder {
  const cache = new StateCache();
  return {
    record: async (call, strategyId, ended, context) => {
      const { request, reply, principal } = call;
      try {
        await awaitOwnWrites(call, deps.consistency, strategiesProjection);
        const { name } = strategiesProjection.collection;
        const strategy = await deps.readModels.get<StrategyDocument>(name, strategyId);
        if (!strategy || strategy.isDeleted || strategy.ownerId !== principal.userId) return;
        const treeHash = savedTreeHash(ended.hashes, strategy);
        if (treeHash === null) return;
        const run = runOf(strategy, ended, treeHash, context.commandId);
        const id = strategyRunsId(strategyId, context.now);
        const command = { type: 'RecordRun', run } as const;
        const { length } = JSON.stringify(run);
        const prepare = async () => ((await takeRoom(deps, principal, length)) ? null : NO_ROOM);
        const asked = { ...context, prepare };
        const result = await handleCommand(deps.eventStore, strategyRunsStream, id, command, asked, cache);
        if (isRefusal(result)) return;
        if (result.state.last) reply.header(RUN_HEADER, result.state.last.runId);
        reply.header(POSITION_HEADER, String(result.position));
      } catch (error) {
        request.log.error({ err: error, strategyId }, 'a run was not recorded');
      }
    },
  };
}

/** All that a run of the same terms needs, with the defaults of today written out. */
export function termsOf(request: Omit<BacktestRequest, 'trading_bot'>): RunTerms {
  const { fill, cash, indicator_prices } = request;
  return {
    start_date: request.start_date,
    end_date: request.end_date,
    starting_balance: Number(request.starting_balance ?? DEFAULT_STARTING_BALANCE),
    slippage_bps: Number(request.slippage_bps ?? DEFAULT_SLIPPAGE_BPS),
    benchmark_ticker: request.benchmark_ticker ?? DEFAULT_BENCHMARK,
    ...(fill && fill !== 'close' && { fill }),
    ...(cash && { cash }),
    ...namedIndicatorPrices(indicator_prices),
  };
}

function runOf(
  strategy: Pick<StrategyDocument, 'id' | 'ownerId' | '_revision'>,
  { wanted, figures: { metrics, firstDay, lastDay, line, provenance } }: EndedRun,
  treeHash: string,
  runId: string,
): RecordedRun {
  return {
    strategyId: strategy.id,
    ownerId: strategy.ownerId,
    runId,
    revision: strategy._revision,
    treeHash,
    terms: termsOf(wanted),
    dataVersion: provenance.data_version,
    engineVersion: provenance.engine_version,
    isSimulated: provenance.is_simulated,
    resultHash: provenance.result_hash,
    firstDay,
    lastDay,
    figures: figuresOfMetrics(metrics),
    line: line.filter((value) => Number.isFinite(value)),
  };
}

/**
 * `treeFingerprint` of the saved tree where it is the one that was run, but for what is only for the eye;
 * null where another was run. Pages hold the tree of a save as they sent it, with another order of fields and
 * the version of before, so both are compared as they are stored, too. Large trees are compared as they are written.
 */
function savedTreeHash(hashes: RunHashes, saved: StrategyDocument): string | null {
  if (saved.tree) return [hashes, hashes.stored].find(({ text }) => text === saved.tree.hash)?.tree ?? null;
  const treeHash = treeFingerprint(saved.algorithm);
  if (hashes.tree === treeHash || hashes.stored.tree === treeHash) return treeHash;
  // Saved before a default or a version was written as it is today.
  return hashes.stored.tree === storedFingerprint(saved.algorithm) ? treeHash : null;
}

/** Whether a tree is the saved one, but for what is only for the eye. */
export function isSavedTree(hashes: RunHashes, saved: StrategyDocument): boolean {
  return savedTreeHash(hashes, saved) !== null;
}
