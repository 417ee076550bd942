import { describe, expect, it } from 'vitest';
import { createdData } from '../../testing/batch-builders.ts';
import { eventSamples } from '../../testing/event-samples.ts';
import { folded } from '../../testing/folded.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { bytesOfEvent, storedBytesProjection } from './projection.ts';

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
});
