import { describe, expect, it } from 'vitest';
import { created, finished, started } from '../../testing/batch-builders.ts';
import { folded } from '../../testing/folded.ts';
import type { BatchEvent } from './events.ts';
import { batchesProjection } from './projections.ts';

const begun = [created(), started(0), finished(0), started(2), finished(2)];
const open = (...events: readonly BatchEvent[]) => folded(batchesProjection, ...events)?.openPartitions;

describe('what is still open of a batch', () => {
  it('is every partition that has not finished', () => {
    expect(open(created())).toEqual([0, 1, 2, 3]);
    expect(open(...begun)).toEqual([1, 3]);
  });

  it('is everything again once another engine begins it anew', () => {
    const changed: BatchEvent = {
      type: 'BatchEngineChanged',
      data: { batchId: 'b1', engineVersion: '2', fingerprint: 'g' },
    };
    expect(open(...begun, changed)).toEqual([0, 1, 2, 3]);
    expect(folded(batchesProjection, ...begun, changed)).toMatchObject({
      engineVersion: '2',
      fingerprint: 'g',
    });
  });

  it('is also what is run again after an error, each once', () => {
    const replayed: BatchEvent = {
      type: 'BatchBacktestReplayed',
      data: { batchId: 'b1', errorId: 'e1', partitions: [3, 0] },
    };
    expect(open(...begun, replayed)).toEqual([0, 1, 3]);
  });
});
