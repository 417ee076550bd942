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
import { refuse } from '../kernel/refusal.ts';
import type { BatchCommand } from './commands.ts';
import { MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_PINS, mustBeginAnew } from './decider.ts';
import type { BatchEvent } from './events.ts';
import { batchExists } from './state.ts';

// Every command in every situation of a batch's life, with the whole event or the whole refusal that it
// gives. The stories are in decider.test.ts.

const batchId = 'b1';
const userId = 'u1';
const now = '2026-01-05T12:00:00.000Z';
const fault = { message: 'no', stack: ['at a'] };
const summary = { rows: 40, failures: 0, best: null, medians: {} };
const all = [0, 1, 2, 3];

const abandoned: BatchEvent = { type: 'BatchBacktestAbandoned', data: { batchId, userId } };
const deleted: BatchEvent = {
  type: 'BatchBacktestDeleted',
  data: { batchId, userId, quotaMonth: '2026-11', quotaReleased: 40 },
};
const compiling: BatchEvent = { type: 'BatchCompilingStarted', data: { batchId } };
const ended: BatchEvent = { type: 'BatchBacktestFinished', data: { batchId, summary } };
const error: BatchEvent = {
  type: 'BatchBacktestFailed',
  data: { batchId, userId, errorId: 'e1', partition: 1, fault },
};
const pinned = (combination: number, note = ''): BatchEvent => ({
  type: 'ResultRowPinned',
  data: { batchId, combination, note },
});

const done = [created(), queued(...all), ...all.map((i) => started(i)), ...all.map(finished)];
const atWork = [created(), queued(...all), started(0)];
const inCompilation = [...done, compiling];
const inTheEnd = [...inCompilation, ended];
const inError = [created(), queued(...all), started(1), failed(1, true), error];
const dated = created({ config: { ...createdData().config, out_of_sample_date: '2015-01-02' } });

const notFound = refuse(404, 'batch_not_found', 'The batch backtest you are looking for cannot be found.');
const exists = refuse(409, 'batch_exists', 'This batch backtest exists already');
const closed = refuse(409, 'partition_closed', 'This partition is not to be run');
const unknownPartition = refuse(400, 'unknown_partition', 'This batch has no partition 4');

const create: BatchCommand = { type: 'CreateBatchBacktest', batch: createdData() };
const abandon: BatchCommand = { type: 'AbandonBatchBacktest', batchId, userId };
const start = (partition: number, stored?: number): BatchCommand => ({
  type: 'StartPartition',
  now,
  partition,
  node: 'n2',
  ...(stored !== undefined && { stored }),
});
const finish = (partition: number): BatchCommand => ({
  type: 'FinishPartition',
  partition,
  node: 'n2',
  seconds: 7,
});
const fail = (partition: number): BatchCommand => ({ type: 'FailPartition', partition, node: 'n2', fault });
const compile: BatchCommand = { type: 'StartCompiling' };
const end: BatchCommand = { type: 'FinishBatchBacktest', summary };
const giveUp: BatchCommand = { type: 'FailBatchBacktest', errorId: 'e2', partition: 1, fault };
const replay: BatchCommand = { type: 'ReplayBatchBacktest', errorId: 'e1' };
const rename = (name: string): BatchCommand => ({ type: 'RenameBatchBacktest', userId, name });
const note = (text: string): BatchCommand => ({ type: 'ChangeBatchNote', userId, text });
const pin = (combination: number, text = ''): BatchCommand => ({
  type: 'PinResultRow',
  userId,
  combination,
  note: text,
});
const unpin: BatchCommand = { type: 'UnpinResultRow', userId, combination: 3 };
const remove: BatchCommand = { type: 'DeleteBatchBacktest', userId };
const open: BatchCommand = { type: 'OpenOutOfSample', userId };
const show = (isPublic: boolean): BatchCommand => ({ type: 'ChangeBatchVisibility', userId, isPublic });

type Case = readonly [
  what: string,
  history: readonly BatchEvent[],
  command: BatchCommand,
  decided: ReturnType<typeof when>,
];

const partitionStarted = (partition: number, attempt: number, stored?: number): BatchEvent => ({
  type: 'PartitionStarted',
  data: { batchId, partition, attempt, node: 'n2', ...(stored !== undefined && { stored }) },
});
const partitionFinished = (partition: number, attempt: number): BatchEvent => ({
  type: 'PartitionFinished',
  data: { batchId, partition, attempt, node: 'n2', seconds: 7 },
});
const partitionFailed = (partition: number, attempt: number, isFinal: boolean): BatchEvent => ({
  type: 'PartitionFailed',
  data: { batchId, partition, attempt, node: 'n2', fault, isFinal },
});
const renamed = (name: string): BatchEvent => ({ type: 'BatchBacktestRenamed', data: { batchId, name } });
const noted = (text: string): BatchEvent => ({ type: 'BatchNoteChanged', data: { batchId, text } });
const replayed = (...partitions: number[]): BatchEvent => ({
  type: 'BatchBacktestReplayed',
  data: { batchId, errorId: 'e1', partitions },
});
const failedFor = (errorId: string): BatchEvent => ({
  type: 'BatchBacktestFailed',
  data: { batchId, userId, errorId, partition: 1, fault },
});
const hopelessStarts = Array.from({ length: 6 }, () => started(0));

describe('birth and death', () => {
  it.each<Case>([
    ['a batch is created', [], create, [created()]],
    ['once', [created()], create, exists],
    ['a batch that never came is given up', [], abandon, [abandoned]],
    ['once', [abandoned], abandon, []],
    ['not when it came after all', [created()], abandon, exists],
    [
      'what was given up cannot come',
      [abandoned],
      create,
      refuse(409, 'reservation_expired', 'Creating the batch took too long; please try again'),
    ],
    ['what was given up does nothing', [abandoned], compile, notFound],
    ['what never was does nothing', [], compile, notFound],
    [
      'a batch is deleted with what it did not use',
      [...atWork, finished(0)],
      remove,
      [
        {
          type: 'BatchBacktestDeleted',
          data: { batchId, userId, quotaMonth: '2026-11', quotaReleased: 30 },
        },
      ],
    ],
    ['once', [created(), deleted], remove, []],
    [
      'nobody else learns of that',
      [created(), deleted],
      { ...remove, userId: 'u2' } as BatchCommand,
      notFound,
    ],
    ['what was deleted does nothing', [created(), deleted], rename('x'), notFound],
    ['what was deleted cannot come again', [created(), deleted], create, notFound],
  ])('%s', (_, history, command, decided) => expect(when(command, ...history)).toEqual(decided));
});

describe('partitions', () => {
  it.each<Case>([
    [
      'are queued where they wait',
      [created(), queued(0)],
      { type: 'QueuePartitions', partitions: [0, 1, 9] },
      [queued(1)],
    ],
    ['are queued in an error, too', inError, { type: 'QueuePartitions', partitions: [1, 2] }, []],
    [
      'wait in an error and are queued',
      [created(), queued(0), error],
      { type: 'QueuePartitions', partitions: [0, 2] },
      [queued(2)],
    ],
    [
      'are queued while others run',
      [created(), queued(0), started(0)],
      { type: 'QueuePartitions', partitions: [2] },
      [queued(2)],
    ],
    [
      'are not queued while the batch is summed up',
      [created(), queued(0), compiling],
      { type: 'QueuePartitions', partitions: [1] },
      [],
    ],
    [
      'are not queued after its end',
      [created(), queued(0), ended],
      { type: 'QueuePartitions', partitions: [1] },
      [],
    ],
    ['start', [created(), queued(0)], start(0), [partitionStarted(0, 1)]],
    ['start with the rows that are stored', [created(), queued(0)], start(0, 5), [partitionStarted(0, 1, 5)]],
    ['start again', atWork, start(0), [partitionStarted(0, 2)]],
    ['that there are not do not start', atWork, start(4), unknownPartition],
    [
      'that are finished do not start',
      [...atWork, finished(0)],
      start(0),
      refuse(409, 'partition_finished', 'This partition is finished'),
    ],
    ['that failed for good do not start', inError, start(1), closed],
    ['do not start while the batch is summed up', [...atWork, compiling], start(0), closed],
    ['do not start after its end', [...atWork, ended], start(0), closed],
    [
      'that never store a row are given up',
      [created(), queued(0), ...hopelessStarts],
      start(0),
      [
        {
          type: 'PartitionFailed',
          data: {
            batchId,
            partition: 0,
            attempt: 6,
            node: 'n2',
            isFinal: true,
            fault: { message: 'Partition 0 was started 6 times and never stored a row', stack: [] },
          },
        },
      ],
    ],
    [
      'are not given up where a row more is stored',
      [created(), queued(0), ...hopelessStarts],
      start(0, 1),
      [partitionStarted(0, 7, 1)],
    ],
    [
      'are not given up one start earlier',
      [created(), queued(0), ...hopelessStarts.slice(1)],
      start(0),
      [partitionStarted(0, 6)],
    ],
    ['finish', atWork, finish(0), [partitionFinished(0, 1)]],
    ['finish once', [...atWork, finished(0)], finish(0), []],
    ['that there are not do not finish', atWork, finish(4), unknownPartition],
    ['do not finish while the batch is summed up', [...atWork, compiling], finish(0), []],
    ['do not finish after its end', [...atWork, ended], finish(0), []],
    [
      'finish after they failed for good: their rows are there',
      inError,
      finish(1),
      [partitionFinished(1, 1)],
    ],
    ['fail', atWork, fail(0), [partitionFailed(0, 1, false)]],
    ['fail on the way', [created(), queued(0)], fail(0), [partitionFailed(0, 0, false)]],
    ['that wait do not fail', [created()], fail(0), []],
    ['that are finished do not fail', [...atWork, finished(0)], fail(0), []],
    ['that there are not do not fail', atWork, fail(4), unknownPartition],
    [
      'fail for good the third time',
      [...atWork, failed(0), queued(0), started(0), failed(0), queued(0), started(0)],
      fail(0),
      [partitionFailed(0, 3, true)],
    ],
    [
      'do not fail for good the second time',
      [...atWork, failed(0), queued(0), started(0)],
      fail(0),
      [partitionFailed(0, 2, false)],
    ],
  ])('%s', (_, history, command, decided) => expect(when(command, ...history)).toEqual(decided));
});

describe('the end of the work', () => {
  it.each<Case>([
    ['a batch is summed up', done, compile, [compiling]],
    [
      'not before all is there',
      [...atWork, finished(0)],
      compile,
      refuse(409, 'partitions_open', 'Not all partitions are finished'),
    ],
    [
      'that nobody started is summed up',
      [created(), queued(...all), ...all.map(finished)],
      compile,
      [compiling],
    ],
    ['once', inCompilation, compile, []],
    ['not after its end', inTheEnd, compile, []],
    ['not in an error', [...done, error], compile, []],
    ['it ends', inCompilation, end, [ended]],
    ['once', inTheEnd, end, []],
    [
      'not before it is summed up',
      done,
      end,
      refuse(409, 'not_compiling', 'The results of this batch are not being compiled'),
    ],
    ['it fails', atWork, giveUp, [failedFor('e2')]],
    ['it fails while it is summed up', inCompilation, giveUp, [failedFor('e2')]],
    ['once', inError, giveUp, []],
    ['not after its end', inTheEnd, giveUp, []],
    ['its failed partitions run again', inError, replay, [replayed(1)]],
    [
      'all of them where none failed: summing up did',
      [...inCompilation, error],
      replay,
      [replayed(0, 1, 2, 3)],
    ],
    [
      'not without an error',
      atWork,
      replay,
      refuse(409, 'batch_not_failed', 'Only a batch backtest with an error can be replayed'),
    ],
  ])('%s', (_, history, command, decided) => expect(when(command, ...history)).toEqual(decided));

  it('has the partitions of a replay waiting, so that they are queued and run', () => {
    const state = given(...inError, replayed(1));
    expect(when({ type: 'QueuePartitions', partitions: all }, ...inError, replayed(1))).toEqual([queued(1)]);
    expect(when(start(1), ...inError, replayed(1), queued(1))).toEqual([partitionStarted(1, 1)]);
    expect(batchExists(state) && [state.status, state.errorId]).toEqual(['Running', null]);
  });

  it('begins anew under a newer engine only while it waits or works', () => {
    const isAnew = (...history: readonly BatchEvent[]) => {
      const state = given(...history);
      return batchExists(state) && mustBeginAnew(state, '2');
    };
    expect(isAnew(created())).toBe(true);
    expect(isAnew(...atWork)).toBe(true);
    expect(isAnew(...inError)).toBe(false);
    expect(isAnew(...atWork, compiling)).toBe(false);
    expect(isAnew(...done)).toBe(false);
  });
});

describe('what the owner does', () => {
  const tooLongName = refuse(400, 'name_too_long', 'A name has at most 200 characters');
  const tooLongNote = refuse(400, 'note_too_long', 'A note has at most 4000 characters');
  const noRow = (combination: number) =>
    refuse(400, 'unknown_combination', `This batch has no combination ${combination}`);
  const pins = Array.from({ length: MAX_PINS }, (_, i) => pinned(i));
  const long = Array.from({ length: 97 }, (_, i) => pinned(i, 'x'.repeat(1_000)));
  const [most, other] = ['x'.repeat(3_000), 'y'.repeat(3_000)];
  const words = 'The notes of a batch’s pinned rows have at most 100,000 characters together';
  const tooManyNotes = refuse(409, 'too_many_pins', words);
  const wide = created({ combinations: 1_000, partitionSize: 250 });
  it.each<Case>([
    ['gives it a name', [created()], rename('  New  '), [renamed('New')]],
    ['gives it the name that it has', [created()], rename('Batch '), []],
    ['gives it none', [created()], rename(' '), refuse(400, 'name_missing', 'Name is required')],
    [
      'gives it the longest',
      [created()],
      rename('x'.repeat(MAX_NAME_LENGTH)),
      [renamed('x'.repeat(MAX_NAME_LENGTH))],
    ],
    ['gives it too long a one', [created()], rename('x'.repeat(MAX_NAME_LENGTH + 1)), tooLongName],
    [
      'shows it',
      [created()],
      show(true),
      [{ type: 'BatchVisibilityChanged', data: { batchId, isPublic: true } }],
    ],
    ['shows it again', [created({ isPublic: true })], show(true), []],
    ['writes a note', [created()], note(' good '), [noted('good')]],
    ['writes it again', [created(), noted('good')], note('good'), []],
    [
      'writes the longest',
      [created()],
      note('x'.repeat(MAX_NOTE_LENGTH)),
      [noted('x'.repeat(MAX_NOTE_LENGTH))],
    ],
    ['writes too long a one', [created()], note('x'.repeat(MAX_NOTE_LENGTH + 1)), tooLongNote],
    ['pins the first row', [created()], pin(0, ' why '), [pinned(0, 'why')]],
    ['pins the last row', [created()], pin(39), [pinned(39)]],
    ['pins none before', [created()], pin(-1), noRow(-1)],
    ['pins none after', [created()], pin(40), noRow(40)],
    ['pins no half', [created()], pin(1.5), noRow(1.5)],
    [
      'pins with the longest note',
      [created()],
      pin(0, 'x'.repeat(MAX_NOTE_LENGTH)),
      [pinned(0, 'x'.repeat(MAX_NOTE_LENGTH))],
    ],
    ['pins with too long a note', [created()], pin(0, 'x'.repeat(MAX_NOTE_LENGTH + 1)), tooLongNote],
    ['pins again', [created(), pinned(3, 'a')], pin(3, 'a'), []],
    ['pins with another note', [created(), pinned(3, 'a')], pin(3, 'b'), [pinned(3, 'b')]],
    ['pins the last that there may be', [wide, ...pins.slice(1)], pin(500), [pinned(500)]],
    [
      'pins one too many',
      [wide, ...pins],
      pin(500),
      refuse(409, 'too_many_pins', 'A batch has at most 200 pinned rows'),
    ],
    ['pins with all that notes may hold', [wide, ...long], pin(500, most), [pinned(500, most)]],
    ['pins with more', [wide, ...long], pin(500, `${most}x`), tooManyNotes],
    [
      'pins again with as long a note',
      [wide, ...long, pinned(500, most)],
      pin(500, other),
      [pinned(500, other)],
    ],
    ['changes the note of one of them', [wide, ...pins], pin(7, 'b'), [pinned(7, 'b')]],
    [
      'unpins',
      [created(), pinned(3)],
      unpin,
      [{ type: 'ResultRowUnpinned', data: { batchId, combination: 3 } }],
    ],
    ['unpins what is not pinned', [created(), pinned(4)], unpin, []],
    [
      'opens the part out of sample',
      [dated, ended],
      open,
      [{ type: 'OutOfSampleOpened', data: { batchId, userId } }],
    ],
    [
      'opens it too early',
      [dated],
      open,
      refuse(409, 'results_not_ready', 'The out-of-sample part can be opened once the batch has finished'),
    ],
    [
      'opens it where there is none',
      [created(), ended],
      open,
      refuse(409, 'no_out_of_sample_date', 'This batch backtest names no out-of-sample date'),
    ],
  ])('%s', (_, history, command, decided) => expect(when(command, ...history)).toEqual(decided));

  it.each(
    [remove, rename('x'), show(true), note('x'), pin(0), unpin, open].map((one) => [one.type, one] as const),
  )('is nothing that others can do: %s', (_, command) => {
    const asOther = { ...command, userId: 'u2' } as BatchCommand;
    for (const history of [
      [created(), pinned(3)],
      [dated, ended],
    ])
      expect(when(asOther, ...history)).toEqual(notFound);
  });

  it('is forgotten row by row', () => {
    const unpinned: BatchEvent = { type: 'ResultRowUnpinned', data: { batchId, combination: 3 } };
    const state = given(created(), pinned(3, 'a'), pinned(4, 'b'), unpinned);
    expect(batchExists(state) && [...state.pins]).toEqual([[4, 'b']]);
  });
});
