import type { BacktestConfig, TemplateBot } from '../contracts/backtest.ts';
import { only, without } from '../kernel/define-stream.ts';
import {
  defineProjection,
  type HandledEvent,
  type Projection,
  type Unstamped,
} from '../kernel/projection.ts';
import type { CollectionSpec, ReadDocument } from '../ports/read-models.ts';
import { BATCH_EVENTS, type BatchSummary } from './events.ts';
import type { ExistingBatch } from './state.ts';
import type { VariableValue } from './variable-values.ts';

export type BatchStatus = ExistingBatch['status'];
/** Those of a batch that still goes on by itself. */
export const UNFINISHED_STATUSES = [
  'Queued',
  'Running',
  'CompilingResults',
] as const satisfies readonly BatchStatus[];

/** The light part of a batch: changes with every partition. */
export interface BatchDocument extends ReadDocument {
  readonly user_id: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly created_at: string;
  readonly status: BatchStatus;
  readonly requested_combinations: number;
  readonly combinations: number;
  readonly partitions: number;
  readonly partition_size: number;
  /** Partitions that are not finished. */
  readonly open_partitions: readonly number[];
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly time_estimate_seconds: number;
  readonly is_quick: boolean;
  readonly summary: BatchSummary | null;
  readonly error_id: string | null;
  readonly error_message: string | null;
  readonly note: string;
  readonly pins: readonly {
    readonly combination: number;
    readonly note: string;
    readonly pinned_at: string;
  }[];
  readonly data_version: string;
  readonly engine_version: string;
  readonly is_simulated: boolean;
  readonly strategy_id: string | null;
  readonly strategy_revision: number | null;
  readonly lineage_id: string;
  readonly fingerprint: string;
  readonly new_combinations: number;
  /** First day of the part that was locked away; null where there is none. Missing in documents from before it was kept. */
  readonly out_of_sample_date?: string | null;
  /** When that part was looked at, and by whom. */
  readonly out_of_sample_opened?: { readonly at: string; readonly by: string } | null;
}

/** The heavy part: never changes. */
export interface BatchDefinitionDocument extends ReadDocument {
  readonly user_id: string;
  readonly template_bot: TemplateBot;
  readonly variables: Readonly<Record<string, readonly VariableValue[]>>;
  /** Names in the order that numbers the combinations. */
  readonly variable_names: readonly string[];
  readonly backtest_config: BacktestConfig;
  /** From which day on its strategy held days out when it was made; missing where it did not. */
  readonly hold_out_date?: string;
}

const LIGHT_EVENTS = without(BATCH_EVENTS, 'PartitionsQueued', 'PartitionFailed');

function evolveLight(
  document: BatchDocument | null,
  event: HandledEvent<[typeof LIGHT_EVENTS]>,
): Unstamped<BatchDocument> | null {
  const at = event.metadata.recordedAt;
  if (event.type === 'BatchBacktestCreated') {
    const { data } = event;
    return {
      id: data.batchId,
      user_id: data.userId,
      name: data.name,
      is_public: data.isPublic,
      created_at: at,
      status: 'Queued',
      requested_combinations: data.requestedCombinations,
      combinations: data.combinations,
      partitions: data.partitions,
      partition_size: data.partitionSize,
      open_partitions: Array.from({ length: data.partitions }, (_, i) => i),
      started_at: null,
      finished_at: null,
      time_estimate_seconds: data.timeEstimateSeconds,
      is_quick: data.isQuick,
      summary: null,
      error_id: null,
      error_message: null,
      note: '',
      pins: [],
      data_version: data.dataVersion,
      engine_version: data.engineVersion,
      is_simulated: data.isSimulated,
      strategy_id: data.strategyId,
      strategy_revision: data.strategyRevision,
      lineage_id: data.lineageId,
      fingerprint: data.fingerprint,
      new_combinations: data.quotaByPartition.reduce((sum, n) => sum + n, 0),
      out_of_sample_date: data.config.out_of_sample_date ?? null,
      out_of_sample_opened: null,
    };
  }
  if (!document) return null;
  switch (event.type) {
    case 'PartitionStarted':
      return {
        ...document,
        status: document.status === 'Queued' ? 'Running' : document.status,
        started_at: document.started_at ?? at,
      };
    case 'PartitionFinished':
      return {
        ...document,
        open_partitions: document.open_partitions.filter((i) => i !== event.data.partition),
      };
    case 'BatchCompilingStarted':
      return { ...document, status: 'CompilingResults' };
    case 'BatchBacktestFinished':
      return { ...document, status: 'Finished', finished_at: at, summary: event.data.summary };
    case 'BatchBacktestStopped':
      return { ...document, status: 'Stopped', finished_at: at };
    case 'BatchBacktestFailed':
      return {
        ...document,
        status: 'Error',
        finished_at: at,
        error_id: event.data.errorId,
        error_message: event.data.fault.message,
      };
    case 'BatchBacktestReplayed':
      return {
        ...document,
        status: 'Running',
        finished_at: null,
        error_id: null,
        error_message: null,
        open_partitions: [...new Set([...document.open_partitions, ...event.data.partitions])].sort(
          (a, b) => a - b,
        ),
      };
    case 'BatchEngineChanged':
      return {
        ...document,
        engine_version: event.data.engineVersion,
        fingerprint: event.data.fingerprint,
        open_partitions: Array.from({ length: document.partitions }, (_, i) => i),
      };
    case 'BatchBacktestDeleted':
      return null;
    case 'BatchBacktestRenamed':
      return { ...document, name: event.data.name };
    case 'BatchVisibilityChanged':
      return { ...document, is_public: event.data.isPublic };
    case 'BatchNoteChanged':
      return { ...document, note: event.data.text };
    case 'ResultRowPinned': {
      const { combination, note } = event.data;
      const pins = document.pins.filter((pin) => pin.combination !== combination);
      return { ...document, pins: [...pins, { combination, note, pinned_at: at }] };
    }
    case 'ResultRowUnpinned':
      return {
        ...document,
        pins: document.pins.filter((pin) => pin.combination !== event.data.combination),
      };
    case 'OutOfSampleOpened':
      return {
        ...document,
        out_of_sample_opened: document.out_of_sample_opened ?? { at, by: event.data.userId },
      };
    default:
      return document;
  }
}

/** Status, progress by partitions and provenance of every batch. */
export const batchesProjection: Projection<BatchDocument> = defineProjection({
  name: 'batches',
  version: 2,
  collection: {
    name: 'batches_v2',
    indexes: [
      ['user_id', 'created_at'],
      ['user_id', 'fingerprint', 'status'],
      ['user_id', 'status', 'is_quick', 'created_at'],
      ['status'],
      ['lineage_id'],
      ['user_id', 'strategy_id'],
    ],
  },
  events: [LIGHT_EVENTS],
  keys: (event) => [event.data.batchId],
  evolve: evolveLight,
});

/** Template, variables and settings of every batch, apart from what changes. */
export const batchDefinitionsProjection: Projection<BatchDefinitionDocument> = defineProjection({
  name: 'batchDefinitions',
  version: 1,
  collection: { name: 'batchDefinitions_v1', indexes: [['user_id']] },
  events: [only(BATCH_EVENTS, 'BatchBacktestCreated', 'BatchBacktestDeleted')],
  keys: (event) => [event.data.batchId],
  evolve: (_document, event) => {
    if (event.type !== 'BatchBacktestCreated') return null;
    const { data } = event;
    return {
      id: data.batchId,
      user_id: data.userId,
      template_bot: data.template,
      variables: Object.fromEntries(data.variables.map(({ name, values }) => [name, values])),
      variable_names: data.variables.map(({ name }) => name),
      backtest_config: data.config,
      ...(data.holdOutDate !== undefined && { hold_out_date: data.holdOutDate }),
    };
  },
});

/** Progress of running batches; written from the bus, outside any projection. */
export interface BatchProgressDocument extends ReadDocument {
  /** ISO 8601: when the last message came from. */
  readonly at: string;
  /** Partition number → what its node last said. Finished partitions are not in it. */
  readonly running: Readonly<
    Record<
      string,
      {
        readonly node: string;
        readonly done: number;
        readonly total: number;
        readonly rate: number;
        readonly at: string;
        /** ISO 8601: when its node began it; not in documents from before it was kept. */
        readonly since?: string;
      }
    >
  >;
  /** Node → backtests a second in the partition that it finished last; not in documents from before it was kept. */
  readonly rates?: Readonly<Record<string, number>>;
}
export const BATCH_PROGRESS_COLLECTION: CollectionSpec<BatchProgressDocument> = {
  name: 'batchProgress_v1',
  indexes: [],
};

/** Analyses that were expensive to compute and follow from a finished batch's rows; id is the batch's. Written outside any projection. */
export const BATCH_ANALYSES_COLLECTION = { name: 'batchAnalyses_v1', indexes: [] } as const;
