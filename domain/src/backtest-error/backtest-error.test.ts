import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { given } from '../../testing/given.ts';
import { plainDebugData } from './backtest-error.ts';
import type { BacktestErrorRecorded, ReplayOutcome } from './events.ts';
import { errorConditions } from './filter.ts';
import { backtestErrorsProjection } from './projections.ts';
import { BACKTEST_ERROR_STREAM } from './stream.ts';

const debugData = plainDebugData({ message: 'Index out of range', stack: ['at run'] });
const recorded: BacktestErrorRecorded = {
  type: 'BacktestErrorRecorded',
  data: {
    errorId: 'e1',
    userId: 'u1',
    subject: { kind: 'batch', batchId: 'b1', partition: 2 },
    engineVersion: '7',
    debugData,
  },
};
const replayed = (kind: ReplayOutcome['kind'], engineVersion = '8') =>
  ({
    type: 'BacktestErrorReplayed',
    data: { errorId: 'e1', engineVersion, outcome: { kind, detail: 'as told' } },
  }) as const;
const replay = {
  type: 'RecordReplay',
  engineVersion: '8',
  outcome: { kind: 'failed', detail: 'as told' },
} as const;

describe('an error of a backtest', () => {
  it('is recorded once', () => {
    const record = { type: 'RecordBacktestError', error: recorded.data } as const;
    given(BACKTEST_ERROR_STREAM).when(record).thenEvents(recorded);
    given(BACKTEST_ERROR_STREAM, recorded).when(record).thenEvents();
  });

  it('is replayed as often as somebody likes, where there is one', () => {
    given(BACKTEST_ERROR_STREAM).when(replay).thenRefused(404, 'backtest_error_not_found');
    given(BACKTEST_ERROR_STREAM, recorded).when(replay).thenEvents(replayed('failed'));
    given(BACKTEST_ERROR_STREAM, recorded, replayed('failed')).when(replay).thenEvents(replayed('failed'));
    const { initialState, evolve } = BACKTEST_ERROR_STREAM.decider;
    expect([recorded, replayed('failed'), replayed('succeeded')].reduce(evolve, initialState)).toEqual({
      recorded: recorded.data,
      replays: 2,
    });
  });

  it('shows administrators the fault, and what became of it last', () => {
    expect(folded(backtestErrorsProjection, recorded)).toEqual({
      id: 'e1',
      createdAt: '2026-01-01T00:00:00.000Z',
      userId: 'u1',
      subject: recorded.data.subject,
      subjectKind: 'batch',
      engineVersion: '7',
      message: 'Index out of range',
      debugData,
      replays: [],
      outcome: 'open',
    });
    expect(
      folded(backtestErrorsProjection, recorded, replayed('failed'), replayed('succeeded', '9')),
    ).toMatchObject({
      engineVersion: '7',
      outcome: 'succeeded',
      replays: [
        { kind: 'failed', detail: 'as told', at: '2026-01-02T00:00:00.000Z', engineVersion: '8' },
        { kind: 'succeeded', detail: 'as told', at: '2026-01-03T00:00:00.000Z', engineVersion: '9' },
      ],
    });
    expect(folded(backtestErrorsProjection, replayed('failed'))).toBeNull();
  });

  it('has debug data of the fault alone, where nothing else is known', () => {
    expect(debugData).toEqual({
      error: { message: 'Index out of range', stack: ['at run'] },
      calculated_dates: {},
      bar_counts: {},
      indicator_bar_counts: {},
      parse_results: null,
      ohlc_cache: [],
      indicator_cache: [],
      precalc_cache: [],
    });
  });

  it('is found by what was asked for, and by nothing else', () => {
    expect(errorConditions({})).toEqual({});
    expect(errorConditions({ outcome: 'open' })).toEqual({ outcome: 'open' });
    expect(
      errorConditions({ outcome: 'failed', kind: 'batch', search: 'range', since: '2026-11-01' }),
    ).toEqual({
      outcome: 'failed',
      subjectKind: 'batch',
      message: { contains: 'range' },
      createdAt: { gte: '2026-11-01' },
    });
  });
});
