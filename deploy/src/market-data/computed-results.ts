import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { bindCombination, planBatch } from '@quantloom/compute/engine/batch/compile/batch-plan';
import { tickersOf } from '@quantloom/compute/engine/model/tickers';
import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { stateAt } from '@quantloom/domain/kernel/history';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { RecordedRun } from '@quantloom/domain/strategy-run/events';
import { textOf } from '@quantloom/http/documents/trees';

export type Prices = ReadonlyMap<string, PriceSeries>;

/** Something that was computed on a version of the market data. */
export interface Computed {
  readonly kind: 'batch' | 'strategy';
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly isPublic: boolean;
  readonly tickers: readonly string[];
  /** The last day whose prices it can depend on, `YYYY-MM-DD`. */
  readonly endDate: string;
  readonly annualReturnOn: (prices: Prices, today: string) => number | null;
}

/** Something that may have been computed on bars that are others now; what it is takes reading. */
export interface Candidate {
  readonly dataVersion: string;
  readonly read: () => Promise<Computed | null>;
}

/** All that were created and not deleted, the newest first. */
export async function batchesIn(log: EventStore): Promise<readonly Candidate[]> {
  const batches = new Map<string, BatchBacktestCreated['data']>();
  const events = log.readAll(-1n, {
    filter: { eventTypes: ['BatchBacktestCreated', 'BatchBacktestDeleted', 'BatchVisibilityChanged'] },
  });
  for await (const { type, stream, data } of events) {
    const known = batches.get(stream);
    if (type === 'BatchBacktestDeleted') batches.delete(stream);
    else if (type === 'BatchBacktestCreated') batches.set(stream, data as BatchBacktestCreated['data']);
    else if (known) batches.set(stream, { ...known, isPublic: (data as { isPublic: boolean }).isPublic });
  }
  return [...batches.values()].reverse().map((batch) => ({
    dataVersion: batch.dataVersion,
    read: () => Promise.resolve(computedBatch(batch)),
  }));
}

function computedBatch({
  batchId,
  userId,
  isPublic,
  name,
  template,
  variables,
  config,
}: BatchBacktestCreated['data']): Computed {
  const request = {
    template_bot: template,
    variables: Object.fromEntries(variables.map((variable) => [variable.name, variable.values])),
    backtest_config: config,
  } as unknown as BatchRequest;
  return {
    kind: 'batch',
    id: batchId,
    name,
    ownerId: userId,
    isPublic,
    tickers: tickersOf(template.algorithm, request.variables, config),
    endDate: config.end_date,
    annualReturnOn: (prices, today) => {
      const plan = planBatch(request, prices, { today });
      const single = { ...request.backtest_config, trading_bot: bindCombination(plan, 0) };
      return annualReturn(single as unknown as BacktestRequest, prices, today);
    },
  };
}

/** The last recorded run of every strategy that was not deleted, the newest first. */
export async function lastRunsIn(log: EventStore): Promise<readonly Candidate[]> {
  const runs = new Map<string, RecordedRun>();
  const deleted = new Set<string>();
  const publicNow = new Map<string, boolean>();
  const events = log.readAll(-1n, {
    filter: {
      eventTypes: [
        'StrategyRunRecorded',
        'StrategyDeleted',
        'StrategyDeletionUndone',
        'StrategyVisibilityChanged',
      ],
    },
  });
  for await (const { type, data } of events) {
    const { strategyId } = data as Pick<RecordedRun, 'strategyId'>;
    if (type === 'StrategyDeleted') deleted.add(strategyId);
    else if (type === 'StrategyDeletionUndone') deleted.delete(strategyId);
    else if (type === 'StrategyVisibilityChanged')
      publicNow.set(strategyId, (data as { isPublic: boolean }).isPublic);
    else {
      runs.delete(strategyId);
      runs.set(strategyId, data as RecordedRun);
    }
  }
  const live = [...runs.values()].filter(({ strategyId }) => !deleted.has(strategyId));
  return live.reverse().map((run) => ({
    dataVersion: run.dataVersion,
    read: () => computedRun(log, run, publicNow.get(run.strategyId)),
  }));
}

async function computedRun(
  log: EventStore,
  { strategyId, ownerId, revision, terms, lastDay }: RecordedRun,
  isPublicNow: boolean | undefined,
): Promise<Computed | null> {
  const then = await stateAt(log, strategyStream, strategyId, revision);
  if (!then || then.state.status === 'none') return null;
  const algorithm: Algorithm = JSON.parse(await textOf(log, heldTreeOf(then.state)));
  return {
    kind: 'strategy',
    id: strategyId,
    name: then.state.name,
    ownerId,
    isPublic: isPublicNow ?? then.state.isPublic,
    tickers: tickersOf(algorithm, {}, terms),
    // Where its end lay behind the prices of then, days that were added since have changed nothing of it.
    endDate: lastDay < terms.end_date ? lastDay : terms.end_date,
    annualReturnOn: (prices, today) => annualReturn({ ...terms, trading_bot: algorithm }, prices, today),
  };
}

function annualReturn(request: BacktestRequest, prices: Prices, today: string): number | null {
  return runBacktest(request, prices, { today }).metrics.annualized_return;
}

/** What it makes a year on both; null where there is no such figure. */
export function figureOf(
  computed: Computed,
  then: Prices,
  now: Prices,
  today: string,
): { readonly before: number; readonly after: number } | null {
  try {
    const [before, after] = [computed.annualReturnOn(then, today), computed.annualReturnOn(now, today)];
    return before === null || after === null ? null : { before, after };
  } catch (error) {
    // The first combination of a batch may be one that cannot run.
    if (error instanceof RefusalError) return null;
    throw error;
  }
}
