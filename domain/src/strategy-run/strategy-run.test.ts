import { expect, it } from 'vitest';
import { eventSamples } from '../../testing/event-samples.ts';
import { given } from '../../testing/given.ts';
import type { RecordedRun, StrategyRunRecorded } from './events.ts';
import { lastRunsProjection, strategyRunsProjection } from './projections.ts';
import { MOST_RUNS_A_MONTH, strategyRunsId, strategyRunsStream } from './strategy-run.ts';

const sample = eventSamples().find(({ event }) => event.type === 'StrategyRunRecorded');
const run = (over: Partial<RecordedRun> = {}): RecordedRun => ({
  ...(sample?.event.data as RecordedRun),
  ...over,
});
const recorded = (over: Partial<RecordedRun> = {}): StrategyRunRecorded => ({
  type: 'StrategyRunRecorded',
  data: run(over),
});
const command = (over: Partial<RecordedRun> = {}) => ({ type: 'RecordRun', run: run(over) }) as const;

it('records a run, and the next one where anything of it differs', () => {
  given(strategyRunsStream).when(command()).thenEvents(recorded());
  for (const over of [
    { treeHash: 'a'.repeat(64) },
    { dataVersion: 'demo-2' },
    { engineVersion: '9' },
    { terms: { ...run().terms, slippage_bps: 11 } },
    { figures: { ...run().figures, sharpe: 0.61 } },
  ])
    given(strategyRunsStream, recorded()).when(command(over)).thenEvents(recorded(over));
});

it('records nothing that the last run said already, whatever was renamed in between', () => {
  given(strategyRunsStream, recorded())
    .when(command({ runId: 'another', revision: 9 }))
    .thenEvents();
  const other = { dataVersion: 'demo-2' };
  given(strategyRunsStream, recorded(), recorded(other)).when(command()).thenEvents(recorded());
});

it('keeps no more than the month’s share', () => {
  const many = Array.from({ length: MOST_RUNS_A_MONTH }, (_, n) => recorded({ dataVersion: `v${n}` }));
  given(strategyRunsStream, ...many)
    .when(command({ dataVersion: 'one more' }))
    .thenEvents();
  given(strategyRunsStream, ...many.slice(1))
    .when(command({ dataVersion: 'one more' }))
    .thenEvents(recorded({ dataVersion: 'one more' }));
  expect(strategyRunsId('s1', '2026-11-22T10:00:00.000Z')).toBe('s1-2026-11');
});

it('is found by itself, and as the last one of its strategy', () => {
  const metadata = { recordedAt: '2026-11-01T10:00:00.000Z' };
  const event = { ...recorded(), metadata } as never;
  const { runId, strategyId } = run();
  const document = (id: string) => ({ ...run(), id, at: metadata.recordedAt });
  expect(strategyRunsProjection.keys(event)).toEqual([runId]);
  expect(strategyRunsProjection.evolve(null, event, runId)).toEqual(document(runId));
  expect(lastRunsProjection.keys(event)).toEqual([strategyId]);
  const earlier = { ...document(strategyId), runId: 'earlier', _revision: 0, _position: '0' };
  expect(lastRunsProjection.evolve(earlier, event, strategyId)).toEqual(document(strategyId));
});
