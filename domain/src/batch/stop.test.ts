import { describe, expect, it } from 'vitest';
import {
  created,
  failed,
  finished,
  given,
  queued,
  started,
  stopped,
  when,
} from '../../testing/batch-builders.ts';
import type { BatchCommand } from './commands.ts';
import { activeBatch, nextSteps, openSteps } from './process.ts';
import { batchExists } from './state.ts';

const STOP = { type: 'StopBatchBacktest', userId: 'u1' } as const;
const AT_WORK = [
  created({ quotaByPartition: [10, 4, 10, 7] }),
  queued(0, 1, 2),
  started(0),
  started(1),
  started(2),
  finished(1),
];
const STOPPED = [...AT_WORK, stopped(10, 27)];

describe('stopping a batch', () => {
  it('keeps what has finished and gives the rest back, to the combination', () => {
    // Partitions 0, 2 and 3 did not finish; six rows of partition 1 were taken from an earlier batch.
    expect(when(STOP, ...AT_WORK)).toEqual([stopped(10, 27)]);
    // The last partition may be smaller.
    const small = created({ combinations: 35, quotaByPartition: [10, 10, 10, 5] });
    expect(when(STOP, small, queued(3), started(3), finished(3))).toEqual([stopped(5, 30)]);
  });

  it('is done once, by the owner only, while there is something to stop and something to keep', () => {
    expect(when(STOP, ...STOPPED)).toEqual([]);
    expect(when({ ...STOP, userId: 'u2' }, ...AT_WORK)).toMatchObject({ code: 'batch_not_found' });
    expect(when(STOP, created())).toMatchObject({ status: 409, code: 'no_rows_yet' });
    expect(when(STOP, created(), queued(0), started(0))).toMatchObject({ code: 'no_rows_yet' });
    const all = [created(), queued(0, 1, 2, 3), ...[0, 1, 2, 3].map(finished)];
    expect(when(STOP, ...all)).toMatchObject({ status: 409, code: 'batch_not_running' });
    const compiling = { type: 'BatchCompilingStarted', data: { batchId: 'b1' } } as const;
    expect(when(STOP, ...all, compiling)).toMatchObject({ code: 'batch_not_running' });
    const fault = { message: 'no', stack: [] };
    const error = {
      type: 'BatchBacktestFailed',
      data: { batchId: 'b1', userId: 'u1', errorId: 'e1', partition: 0, fault },
    } as const;
    expect(when(STOP, ...AT_WORK, error)).toMatchObject({ code: 'batch_not_running' });
  });

  it.each<[string, BatchCommand]>([
    ['is put on the bus', { type: 'QueuePartitions', partitions: [0, 2, 3] }],
    ['finishes late', { type: 'FinishPartition', partition: 0, node: 'n1', seconds: 1 }],
    ['fails late', { type: 'FailPartition', partition: 0, node: 'n1', fault: { message: 'x', stack: [] } }],
    ['is compiled', { type: 'StartCompiling' }],
    ['fails', { type: 'FailBatchBacktest', errorId: 'e', partition: 0, fault: { message: 'x', stack: [] } }],
    ['begins anew', { type: 'ChangeBatchEngine', engineVersion: '99', fingerprint: 'g' }],
  ])('is the end: nothing of it %s', (_, command) => {
    expect(when(command, ...STOPPED)).toEqual([]);
  });

  it('lets no node begin a partition, and no administrator run it again', () => {
    const start = { type: 'StartPartition', partition: 0, node: 'n2', now: '2026-11-23T12:00:00Z' } as const;
    expect(when(start, ...STOPPED)).toMatchObject({ status: 409, code: 'partition_closed' });
    expect(when({ type: 'ReplayBatchBacktest', errorId: 'e' }, ...STOPPED)).toMatchObject({ status: 409 });
  });

  it('takes nothing of the share of its owner, and gives nothing back a second time when it is deleted', () => {
    const state = given(...STOPPED);
    if (!batchExists(state)) throw new Error('The batch is there');
    expect(activeBatch(state)).toMatchObject({ waiting: [], inFlight: 0 });
    expect(when({ type: 'DeleteBatchBacktest', userId: 'u1' }, ...STOPPED)).toMatchObject([
      { data: { quotaReleased: 0 } },
    ]);
  });

  it('ends the work, gives quota back and makes room for others, however often it is told', () => {
    const steps = [
      { kind: 'stopWork' },
      {
        kind: 'releaseQuota',
        userId: 'u1',
        combinations: 27,
        month: '2026-11',
        reason: 'batch_stopped',
      },
      { kind: 'schedule' },
    ];
    expect(nextSteps(stopped(10, 27), given(...STOPPED))).toEqual(steps);
    // What came before it, told again, does nothing any more.
    for (const event of [queued(0, 1, 2), failed(0, true), finished(1)])
      expect(nextSteps(event, given(...STOPPED)).map(({ kind }) => kind)).not.toContain('startCompiling');
    expect(nextSteps(queued(0, 1, 2), given(...STOPPED))).toEqual([{ kind: 'publishJobs', jobs: [] }]);
    // A lost checkpoint: only what the stop asks for is left.
    expect(openSteps(STOPPED, given(...STOPPED)).map(({ step }) => step.kind)).toEqual([
      'stopWork',
      'releaseQuota',
    ]);
  });
});
