import { describe, expect, it } from 'vitest';
import {
  created,
  createdData,
  failed,
  finished,
  given,
  queued,
  started,
  stopped,
} from '../../testing/batch-builders.ts';
import type { BatchEvent } from './events.ts';
import { activeBatch, allFinished, nextSteps, openSteps } from './process.ts';
import { batchExists } from './state.ts';

const FAULT = { message: 'The disk is full', stack: ['at write'] };
const ALL_FINISHED = [created(), queued(0, 1, 2, 3), ...[0, 1, 2, 3].map(finished)];
const compiling: BatchEvent = { type: 'BatchCompilingStarted', data: { batchId: 'b1' } };
const completed: BatchEvent = {
  type: 'BatchBacktestFinished',
  data: { batchId: 'b1', summary: { rows: 40, failures: 0, best: null, medians: {} } },
};
const broken = (partition: number | null): BatchEvent => ({
  type: 'BatchBacktestFailed',
  data: { batchId: 'b1', userId: 'u1', errorId: 'e1', partition, fault: FAULT },
});
const replayed = (...partitions: number[]): BatchEvent => ({
  type: 'BatchBacktestReplayed',
  data: { batchId: 'b1', errorId: 'e1', partitions },
});
const renamed: BatchEvent = { type: 'BatchBacktestRenamed', data: { batchId: 'b1', name: 'x' } };
const deleted: BatchEvent = {
  type: 'BatchBacktestDeleted',
  data: { batchId: 'b1', userId: 'u1', quotaMonth: '2026-11', quotaReleased: 7 },
};
const abandoned: BatchEvent = { type: 'BatchBacktestAbandoned', data: { batchId: 'b1', userId: 'u1' } };

const kinds = (...args: Parameters<typeof nextSteps>) => nextSteps(...args).map(({ kind }) => kind);

describe('what follows from an event', () => {
  it('prepares and schedules a new batch', () => {
    expect(kinds(created(), given(created()))).toEqual(['prepare', 'schedule']);
  });
  it('publishes what is still queued, with its round', () => {
    const state = given(created(), queued(0, 1), started(0), finished(0), started(1), failed(1), queued(1));
    expect(nextSteps(queued(0, 1), state)).toEqual([
      { kind: 'publishJobs', jobs: [{ partition: 1, round: 2 }] },
    ]);
  });
  it('compiles after the last partition, schedules after the others', () => {
    const most = [created(), queued(0, 1, 2, 3), finished(0), finished(1), finished(2)];
    expect(kinds(finished(2), given(...most))).toEqual(['schedule']);
    expect(kinds(finished(3), given(...most, finished(3)))).toEqual(['startCompiling', 'schedule']);
  });
  it('tries a failed partition again until it is final', () => {
    expect(kinds(failed(0), given(created(), queued(0), started(0), failed(0)))).toEqual(['schedule']);
    expect(kinds(failed(0, true), given(created(), queued(0), started(0), failed(0, true)))).toEqual([
      'fail',
      'schedule',
    ]);
  });
  it('records the error of a batch that failed, and gives its quota back', () => {
    const owned = created({ userId: 'owner', quotaMonth: '2026-03' });
    expect(nextSteps(broken(2), given(owned, broken(2)))).toEqual([
      { kind: 'recordError', errorId: 'e1', partition: 2, fault: FAULT },
      {
        kind: 'releaseQuota',
        userId: 'owner',
        combinations: 'all',
        month: '2026-03',
        reason: 'batch_failed',
      },
    ]);
  });
  it('cleans up after a deletion, whatever came before', () => {
    expect(nextSteps(deleted, given(created(), deleted))).toEqual([
      { kind: 'cancel' },
      {
        kind: 'releaseQuota',
        userId: 'u1',
        combinations: 7,
        month: '2026-11',
        reason: 'batch_deleted',
      },
      { kind: 'schedule' },
    ]);
    // An event from before the deletion, delivered again: nothing is left to do.
    expect(nextSteps(queued(0), given(created(), queued(0), deleted))).toEqual([]);
  });
  it('hands on which partition failed for good, and of what', () => {
    const event = failed(2, true);
    const [fail] = nextSteps(event, given(created(), queued(2), started(2), event));
    expect(fail).toEqual({ kind: 'fail', partition: 2, fault: { message: 'no', stack: [] } });
  });
  it('publishes nothing of what is no longer queued, or never was there', () => {
    const state = given(created(), queued(0, 1, 2), started(1), finished(2));
    expect(nextSteps(queued(0, 1, 2, 99), state)).toEqual([
      { kind: 'publishJobs', jobs: [{ partition: 0, round: 1 }] },
    ]);
  });
  it('compiles while it is to be compiled', () => {
    expect(kinds(compiling, given(...ALL_FINISHED, compiling))).toEqual(['compile']);
    expect(kinds(compiling, given(...ALL_FINISHED, compiling, completed))).toEqual([]);
  });
  it('makes room again, and schedules what is to be run again', () => {
    const state = given(created(), queued(0), failed(0, true), broken(0), replayed(0));
    expect(kinds(replayed(0), state)).toEqual(['schedule']);
  });
  it('is nothing where only what people see of it has changed', () => {
    expect(nextSteps(renamed, given(created(), renamed))).toEqual([]);
  });
  it('is nothing but the clean-up for a batch that is not there', () => {
    const events = [created(), queued(0), finished(0), failed(0, true), broken(0), stopped(0, 5), compiling];
    for (const last of [abandoned, deleted])
      for (const event of events) expect(nextSteps(event, given(created(), last)), event.type).toEqual([]);
    expect(nextSteps(created(), given())).toEqual([]);
  });
});

describe('what is still open of a batch, whatever was done of it', () => {
  const open = (...events: readonly BatchEvent[]) =>
    openSteps(events, given(...events)).map(({ event, step }) => [events.indexOf(event), step.kind]);

  it('is what follows from each of its events', () => {
    const events = [created(), queued(0, 1)];
    expect(openSteps(events, given(...events))).toEqual([
      { event: events[0], step: { kind: 'prepare' } },
      {
        event: events[1],
        step: {
          kind: 'publishJobs',
          jobs: [
            { partition: 0, round: 1 },
            { partition: 1, round: 1 },
          ],
        },
      },
    ]);
  });
  it('puts a partition on the bus once, however often it was queued', () => {
    const events = [created(), queued(0, 1), failed(0), queued(0), queued(1, 2)];
    const jobs = openSteps(events, given(...events)).flatMap(({ step }) =>
      step.kind === 'publishJobs' ? [step.jobs] : [],
    );
    expect(jobs).toEqual([
      [
        { partition: 0, round: 2 },
        { partition: 1, round: 2 },
      ],
      [{ partition: 2, round: 1 }],
    ]);
    // Nothing to publish is no step.
    expect(open(created(), queued(0), started(0))).toEqual([[0, 'prepare']]);
  });
  it('compiles once, after the last that finished or the last that said so', () => {
    expect(open(...ALL_FINISHED)).toEqual([
      [0, 'prepare'],
      [5, 'startCompiling'],
    ]);
    // Run again since then.
    expect(open(...ALL_FINISHED, compiling, replayed())).toEqual([
      [0, 'prepare'],
      [5, 'startCompiling'],
    ]);
    expect(open(...ALL_FINISHED, compiling, { ...compiling })).toEqual([
      [0, 'prepare'],
      [5, 'startCompiling'],
      [7, 'compile'],
    ]);
  });
  it('prepares nothing of what has ended', () => {
    expect(open(...ALL_FINISHED, compiling, completed)).toEqual([[5, 'startCompiling']]);
    expect(open(created(), queued(0), finished(0), stopped(10, 30))).toEqual([
      [3, 'stopWork'],
      [3, 'releaseQuota'],
    ]);
    expect(open(created(), broken(null))).toEqual([
      [1, 'recordError'],
      [1, 'releaseQuota'],
    ]);
    expect(open(created(), deleted)).toEqual([
      [1, 'cancel'],
      [1, 'releaseQuota'],
    ]);
  });
  it('fails a batch for a partition that is failed still, not for one that was let run again', () => {
    const lost = [created(), queued(0, 1), failed(0, true)];
    expect(open(...lost)).toContainEqual([2, 'fail']);
    expect(open(...lost, broken(0))).not.toContainEqual([2, 'fail']);
    const again = open(...lost, broken(0), replayed(0));
    expect(again).not.toContainEqual([2, 'fail']);
    expect(again).toContainEqual([3, 'recordError']);
    // The new try may fail as well, for a reason of its own.
    const lostAgain = [...lost, broken(0), replayed(0), queued(0), failed(0, true)];
    expect(open(...lostAgain).filter(([, step]) => step === 'fail')).toEqual([[6, 'fail']]);
  });
});

describe('the scheduler', () => {
  it('takes one that must be computed again before all that wait, since it hides the rows behind it', () => {
    const state = given(created(), queued(0, 1), started(0), started(1), finished(1), failed(0));
    if (!batchExists(state)) throw new Error('The batch is there');
    expect(activeBatch(state).waiting[0]).toBe(0);
  });

  const viewOf = (...events: readonly BatchEvent[]) => {
    const state = given(...events);
    if (!batchExists(state)) throw new Error('The batch is there');
    return activeBatch(state);
  };

  it('sees whose batch it is, what waits and what is under way', () => {
    const { batchId, userId } = createdData();
    const batch = { batchId, userId, isQuick: false };
    expect(viewOf(created())).toEqual({ ...batch, waiting: [0, 1, 2, 3], inFlight: 0 });
    expect(viewOf(created({ isQuick: true })).isQuick).toBe(true);
    expect(viewOf(created(), queued(0, 1, 2), started(1), finished(2))).toEqual({
      ...batch,
      waiting: [3],
      inFlight: 2,
    });
    expect(viewOf(created(), queued(0), failed(0, true))).toMatchObject({ waiting: [1, 2, 3], inFlight: 0 });
  });

  it('starts nothing more of a batch that is compiled, complete or stopped', () => {
    for (const end of [[compiling], [compiling, completed], [stopped(10, 30)]])
      expect(viewOf(created(), queued(0), started(0), finished(0), ...end)).toMatchObject({
        waiting: [],
        inFlight: 0,
      });
  });

  it('has a batch for finished when every partition is, and none failed', () => {
    const isFinished = (...events: readonly BatchEvent[]) => {
      const state = given(...events);
      return batchExists(state) && allFinished(state);
    };
    expect(isFinished(...ALL_FINISHED)).toBe(true);
    expect(isFinished(...ALL_FINISHED.slice(0, -1))).toBe(false);
    expect(isFinished(...ALL_FINISHED.slice(0, -1), failed(3, true))).toBe(false);
  });
});
