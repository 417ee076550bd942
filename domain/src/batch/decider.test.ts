import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  created,
  createdData,
  failed,
  finished,
  given,
  queued,
  started,
  when,
} from '../../testing/batch-builders.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { BatchCommand } from './commands.ts';
import { batchDecider, MAX_PARTITION_STARTS, MIN_FRUITLESS_SECONDS, unusedQuota } from './decider.ts';
import type { BatchEvent } from './events.ts';
import { batchExists, initialBatchState } from './state.ts';

const types = (decided: ReturnType<typeof when>) =>
  isRefusal(decided) ? decided.code : decided.map(({ type }) => type);
const now = '2026-01-05T12:00:00.000Z';
const fault = { message: 'no', stack: [] };
const all = [0, 1, 2, 3];
const done = [created(), queued(...all), ...all.map((i) => started(i)), ...all.map(finished)];

/** Partition 0, started that long before `now`. */
const startedBefore = (seconds: number) => ({
  ...started(0),
  metadata: {
    schemaVersion: 1,
    commandId: 'c1',
    correlationId: 'b1',
    causationId: 'c1',
    actor: { kind: 'system', name: 'test' } as const,
    recordedAt: new Date(Date.parse(now) - seconds * 1_000).toISOString(),
  },
});

describe('a batch', () => {
  it.each<[string, Parameters<typeof when>, unknown]>([
    ['is created once', [{ type: 'CreateBatchBacktest', batch: createdData() }], ['BatchBacktestCreated']],
    [
      'is not created twice',
      [{ type: 'CreateBatchBacktest', batch: createdData() }, created()],
      'batch_exists',
    ],
    [
      'cannot come after it was given up',
      [
        { type: 'CreateBatchBacktest', batch: createdData() },
        { type: 'BatchBacktestAbandoned', data: { batchId: 'b1', userId: 'u1' } },
      ],
      'reservation_expired',
    ],
    [
      'is not given up when it exists',
      [{ type: 'AbandonBatchBacktest', batchId: 'b1', userId: 'u1' }, created()],
      'batch_exists',
    ],
    [
      'queues waiting partitions only',
      [{ type: 'QueuePartitions', partitions: [0, 1] }, created(), queued(0)],
      ['PartitionsQueued'],
    ],
    [
      'does not queue what is on its way',
      [{ type: 'QueuePartitions', partitions: [0] }, created(), queued(0)],
      [],
    ],
    [
      'starts a partition',
      [{ type: 'StartPartition', now, partition: 0, node: 'n' }, created(), queued(0)],
      ['PartitionStarted'],
    ],
    [
      'does not start a finished partition again',
      [
        { type: 'StartPartition', now, partition: 0, node: 'n' },
        created(),
        queued(0),
        started(0),
        finished(0),
      ],
      'partition_finished',
    ],
    [
      'gives a partition up that never comes to an end',
      [
        { type: 'StartPartition', now, partition: 0, node: 'n' },
        created(),
        queued(0),
        ...Array.from({ length: MAX_PARTITION_STARTS }, () => startedBefore(MIN_FRUITLESS_SECONDS)),
      ],
      ['PartitionFailed'],
    ],
    [
      'starts a partition again whose nodes died one after the other within moments',
      [
        { type: 'StartPartition', now, partition: 0, node: 'n' },
        created(),
        queued(0),
        ...Array.from({ length: MAX_PARTITION_STARTS }, () => startedBefore(MIN_FRUITLESS_SECONDS - 1)),
      ],
      ['PartitionStarted'],
    ],
    [
      'counts the time anew when an administrator lets a partition run again',
      [
        { type: 'StartPartition', now, partition: 0, node: 'n' },
        created(),
        queued(0),
        ...Array.from({ length: MAX_PARTITION_STARTS }, () => startedBefore(MIN_FRUITLESS_SECONDS)),
        { type: 'BatchBacktestReplayed', data: { batchId: 'b1', partitions: [0], errorId: 'e1' } },
        ...Array.from({ length: MAX_PARTITION_STARTS }, () => startedBefore(1)),
      ],
      ['PartitionStarted'],
    ],
    [
      'has no partition 9',
      [{ type: 'StartPartition', now, partition: 9, node: 'n' }, created()],
      'unknown_partition',
    ],
    [
      'finishes a partition once',
      [
        { type: 'FinishPartition', partition: 0, node: 'n', seconds: 1 },
        created(),
        queued(0),
        started(0),
        finished(0),
      ],
      [],
    ],
    [
      'ignores the late failure of a finished partition',
      [
        { type: 'FailPartition', partition: 0, node: 'n', fault },
        created(),
        queued(0),
        started(0),
        finished(0),
      ],
      [],
    ],
    [
      'compiles when all partitions are finished',
      [{ type: 'StartCompiling' }, ...done],
      ['BatchCompilingStarted'],
    ],
    [
      'does not compile before',
      [{ type: 'StartCompiling' }, created(), queued(0), started(0), finished(0)],
      'partitions_open',
    ],
    [
      'is not finished without compiling',
      [{ type: 'FinishBatchBacktest', summary: { rows: 40, failures: 0, best: null, medians: {} } }, ...done],
      'not_compiling',
    ],
    [
      'is replayed only after an error',
      [{ type: 'ReplayBatchBacktest', errorId: 'e' }, created()],
      'batch_not_failed',
    ],
    [
      'is not deleted by others',
      [{ type: 'DeleteBatchBacktest', userId: 'u2' }, created()],
      'batch_not_found',
    ],
    [
      'is not renamed by others',
      [{ type: 'RenameBatchBacktest', userId: 'u2', name: 'x' }, created()],
      'batch_not_found',
    ],
    ['needs a name', [{ type: 'RenameBatchBacktest', userId: 'u1', name: '  ' }, created()], 'name_missing'],
    [
      'changes its visibility',
      [{ type: 'ChangeBatchVisibility', userId: 'u1', isPublic: true }, created()],
      ['BatchVisibilityChanged'],
    ],
    [
      'keeps its visibility',
      [{ type: 'ChangeBatchVisibility', userId: 'u1', isPublic: false }, created()],
      [],
    ],
    [
      'takes a note',
      [{ type: 'ChangeBatchNote', userId: 'u1', text: 'good' }, created()],
      ['BatchNoteChanged'],
    ],
    [
      'pins a row',
      [{ type: 'PinResultRow', userId: 'u1', combination: 39, note: '' }, created()],
      ['ResultRowPinned'],
    ],
    [
      'has no row 40 to pin',
      [{ type: 'PinResultRow', userId: 'u1', combination: 40, note: '' }, created()],
      'unknown_combination',
    ],
    ['unpins only what is pinned', [{ type: 'UnpinResultRow', userId: 'u1', combination: 1 }, created()], []],
  ])('%s', (_, args, expected) => expect(types(when(...args))).toEqual(expected));

  describe('the part from the out-of-sample date on', () => {
    const dated = created({
      config: { start_date: '2000-01-01', end_date: '2020-12-31', out_of_sample_date: '2015-01-02' },
    });
    const end = {
      type: 'BatchBacktestFinished',
      data: { batchId: 'b1', summary: { rows: 40, failures: 0, best: null, medians: {}, part: 'in_sample' } },
    } as const;
    const opened = { type: 'OutOfSampleOpened', data: { batchId: 'b1', userId: 'u1' } } as const;
    const open = (userId: string) => ({ type: 'OpenOutOfSample', userId }) as const;
    it.each([
      ['is opened by the owner', [open('u1'), dated, end], ['OutOfSampleOpened']],
      ['is opened once', [open('u1'), dated, end, opened], []],
      ['is not there for others', [open('u2'), dated, end], 'batch_not_found'],
      ['stays shut until the batch has finished', [open('u1'), dated], 'results_not_ready'],
      ['is not there without a date', [open('u1'), created(), end], 'no_out_of_sample_date'],
    ] as const)('%s', (_, [command, ...history], expected) =>
      expect(types(when(command, ...history))).toEqual(expected),
    );
  });

  it('goes on with a partition that is interrupted again and again but stores rows every time', () => {
    const starts = Array.from({ length: 12 }, (_, i) => ({
      type: 'PartitionStarted' as const,
      data: { batchId: 'b1', partition: 0, attempt: 1, node: 'n1', stored: i },
    }));
    const history = [created(), queued(0), ...starts];
    expect(
      types(when({ type: 'StartPartition', now, partition: 0, node: 'n', stored: 12 }, ...history)),
    ).toEqual(['PartitionStarted']);
    // Each of those starts has begun the count anew.
    expect(
      types(when({ type: 'StartPartition', now, partition: 0, node: 'n', stored: 11 }, ...history)),
    ).toEqual(['PartitionStarted']);
    const stuck = Array.from({ length: MAX_PARTITION_STARTS }, () => started(0));
    expect(
      types(when({ type: 'StartPartition', now, partition: 0, node: 'n', stored: 11 }, ...history, ...stuck)),
    ).toEqual(['PartitionFailed']);
  });

  it('fails for good at the third failure of a partition', () => {
    const command: BatchCommand = { type: 'FailPartition', partition: 0, node: 'n', fault };
    const twice = [
      created(),
      queued(0),
      started(0),
      failed(0),
      queued(0),
      started(0, 2),
      failed(0),
      queued(0),
      started(0, 3),
    ];
    expect(when(command, created(), queued(0), started(0))).toMatchObject([{ data: { isFinal: false } }]);
    expect(when(command, ...twice)).toMatchObject([{ data: { isFinal: true } }]);
  });

  it('gives back what did not run, by partition', () => {
    const batch = given(
      created({ quotaByPartition: [10, 4, 0, 10] }),
      queued(0, 1),
      started(0),
      finished(0),
      started(1),
    );
    expect(batchExists(batch) && unusedQuota(batch)).toBe(14);
    expect(when({ type: 'DeleteBatchBacktest', userId: 'u1' }, ...done)).toMatchObject([
      { data: { quotaReleased: 0 } },
    ]);
  });

  it('runs its failed partitions again on replay, with new tries', () => {
    const history = [created(), queued(...all), started(1), failed(1, true)];
    const error = {
      type: 'BatchBacktestFailed',
      data: { batchId: 'b1', userId: 'u1', errorId: 'e', partition: 1, fault },
    } as const;
    const decided = when({ type: 'ReplayBatchBacktest', errorId: 'e' }, ...history, error);
    expect(decided).toMatchObject([{ type: 'BatchBacktestReplayed', data: { partitions: [1] } }]);
    if (isRefusal(decided)) throw new Error(decided.detail);
    const state = given(...history, error, ...decided);
    expect(batchExists(state) && state.partitions[1]).toMatchObject({
      status: 'waiting',
      starts: 0,
      failures: 0,
    });
    expect(state.status).toBe('Running');
  });

  it('stays one with an error where another partition begins late', () => {
    const broken: BatchEvent = {
      type: 'BatchBacktestFailed',
      data: { batchId: 'b1', userId: 'u1', errorId: 'e1', partition: 0, fault },
    };
    const state = given(created(), queued(0, 1), started(0), failed(0, true), broken, started(1));
    expect(state).toMatchObject({ status: 'Error', errorId: 'e1' });
    expect(
      types(when({ type: 'ReplayBatchBacktest', errorId: 'e1' }, created(), broken, started(1))),
    ).toEqual(['BatchBacktestReplayed']);
  });

  it('is deleted twice as once, and then gone', () => {
    const gone = [
      created(),
      {
        type: 'BatchBacktestDeleted',
        data: { batchId: 'b1', userId: 'u1', quotaMonth: '2026-11', quotaReleased: 40 },
      },
    ] as const;
    expect(when({ type: 'DeleteBatchBacktest', userId: 'u1' }, ...gone)).toEqual([]);
    expect(types(when({ type: 'DeleteBatchBacktest', userId: 'u2' }, ...gone))).toBe('batch_not_found');
    expect(types(when({ type: 'FinishPartition', partition: 0, node: 'n', seconds: 1 }, ...gone))).toBe(
      'batch_not_found',
    );
  });

  it('never throws, and never finishes with a partition open, whatever is asked of it', () => {
    const partition = fc.integer({ min: 0, max: 4 });
    const command = fc.oneof(
      fc.constant<BatchCommand>({ type: 'CreateBatchBacktest', batch: createdData() }),
      fc.record({ type: fc.constant('QueuePartitions' as const), partitions: fc.array(partition) }),
      fc.record({
        type: fc.constant('StartPartition' as const),
        partition,
        node: fc.constant('n'),
        now: fc.constant(now),
      }),
      fc.record({
        type: fc.constant('FinishPartition' as const),
        partition,
        node: fc.constant('n'),
        seconds: fc.constant(1),
      }),
      fc.record({
        type: fc.constant('FailPartition' as const),
        partition,
        node: fc.constant('n'),
        fault: fc.constant(fault),
      }),
      fc.constant<BatchCommand>({ type: 'StartCompiling' }),
      fc.constant<BatchCommand>({
        type: 'FinishBatchBacktest',
        summary: { rows: 40, failures: 0, best: null, medians: {} },
      }),
      fc.constant<BatchCommand>({ type: 'FailBatchBacktest', errorId: 'e', partition: null, fault }),
      fc.constant<BatchCommand>({ type: 'ReplayBatchBacktest', errorId: 'e' }),
      fc.record({
        type: fc.constant('PinResultRow' as const),
        userId: fc.constant('u1'),
        combination: fc.integer(),
        note: fc.string(),
      }),
      fc.record({
        type: fc.constant('RenameBatchBacktest' as const),
        userId: fc.constantFrom('u1', 'u2'),
        name: fc.string(),
      }),
      fc.record({ type: fc.constant('DeleteBatchBacktest' as const), userId: fc.constantFrom('u1', 'u2') }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state = initialBatchState as ReturnType<typeof given>;
        let released = 0;
        for (const next of commands) {
          const decided = batchDecider.decide(next as BatchCommand, state);
          if (isRefusal(decided)) continue;
          for (const event of decided)
            if (event.type === 'BatchBacktestDeleted') released += event.data.quotaReleased;
          state = decided.reduce(batchDecider.evolve, state);
          if (batchExists(state) && (state.status === 'Finished' || state.status === 'CompilingResults'))
            expect(state.partitions.every(({ status }) => status === 'finished')).toBe(true);
        }
        expect(released).toBeLessThanOrEqual(40);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a batch that an older engine has begun', () => {
  const change: BatchCommand = { type: 'ChangeBatchEngine', engineVersion: '2', fingerprint: 'f2' };
  const changed = {
    type: 'BatchEngineChanged',
    data: { batchId: 'b1', engineVersion: '2', fingerprint: 'f2' },
  } as const;

  it('begins anew while partitions are open', () => {
    expect(when(change, created(), queued(...all), started(0), finished(0))).toEqual([changed]);
  });

  it.each<{ readonly what: string; readonly events: readonly BatchEvent[] }>([
    { what: 'ends as it is once all rows are there', events: done },
    { what: 'has nothing to do when the engine is the same', events: [created({ engineVersion: '2' })] },
    { what: 'does not go back to an older engine', events: [created({ engineVersion: '3' })] },
    { what: 'changes once', events: [created(), changed] },
  ])('$what', ({ events }) => {
    expect(when(change, ...events)).toEqual([]);
  });

  it('has every partition waiting again, no rows of others, and new jobs', () => {
    const reuse = [{ batchId: 'b0', count: 10 }];
    const state = given(created({ reuse }), queued(...all), started(0), finished(0), failed(1), changed);
    if (!batchExists(state)) throw new Error('the batch is there');
    expect(state.created).toMatchObject({ engineVersion: '2', fingerprint: 'f2', reuse: [] });
    expect(state.partitions.map(({ status, failures }) => [status, failures])).toEqual(
      all.map(() => ['waiting', 0]),
    );
    expect(state.partitions[0]?.rounds).toBe(1);
  });
});
