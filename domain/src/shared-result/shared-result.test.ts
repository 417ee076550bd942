import { describe, expect, it } from 'vitest';
import { eventSamples } from '../../testing/event-samples.ts';
import { given } from '../../testing/given.ts';
import {
  type ResultShared,
  type SharedResultEvent,
  sharedResultOf,
  sharedResultStream,
  sharedResultsProjection,
} from './shared-result.ts';
import { snapshotOf } from './snapshot.ts';

const sample = eventSamples().find(({ event }) => event.type === 'ResultShared');
const shared = sample?.event.data as ResultShared['data'];
const share: SharedResultEvent = { type: 'ResultShared', data: shared };
const withdrawn: SharedResultEvent = {
  type: 'ResultShareWithdrawn',
  data: { shareId: shared.shareId, ownerId: shared.ownerId },
};
const withdraw = (callerId: string) => ({ type: 'WithdrawSharedResult', callerId }) as const;

describe('a shared result', () => {
  it('is shared once, whatever key a repetition brings', () => {
    given(sharedResultStream).when({ type: 'ShareResult', shared }).thenEvents(share);
    given(sharedResultStream, share)
      .when({ type: 'ShareResult', shared: { ...shared, key: 'f'.repeat(32) } })
      .thenEvents();
  });

  it('is withdrawn by its owner, for ever; to others it does not exist', () => {
    given(sharedResultStream, share).when(withdraw(shared.ownerId)).thenEvents(withdrawn);
    given(sharedResultStream, share, withdrawn).when(withdraw(shared.ownerId)).thenEvents();
    given(sharedResultStream, share).when(withdraw('u2')).thenRefused(404, 'shared_result_not_found');
    given(sharedResultStream).when(withdraw('u2')).thenRefused(404, 'shared_result_not_found');
    given(sharedResultStream, share, withdrawn).when({ type: 'ShareResult', shared }).thenEvents();
  });
});

describe('the link to a result', () => {
  const at = '2026-11-01T10:00:00.000Z';
  const recorded = (event: SharedResultEvent) => ({ ...event, metadata: { recordedAt: at } }) as never;

  it('is shown to its owner with what it opens', () => {
    expect(sharedResultOf({ ...shared, strategyText: 'A' }, at)).toEqual({
      id: shared.shareId,
      url: `/results/${shared.shareId}-${shared.key}`,
      strategy_id: shared.strategyId,
      run_id: shared.runId,
      revision: shared.revision,
      created_at: at,
      name: shared.name,
      shows_strategy: true,
      first_day: shared.result.firstDay,
      last_day: shared.result.lastDay,
    });
    expect(sharedResultOf({ ...shared, strategyText: null }, at).shows_strategy).toBe(false);
  });

  it('is found until it is withdrawn', () => {
    expect(sharedResultsProjection.keys(recorded(share))).toEqual([shared.shareId]);
    const document = sharedResultsProjection.evolve(null, recorded(share), shared.shareId);
    expect(document).toEqual({ id: shared.shareId, shared, strategyId: shared.strategyId, at });
    expect(sharedResultsProjection.evolve(null, recorded(withdrawn), shared.shareId)).toBeNull();
  });
});

describe('the snapshot of a result', () => {
  const days = 1_000;
  const timestamps = Array.from({ length: days }, (_, t) => (18_000 + t) * 86_400);
  const { result } = shared;
  const answer = {
    metrics: result.figures as never,
    benchmark_metrics: null,
    calculated_dates: {
      first_day: '2019-04-14',
      last_day: '2022-01-07',
      first_day_decided_by: [],
      last_day_decided_by: [],
      first_defined: {},
    },
    history: {
      timestamps,
      // Up to the last hundred days, then down by a tenth.
      value: timestamps.map((_, t) => (t < days - 100 ? 1000 + t : 1899 * (1 - (t - 899) / 1000))),
      benchmark_value: null,
      tickers: {},
      indicators: {},
      turnover: [],
    },
    report: { yearly_returns: [], drawdowns: [], trades: 1, benchmark: null } as never,
    provenance: {
      ...shared.result,
      data_version: 'v',
      engine_version: '2',
      is_simulated: false,
      result_hash: 'a',
    },
  };

  it('thins the curve out and keeps its ends', () => {
    const { curve } = snapshotOf(result.terms, answer);
    expect(curve.days).toHaveLength(400);
    expect([curve.days[0], curve.days.at(-1)]).toEqual(['2019-04-14', '2022-01-07']);
    expect(curve.value[0]).toBe(1);
    expect(curve.value.at(-1)).toBeCloseTo((1899 * 0.9) / 1000, 4);
    expect(curve.benchmark).toBeNull();
  });

  it('tells apart what came after a day, from the close before it', () => {
    const since = new Date((18_000 + 900) * 86_400_000).toISOString().slice(0, 10);
    expect(snapshotOf(result.terms, answer, since).since).toEqual({
      firstDay: new Date((18_000 + 899) * 86_400_000).toISOString().slice(0, 10),
      lastDay: '2022-01-07',
      days: 100,
      cumulativeReturn: -0.1,
      maxDrawdown: 0.1,
      benchmarkReturn: null,
    });
    expect(snapshotOf(result.terms, answer, '2022-01-08').since).toBeUndefined();
    expect(snapshotOf(result.terms, answer).since).toBeUndefined();
  });
});
