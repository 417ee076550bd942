import { describe, expect, it } from 'vitest';
import { createdData } from '../../testing/batch-builders.ts';
import { given } from '../../testing/given.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import { streamName } from '../kernel/handle-command.ts';
import { TRIALS_STREAM } from './stream.ts';
import { type LineageTrialsDocument, lineageTrialsProjection, trialId } from './trials.ts';

type Happened = { type: string; data: object };
const after = (...events: readonly Happened[]): LineageTrialsDocument => continued(null, ...events);
function continued(
  before: LineageTrialsDocument | null,
  ...events: readonly Happened[]
): LineageTrialsDocument {
  let document = before;
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
const TRIAL = { lineageId: 'l1', strategyId: 's1', userId: 'u1', fingerprint: 'f1' };
const TRIED = { type: 'BacktestTried', data: TRIAL } as const;

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
    expect(after(TRIED, batch())).toMatchObject({
      singleTrials: 1,
      batchTrials: 40,
    });
  });

  it('begin with the first of either kind', () => {
    const grids = [{ key: expect.stringMatching(/^[0-9a-f]{64}$/), counted: 40 }];
    expect(after(batch())).toEqual({ id: 'l1', batchTrials: 40, batches: 1, singleTrials: 0, grids });
    expect(after(TRIED, TRIED)).toEqual({ id: 'l1', batchTrials: 0, batches: 0, singleTrials: 2, grids: [] });
  });

  it('do not grow by another title', () => {
    const template = {
      name: 'T',
      variables: ['$A'],
      algorithm: { id: 'node_1', node_type: 'root', name: 'X' },
    };
    const other = { ...template, algorithm: { ...template.algorithm, name: 'Y' } };
    expect(
      after(batch({ template: template as never }), batch({ template: other as never })).batchTrials,
    ).toBe(40);
  });

  it('grow only by more than was counted of the same combinations, whatever the last batch computed', () => {
    const computing = (...quotaByPartition: readonly number[]) => batch({ quotaByPartition });
    const document = after(computing(10, 10), computing(5), computing(10, 12));
    expect(document).toMatchObject({ batchTrials: 22, batches: 3, grids: [{ counted: 22 }] });
    expect(document.grids).toHaveLength(1);
    // Nothing of it was computed: all rows were there.
    expect(after(computing(0, 0))).toMatchObject({ batchTrials: 0, batches: 1 });
  });

  it('are remembered for a thousand grids, those that were used last', () => {
    const [known] = after(batch()).grids;
    if (!known) throw new Error('there is no grid');
    const full = (...grids: LineageTrialsDocument['grids']) => ({ ...after(batch()), grids });
    const others = Array.from({ length: 999 }, (_, i) => ({ key: `other${i}`, counted: 1 }));
    const values = (value: string) => batch({ variables: [{ name: '$A', values: [value] }] });
    // There is room for one more; then the one that was used longest ago goes.
    const grown = continued(full(known, ...others.slice(1)), values('X'));
    expect(grown.grids).toHaveLength(1_000);
    expect(continued(grown, batch()).batchTrials).toBe(grown.batchTrials);
    const forgotten = continued(grown, values('Y'));
    expect(forgotten.grids).toHaveLength(1_000);
    expect(continued(forgotten, batch()).batchTrials).toBe(forgotten.batchTrials + 40);
    // One that was used again is not the one that goes.
    const usedAgain = continued(grown, batch(), values('Y'));
    expect(continued(usedAgain, batch()).batchTrials).toBe(usedAgain.batchTrials);
  });

  it('belong to the lineage of what was tried', () => {
    const keysOf = (event: Happened) => lineageTrialsProjection.keys(event as unknown as RecordedEvent);
    expect(keysOf(batch({ lineageId: 'l7' }))).toEqual(['l7']);
    expect(keysOf({ type: 'BacktestTried', data: { ...TRIAL, lineageId: 'l8' } })).toEqual(['l8']);
    // How a batch goes on is no further trial.
    expect(lineageTrialsProjection.handles).toEqual(['BacktestTried', 'BatchBacktestCreated']);
  });
});

describe('a single trial', () => {
  const count = { type: 'CountTrial', trial: TRIAL } as const;

  it('counts once, however often it is run', () => {
    given(TRIALS_STREAM).when(count).thenEvents(TRIED);
    given(TRIALS_STREAM, TRIED).when(count).thenEvents();
  });

  it('has a stream of its own in each lineage', () => {
    expect(streamName(TRIALS_STREAM, trialId(TRIAL))).toBe('trials-l1-f1');
    for (const other of [{ lineageId: 'l2' }, { fingerprint: 'f2' }])
      expect(trialId({ ...TRIAL, ...other })).not.toBe(trialId(TRIAL));
    // Who ran it, and of which strategy of the lineage, makes no difference.
    expect(trialId({ ...TRIAL, userId: 'u2', strategyId: 's2' })).toBe(trialId(TRIAL));
  });
});
