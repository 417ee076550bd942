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
  readonly userId: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly createdAt: string;
  readonly status: BatchStatus;
  readonly requestedCombinations: number;
  readonly combinations: number;
  readonly partitions: number;
  readonly partitionSize: number;
  /** Partitions that are not finished. */
  readonly openPartitions: readonly number[];
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly timeEstimateSeconds: number;
  readonly isQuick: boolean;
  readonly summary: BatchSummary | null;
  readonly errorId: string | null;
  readonly errorMessage: string | null;
  readonly note: string;
  readonly pins: readonly {
    readonly combination: number;
    readonly note: string;
    readonly pinnedAt: string;
  }[];
  readonly dataVersion: string;
  readonly engineVersion: string;
  readonly isSimulated: boolean;
  readonly strategyId: string | null;
  readonly strategyRevision: number | null;
  readonly lineageId: string;
  readonly fingerprint: string;
  readonly newCombinations: number;
  /** First day of the part that was locked away; null where there is none. */
  readonly outOfSampleDate: string | null;
  /** When that part was looked at, and by whom. */
  readonly outOfSampleOpened: { readonly at: string; readonly by: string } | null;
}

/** The heavy part: never changes. */
export interface BatchDefinitionDocument extends ReadDocument {
  readonly userId: string;
  readonly templateBot: TemplateBot;
  readonly variables: Readonly<Record<string, readonly VariableValue[]>>;
  /** Names in the order that numbers the combinations. */
  readonly variableNames: readonly string[];
  readonly backtestConfig: BacktestConfig;
  /** From which day on its strategy held days out when it was made; missing where it did not. */
  readonly holdOutDate?: string;
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
      userId: data.userId,
      name: data.name,
      isPublic: data.isPublic,
      createdAt: at,
      status: 'Queued',
      requestedCombinations: data.requestedCombinations,
      combinations: data.combinations,
      partitions: data.partitions,
      partitionSize: data.partitionSize,
      openPartitions: Array.from({ length: data.partitions }, (_, i) => i),
      startedAt: null,
      finishedAt: null,
      timeEstimateSeconds: data.timeEstimateSeconds,
      isQuick: data.isQuick,
      summary: null,
      errorId: null,
      errorMessage: null,
      note: '',
      pins: [],
      dataVersion: data.dataVersion,
      engineVersion: data.engineVersion,
      isSimulated: data.isSimulated,
      strategyId: data.strategyId,
      strategyRevision: data.strategyRevision,
      lineageId: data.lineageId,
      fingerprint: data.fingerprint,
      newCombinations: data.quotaByPartition.reduce((sum, n) => sum + n, 0),
      outOfSampleDate: data.config.out_of_sample_date ?? null,
      outOfSampleOpened: null,
    };
  }
  if (!document) return null;
  switch (event.type) {
    case 'PartitionStarted':
      return {
        ...document,
        status: document.status === 'Queued' ? 'Running' : document.status,
        startedAt: document.startedAt ?? at,
      };
    case 'PartitionFinished':
      return {
        ...document,
        openPartitions: document.openPartitions.filter((i) => i !== event.data.partition),
      };
    case 'BatchCompilingStarted':
      return { ...document, status: 'CompilingResults' };
    case 'BatchBacktestFinished':
      return { ...document, status: 'Finished', finishedAt: at, summary: event.data.summary };
    case 'BatchBacktestStopped':
      return { ...document, status: 'Stopped', finishedAt: at };
    case 'BatchBacktestFailed':
      return {
        ...document,
        status: 'Error',
        finishedAt: at,
        errorId: event.data.errorId,
        errorMessage: event.data.fault.message,
      };
    case 'BatchBacktestReplayed':
      return {
        ...document,
        status: 'Running',
        finishedAt: null,
        errorId: null,
        errorMessage: null,
        openPartitions: [...new Set([...document.openPartitions, ...event.data.partitions])].sort(
          (a, b) => a - b,
        ),
      };
    case 'BatchEngineChanged':
      return {
        ...document,
        engineVersion: event.data.engineVersion,
        fingerprint: event.data.fingerprint,
        openPartitions: Array.from({ length: document.partitions }, (_, i) => i),
      };
    case 'BatchBacktestDeleted':
      return null;
    case 'BatchBacktestRenamed':
      return { ...document, name: event.data.name };
    case 'BatchVisibilityChanged':
      return { ...document, isPublic: event.data.isPublic };
    case 'BatchNoteChanged':
      return { ...document, note: event.data.text };
    case 'ResultRowPinned': {
      const { combination, note } = event.data;
      const pins = document.pins.filter((pin) => pin.combination !== combination);
      return { ...document, pins: [...pins, { combination, note, pinnedAt: at }] };
    }
    case 'ResultRowUnpinned':
      return {
        ...document,
        pins: document.pins.filter((pin) => pin.combination !== event.data.combination),
      };
    case 'OutOfSampleOpened':
      return {
        ...document,
        outOfSampleOpened: document.outOfSampleOpened ?? { at, by: event.data.userId },
      };
    default:
      return document;
  }
}

/** Status, progress by partitions and provenance of every batch. */
export const batchesProjection: Projection<BatchDocument> = defineProjection({
  name: 'batches',
  version: 3,
  collection: {
    name: 'batches_v3',
    indexes: [
      ['userId', 'createdAt'],
      ['userId', 'fingerprint', 'status'],
      ['userId', 'status', 'isQuick', 'createdAt'],
      ['status'],
      ['lineageId'],
      ['userId', 'strategyId'],
    ],
  },
  events: [LIGHT_EVENTS],
  keys: (event) => [event.data.batchId],
  evolve: evolveLight,
});

/** Template, variables and settings of every batch, apart from what changes. */
export const batchDefinitionsProjection: Projection<BatchDefinitionDocument> = defineProjection({
  name: 'batchDefinitions',
  version: 2,
  collection: { name: 'batchDefinitions_v2', indexes: [['userId']] },
  events: [only(BATCH_EVENTS, 'BatchBacktestCreated', 'BatchBacktestDeleted')],
  keys: (event) => [event.data.batchId],
  evolve: (_document, event) => {
    if (event.type !== 'BatchBacktestCreated') return null;
    const { data } = event;
    return {
      id: data.batchId,
      userId: data.userId,
      templateBot: data.template,
      variables: Object.fromEntries(data.variables.map(({ name, values }) => [name, values])),
      variableNames: data.variables.map(({ name }) => name),
      backtestConfig: data.config,
      ...(data.holdOutDate !== undefined && { holdOutDate: data.holdOutDate }),
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

/**
 * Analyses that were expensive to compute and follow from a finished batch's rows; id is the batch's. Written
 * outside any projection.
 */
export const BATCH_ANALYSES_COLLECTION = { name: 'batchAnalyses_v1', indexes: [] } as const;

/** Which process is making the analyses of a batch; id is the batch's. Written outside any projection. */
export const ANALYSIS_CLAIMS_COLLECTION = { name: 'analysisClaims_v1', indexes: [] } as const;
