import { describe, expect, it } from 'vitest';
import { createdData } from '../../testing/batch-builders.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import { type LineageTrialsDocument, lineageTrialsProjection } from './trials.ts';

function after(...events: readonly { type: string; data: object }[]): LineageTrialsDocument {
  let document: LineageTrialsDocument | null = null;
  for (const event of events)
    document = lineageTrialsProjection.evolve(
      document,
      event as unknown as RecordedEvent,
      'l1',
    ) as LineageTrialsDocument;
  if (!document) throw new Error('there is no document');
  return document;
}
const batch = (over: Parameters<typeof createdData>[0] = {}) => ({
  type: 'BatchBacktestCreated',
  data: createdData(over),
});

describe('the trials of a lineage', () => {
  it.each([
    ['are the combinations of a batch', [batch()], 40],
    [
      'do not grow by the same combinations over other dates and costs',
      [batch(), batch({ config: { start_date: '2005-01-01', end_date: '2026-01-01', slippage_bps: 1 } })],
      40,
    ],
    [
      'grow by what part of them computes that another had not',
      [batch({ quotaByPartition: [10, 0, 0, 0] }), batch(), batch()],
      40,
    ],
    ['grow by other values', [batch(), batch({ variables: [{ name: '$A', values: ['X'] }] })], 80],
    [
      'grow by another tree',
      [
        batch(),
        batch({
          template: { name: 'T', variables: ['$A'], algorithm: { id: 'node_2', node_type: 'root' } as never },
        }),
      ],
      80,
    ],
  ])('%s', (_, events, trials) => {
    const document = after(...events);
    expect(document.batchTrials).toBe(trials);
    expect(document.batches).toBe(events.length);
  });

  it('count each distinct single run', () => {
    expect(after({ type: 'BacktestTried', data: {} }, batch())).toMatchObject({
      singleTrials: 1,
      batchTrials: 40,
    });
  });
});
