import type { EventStore } from '@quantloom/domain/ports/event-store';

/** A log that holds batches and runs of strategies, for tests that only read it. */
interface SampleEvent {
  readonly type: string;
  readonly stream: string;
  readonly data: object;
}

const TERMS = {
  start_date: '2024-01-02',
  benchmark_ticker: 'SPY',
  slippage_bps: 0,
  starting_balance: 1000,
};

function treeOf(name: string, ticker: string, lookedAt?: string) {
  const held = [{ node_type: 'asset', id: 'a', ticker }];
  const condition = {
    node_type: 'condition',
    id: 'c',
    lhs_fn: 'current-price',
    lhs_fn_params: {},
    lhs_val: lookedAt,
    comparator: 'gt',
    rhs_fn: null,
    rhs_fn_params: {},
    rhs_val: 20,
    rhs_fixed_val: true,
  };
  const choice = {
    node_type: 'if-then-else',
    id: 'i',
    condition_type: 'allOf',
    conditions: [condition],
    then_children: held,
    else_children: [{ node_type: 'asset', id: 'e', ticker: 'SPY' }],
  };
  return { node_type: 'root', id: 'r', name, children: lookedAt === undefined ? held : [choice] };
}

/**
 * A batch that holds one ticker, or each of the values of a variable; only while `lookedAt` stands above 20,
 * where there is such a thing.
 */
export function batchCreated(
  name: string,
  ticker: string,
  dataVersion: string,
  end: string,
  more: {
    readonly values?: string[];
    readonly userId?: string;
    readonly isPublic?: boolean;
    readonly lookedAt?: string;
  } = {},
): SampleEvent {
  const { values = [], userId = 'somebody', isPublic = false, lookedAt } = more;
  return {
    type: 'BatchBacktestCreated',
    stream: `batch-${name}`,
    data: {
      batchId: name,
      userId,
      isPublic,
      name,
      strategyId: null,
      template: { algorithm: treeOf(name, ticker, lookedAt), variables: values.length > 0 ? ['$T'] : [] },
      variables: values.length > 0 ? [{ name: '$T', values }] : [],
      config: { ...TERMS, end_date: end },
      dataVersion,
    },
  };
}

/** A saved strategy that was run once: what the log holds of it. */
export function strategyRun(
  id: string,
  ticker: string,
  dataVersion: string,
  end: string,
  more: { readonly ownerId?: string; readonly isPublic?: boolean; readonly lastDay?: string } = {},
): SampleEvent[] {
  const { ownerId = 'somebody', isPublic = false, lastDay = end } = more;
  const algorithm = treeOf(id, ticker);
  const created = {
    type: 'StrategyCreated',
    stream: `strategy-${id}`,
    revision: 0,
    data: { strategyId: id, ownerId, name: id, description: '', algorithm, isPublic },
    metadata: { schemaVersion: 1 },
  };
  const ran = {
    type: 'StrategyRunRecorded',
    stream: `strategyRuns-${id}-2024-06`,
    data: {
      strategyId: id,
      ownerId,
      revision: 0,
      dataVersion,
      lastDay,
      terms: { ...TERMS, end_date: end },
    },
  };
  return [created, ran];
}

/** A log that holds these events and is only read. */
export function logOf(events: readonly SampleEvent[]): EventStore {
  return {
    async *readAll(_: bigint, { filter }: { filter: { eventTypes: readonly string[] } }) {
      yield* events.filter(({ type }) => filter.eventTypes.includes(type));
    },
    async *readStream(name: string) {
      yield* events.filter(({ stream }) => stream === name);
    },
  } as unknown as EventStore;
}
