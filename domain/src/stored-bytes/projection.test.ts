import { describe, expect, it } from 'vitest';
import { createdData } from '../../testing/batch-builders.ts';
import { eventSamples } from '../../testing/event-samples.ts';
import { folded } from '../../testing/folded.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { beginsStored, bytesOfEvent, storedBy, storedBytesProjection } from './projection.ts';

/** What an installation has written, as an event of this stream. */
function sampled(file: string, stream: string, data: object = {}): DomainEvent & { readonly stream: string } {
  const sample = eventSamples().find((one) => one.file === `${file}.json`)?.event;
  if (!sample) throw new Error(`There is no ${file}`);
  return { type: sample.type, stream, data: { ...(sample.data as object), ...data } };
}
const stored = (...events: Parameters<typeof sampled>[]) =>
  folded(storedBytesProjection, ...events.map((given) => sampled(...given)));
const sizeOf = (...events: Parameters<typeof sampled>[]) =>
  events.reduce((sum, given) => sum + bytesOfEvent(sampled(...given)).bytes, 0);

const BATCH = { type: 'BatchBacktestCreated', stream: 'batch-b1', data: createdData() };
const SHARE = ['ResultShared.v1', 'sharedResult-1'] as const;
const LIST = ['VariableListCreated.v1', 'variableList-1'] as const;
const GONE = ['VariableListDeleted.v1', 'variableList-1'] as const;
const BACK = ['VariableListDeletionUndone.v1', 'variableList-1'] as const;
const STRATEGY = ['StrategyCreated.v2', 'strategy-s1', { strategyId: 's1', ownerId: 'ann' }] as const;
const SAVED = ['StrategySaved.v2', 'strategy-s1', { strategyId: 's1' }] as const;
const RUN = ['StrategyRunRecorded.v1', 'strategyRuns-s1-2026', { strategyId: 's1' }] as const;

describe('the room that something takes', () => {
  it('is given back once and for all where it cannot be brought back', () => {
    const end = (type: string) => folded(storedBytesProjection, BATCH, { ...BATCH, type });
    expect(folded(storedBytesProjection, BATCH)).toMatchObject({ ownerId: 'u1', isDeleted: false });
    expect(end('BatchBacktestDeleted')).toBeNull();
    // Its quota was gone when it was made: it never ran.
    expect(end('BatchBacktestAbandoned')).toBeNull();
    expect(stored([...SHARE])).not.toBeNull();
    expect(stored([...SHARE], ['ResultShareWithdrawn.v1', 'sharedResult-1'])).toBeNull();
  });

  it('counts nothing while it is deleted, and again once it is brought back', () => {
    expect(stored([...LIST])).toMatchObject({ isDeleted: false, bytes: sizeOf([...LIST]) });
    expect(stored([...LIST], [...GONE])?.isDeleted).toBe(true);
    expect(stored([...LIST], [...GONE], [...BACK])).toMatchObject({
      isDeleted: false,
      bytes: sizeOf([...LIST], [...GONE], [...BACK]),
    });
  });

  it('is its own and that of its runs, which go with it', () => {
    const [alone, withRun] = [stored([...STRATEGY]), stored([...STRATEGY], [...RUN])];
    expect(withRun?.bytes).toBe((alone?.bytes ?? 0) + sizeOf([...RUN]));
    expect(withRun).toMatchObject({ id: 'strategy-s1', ownerId: 'ann' });
  });

  it('is taken by nothing that was never begun', () => {
    expect(stored([...RUN])).toBeNull();
    expect(stored([...GONE])).toBeNull();
  });

  it('begins with what somebody makes, and with nothing else that happens to it', () => {
    const counted = eventSamples().filter(({ event }) => storedBytesProjection.handles.includes(event.type));
    const begun = counted.filter(({ file, event }) => {
      const document = stored([file.replace('.json', ''), 'some-1']);
      expect(beginsStored(event), file).toBe(document !== null);
      return document !== null;
    });
    expect([...new Set(begun.map(({ event }) => event.type))].sort()).toEqual([
      'BatchBacktestCreated',
      'ResultShared',
      'StrategyCloned',
      'StrategyCreated',
      'VariableListCloned',
      'VariableListCreated',
    ]);
  });

  it('is not that of what the product itself writes about the progress of a batch', () => {
    expect(
      storedBytesProjection.handles.filter((type) => /Batch|Row|Partition|Sample/.test(type)).sort(),
    ).toEqual([
      'BatchBacktestAbandoned',
      'BatchBacktestCreated',
      'BatchBacktestDeleted',
      'BatchBacktestRenamed',
      'BatchNoteChanged',
      'ResultRowPinned',
      'ResultRowUnpinned',
    ]);
  });

  it('is taken of who made it, and of the same while others change it', () => {
    expect(stored([...SHARE])?.ownerId).toBe('0000000000E5K0Y4XW2TQ8N7PD');
    expect(stored([...STRATEGY], [...SAVED])).toMatchObject({ id: 'strategy-s1', ownerId: 'ann' });
    const renamed = { type: 'BatchBacktestRenamed', stream: 'batch-b1', data: { userId: 'u2', name: 'x' } };
    expect(folded(storedBytesProjection, BATCH, renamed)).toMatchObject({ id: 'batch-b1', ownerId: 'u1' });
  });

  it('is the letters of its events and each tree once', () => {
    const tree = { hash: `0123456789abcdef${'0'.repeat(48)}`, size: 700, blocks: 1, tickers: [] };
    const saved = (hash: string, size: number) =>
      ['StrategySaved.v2', 'strategy-s1', { strategyId: 's1', tree: { ...tree, hash, size } }] as const;
    const created = ['StrategyCreated.v2', 'strategy-s1', { strategyId: 's1', tree }] as const;
    const again = saved(tree.hash, 700);
    const other = saved(`0123456789abcdeF${'0'.repeat(48)}`, 50);
    const letters = (...events: (typeof again | typeof created)[]) =>
      events.reduce(
        (sum, [file, stream, data]) => sum + JSON.stringify(sampled(file, stream, data).data).length,
        0,
      );
    expect(stored([...created])).toMatchObject({
      bytes: letters(created) + 700,
      trees: ['0123456789abcdef'],
    });
    expect(stored([...created], [...again])?.bytes).toBe(letters(created, again) + 700);
    expect(stored([...created], [...other], [...again], [...other])).toMatchObject({
      bytes: letters(created, other, again, other) + 750,
      trees: ['0123456789abcdef', '0123456789abcdeF'],
    });
    expect(bytesOfEvent({ data: { a: 1 } })).toEqual({ bytes: 7, tree: null });
  });

  it('stays given back while other things happen to what is deleted, and counts them when it is back', () => {
    const gone = ['StrategyDeleted.v1', 'strategy-s1', { strategyId: 's1' }] as const;
    const back = ['StrategyDeletionUndone.v1', 'strategy-s1', { strategyId: 's1' }] as const;
    const last = stored([...STRATEGY], [...gone], [...RUN]);
    expect(last).toMatchObject({ isDeleted: true });
    expect(stored([...STRATEGY], [...gone], [...RUN], [...back])).toEqual({
      ...last,
      isDeleted: false,
      bytes: (last?.bytes ?? 0) + sizeOf([...back]),
    });
  });

  it('is asked for by owner, without what is deleted', () => {
    expect(storedBy('ann')).toEqual({ ownerId: 'ann', isDeleted: false });
  });
});
