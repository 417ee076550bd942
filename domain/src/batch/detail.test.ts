import { describe, expect, it } from 'vitest';
import { created, createdData, finished, stopped } from '../../testing/batch-builders.ts';
import { folded } from '../../testing/folded.ts';
import type { BatchEvent } from './events.ts';
import { type BatchDocument, batchDefinitionsProjection, batchesProjection } from './projections.ts';
import { detailOf, differencesToday, listItemOf, progressOf } from './view.ts';

type Created = Parameters<typeof createdData>[0];

/** What the owner sees of a batch that these events made; `_revision` is what the log would have given it. */
function shown(over: Created, events: readonly BatchEvent[], viewer = 'u1', differsToday: string[] = []) {
  const first = created(over);
  const batch = { ...folded(batchesProjection, first, ...events), _revision: 9 } as BatchDocument;
  const definition = folded(batchDefinitionsProjection, first);
  if (!definition) throw new Error('There is a definition');
  const progress = progressOf(batch, null, 0);
  return detailOf(batch, { ...definition, _revision: 0 } as never, progress, {
    userId: viewer,
    differsToday,
  });
}

const summary = {
  rows: 40,
  failures: 2,
  hash: 'h',
  best: { combination: 3, values: { $A: 'T3' }, metrics: { sharpe: 1.5 } },
  medians: { sharpe: 0.5 },
};
const done = (over: object = {}): BatchEvent =>
  ({
    type: 'BatchBacktestFinished',
    data: { batchId: 'b1', userId: 'u1', summary: { ...summary, ...over } },
  }) as unknown as BatchEvent;
const compiled = [0, 1, 2, 3].map(finished);
const opened = (userId: string): BatchEvent => ({
  type: 'OutOfSampleOpened',
  data: { batchId: 'b1', userId },
});

describe('the detail of a batch', () => {
  it('says all of a new one, with the defaults of what was not asked for', () => {
    const { algorithm } = createdData().template;
    expect(shown({ isSimulated: true, strategyId: 's1', strategyRevision: 4 }, [])).toEqual({
      id: 'b1',
      name: 'Batch',
      is_public: false,
      is_owner: true,
      user_id: 'u1',
      created_at: '2026-01-01T00:00:00.000Z',
      status: 'Queued',
      backtest_config: {
        start_date: '2000-01-01',
        end_date: '2020-12-31',
        slippage_bps: 10,
        starting_balance: 10_000,
        benchmark_ticker: 'SPY',
      },
      requested_combinations: 40,
      combinations: 40,
      new_combinations: 40,
      partitions: 4,
      job_names: ['b1-0', 'b1-1', 'b1-2', 'b1-3'],
      time_estimate: { seconds: 12 },
      time_actual: { start_time: null, end_time: null },
      variables: { $A: Array.from({ length: 40 }, (_, i) => `T${i}`) },
      variable_names: ['$A'],
      template_bot: { name: 'T', variables: ['$A'], algorithm },
      progress: { percent: 0, rows: 0, rate: null, remaining_seconds: null, nodes: [] },
      summary: null,
      out_of_sample: null,
      hold_out: null,
      error: null,
      note: '',
      pins: [],
      provenance: {
        data_version: 'v1',
        engine_version: '1',
        result_hash: null,
        is_simulated: true,
        strategy_id: 's1',
        strategy_revision: 4,
        fills:
          'Every decision uses closing prices up to and including its day and is traded at that ' +
          'same close, less slippage; dividends and splits are in the adjusted closes.',
        differs_today: [],
      },
      revision: 9,
    });
  });

  it('gives back what was asked for, and names nothing that is the default', () => {
    const period = { start_date: '2000-01-01', end_date: '2020-12-31' };
    const asked = {
      ...period,
      slippage_bps: 0,
      starting_balance: 500,
      benchmark_ticker: 'QQQ',
      fill: 'next-close',
      cash: { rate: 4 },
      benchmarks: ['TLT', 'GLD'],
      indicator_prices: 'raw',
      out_of_sample_date: '2015-01-01',
      both_fills: true,
    } as const;
    expect(shown({ config: asked }, []).backtest_config).toEqual(asked);
    const plain = { ...period, fill: 'close', indicator_prices: 'adjusted', both_fills: false } as const;
    expect(Object.keys(shown({ config: plain }, []).backtest_config)).toEqual([
      'start_date',
      'end_date',
      'slippage_bps',
      'starting_balance',
      'benchmark_ticker',
    ]);
  });

  it('has the summary and the times of a finished one', () => {
    const events = [...compiled, done()];
    expect(shown({}, events)).toMatchObject({
      status: 'Finished',
      job_names: [],
      time_actual: { end_time: '2026-01-06T00:00:00.000Z' },
      summary: {
        rows: 40,
        failures: 2,
        best: { combination: 3, values: { $A: 'T3' }, metrics: { sharpe: 1.5 } },
        medians: { sharpe: 0.5 },
      },
      provenance: { result_hash: 'h' },
    });
    expect(shown({}, events).summary).not.toHaveProperty('part');
    expect(shown({}, [...compiled, done({ best: null })]).summary).toMatchObject({ best: null });
  });

  it('shows no ranking over days that are locked away, but one of the days before', () => {
    const config = { start_date: '2000-01-01', end_date: '2020-12-31', out_of_sample_date: '2015-01-01' };
    expect(shown({ config }, [...compiled, done()]).summary).toMatchObject({
      rows: 40,
      best: null,
      medians: {},
    });
    expect(shown({ config }, [...compiled, done({ part: 'in_sample' })]).summary).toMatchObject({
      part: 'in_sample',
      best: { combination: 3 },
      medians: { sharpe: 0.5 },
    });
  });

  it('says when the locked part was opened, and whether by whoever looks', () => {
    const config = { start_date: '2000-01-01', end_date: '2020-12-31', out_of_sample_date: '2015-01-01' };
    expect(shown({ config }, []).out_of_sample).toEqual({ date: '2015-01-01', opened: null });
    const at = '2026-01-02T00:00:00.000Z';
    expect(shown({ config }, [opened('u1')]).out_of_sample?.opened).toEqual({ at, by_you: true });
    // Who looked first counts.
    expect(shown({ config }, [opened('u2'), opened('u1')]).out_of_sample?.opened).toEqual({
      at,
      by_you: false,
    });
  });

  it('is not its owner to others, and names the hold-out of the strategy', () => {
    expect(shown({}, [], 'u2')).toMatchObject({ is_owner: false, user_id: 'u1' });
    expect(shown({ holdOutDate: '2021-06-01' }, []).hold_out).toEqual({
      date: '2021-06-01',
      holds: 'not_reached',
    });
  });

  it('tells its owner of a fault in words of ours, never in those of the machine', () => {
    const fault = { message: 'ENOSPC at /var/lib', stack: ['x'] };
    const gone: BatchEvent = {
      type: 'BatchBacktestFailed',
      data: { batchId: 'b1', userId: 'u1', errorId: 'e1', partition: null, fault },
    };
    const { status, error } = shown({}, [gone]);
    expect([status, error]).toEqual([
      'Error',
      'This batch backtest failed through a fault on our side, and the administrators have been ' +
        'told. It does not count against your quota: run it again whenever you like.',
    ]);
    expect(shown({}, [stopped(10, 30)])).toMatchObject({ status: 'Stopped', error: null });
  });

  it('has the pinned rows and the note', () => {
    const pinned: BatchEvent = {
      type: 'ResultRowPinned',
      data: { batchId: 'b1', combination: 7, note: 'look' },
    } as never;
    const noted: BatchEvent = { type: 'BatchNoteChanged', data: { batchId: 'b1', text: 'mine' } } as never;
    expect(shown({}, [pinned, noted], 'u1', ['why'])).toMatchObject({
      note: 'mine',
      pins: [{ combination: 7, note: 'look', pinned_at: '2026-01-02T00:00:00.000Z' }],
      provenance: { differs_today: ['why'] },
    });
  });

  it('says at which close it was traded, what cash earned and which closes decided', () => {
    const fills = (config: object) =>
      shown({ config: { start_date: '2000-01-01', end_date: '2020-12-31', ...config } }, []).provenance.fills;
    const next =
      'Every decision uses closing prices up to and including its day and is traded at the close ' +
      'of the next trading day, less slippage; dividends and splits are in the adjusted closes.';
    expect(fills({ fill: 'next-close' })).toBe(next);
    expect(fills({ fill: 'next-close', both_fills: true, indicator_prices: 'raw' })).toBe(
      `${next} The columns of the other fill are of the same combinations, traded at the same ` +
        'close. Decisions were read from closes as they were paid, adjusted for nothing; returns are ' +
        'those of adjusted closes.',
    );
    expect(fills({ both_fills: true })).toMatch(/traded at the next close\.$/);
    expect(fills({ indicator_prices: 'adjusted' })).toBe(fills({}));
  });
});

describe('a row of the list', () => {
  it('has what a page shows of a batch', () => {
    const batch = folded(batchesProjection, created(), finished(2));
    expect(listItemOf(batch as BatchDocument)).toEqual({
      id: 'b1',
      name: 'Batch',
      is_public: false,
      created_at: '2026-01-01T00:00:00.000Z',
      status: 'Queued',
      combinations: 40,
      progress: 25,
    });
  });
});

describe('why rows could differ today, in words', () => {
  const batch = { dataVersion: 'd1', engineVersion: '1', strategyId: 's', strategyRevision: 3 };
  const today = { dataVersion: 'd1', engineVersion: '1', strategyRevision: 3 };
  const letters = (count: number) => ['A', 'B', 'C', 'D', 'E', 'F', 'G'].slice(0, count);

  it.each([
    [1, 'A'],
    [5, 'A, B, C, D, E'],
    [7, 'A, B, C, D, E and 2 more'],
  ])('names %i changed tickers', (count, words) => {
    expect(differencesToday(batch, { ...today, dataVersion: 'd2', changedTickers: letters(count) })).toEqual([
      `The market data have changed for ${words}: computed with d1, current is d2.`,
    ]);
  });

  it('names the versions and revisions of both', () => {
    expect(differencesToday(batch, { dataVersion: 'd2', engineVersion: '2', strategyRevision: 4 })).toEqual([
      'The market data may have changed for this batch: it was computed with d1, current is d2, ' +
        'and the two could not be compared.',
      'The engine has changed: computed with version 1, current is 2.',
      'The strategy was edited: revision 3 was run, the current one is 4.',
    ]);
    expect(differencesToday({ ...batch, strategyRevision: null }, today)).toEqual([
      'The template had edits that were not saved when the batch was created.',
    ]);
    // Of no strategy at all: nothing can have been edited.
    expect(
      differencesToday(
        { ...batch, strategyId: null, strategyRevision: null },
        { ...today, strategyRevision: null },
      ),
    ).toEqual([]);
  });
});
