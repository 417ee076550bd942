import { encodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { describe, expect, it } from 'vitest';
import { doDocumentJob } from './document-jobs.ts';

const FIELDS = { name: 'read', tags: 'read', echoed: 'ignored' } as const;

/** The fields beside a tree, as they are handed on. */
function beside(json: string): unknown {
  const given = { body: new TextEncoder().encode(json), features: [], fields: FIELDS };
  const found = doDocumentJob('body', given);
  if ('isUnreadable' in found) throw new Error('It is no JSON');
  return found.body;
}
const besideOf = (rest: object) => beside(JSON.stringify({ ...rest, algorithm: {} }));

describe('the fields beside a large document', () => {
  it('come as they are where the schema is to judge them', () => {
    const read = { name: 'N', tags: ['a', 'b'] };
    expect(besideOf(read)).toEqual(read);
  });

  it('come as what tells them apart where nobody looks at them', () => {
    const [one, two] = [besideOf({ echoed: { a: [1] } }), besideOf({ echoed: { a: [2] } })];
    expect(one).toEqual({ echoed: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(two).not.toEqual(one);
  });

  it('come by name where the body may not have them, the first alone', () => {
    expect(besideOf({ unknown: 'x'.repeat(1_000), another: 1, name: 'N' })).toEqual({
      unknown: null,
      name: 'N',
    });
    expect(besideOf({ constructor: 1 })).toEqual({ constructor: null });
  });

  it('come as a value that no schema takes where they are too large or too deep', () => {
    expect(besideOf({ tags: ['x'.repeat(2_000_000)] })).toEqual({ tags: [[]] });
    const depth = 50_000;
    expect(beside(`{"tags":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toEqual({ tags: [[]] });
  });
});

describe('the figures of a page', () => {
  const metrics = { duration: 4, cumulative_return: 0.1 };
  const answer = encodeColumns({
    metrics,
    benchmark_metrics: null,
    calculated_dates: {
      first_day: '2020-01-01',
      last_day: '2020-01-04',
      first_day_decided_by: [],
      last_day_decided_by: [],
    },
    history: {
      timestamps: Float64Array.from([1, 2, 3, 4], (day) => Date.parse(`2020-01-0${day}`) / 1_000 + 75_600),
      value: Float64Array.of(100, 110, 88, 99),
      benchmark_value: null,
    },
    report: { yearly_returns: [], drawdowns: [], trades: 1 },
    provenance: { data_version: 'v', engine_version: '7', is_simulated: false, result_hash: 'h' },
  } as unknown as Parameters<typeof encodeColumns>[0]);
  const figuresSince = (since: string | undefined) =>
    doDocumentJob('snapshot', { terms: { start_date: '2020-01-01' } as never, answer, since }).since;

  it('tell apart what came since the strategy was published, where it was', () => {
    expect(figuresSince('2020-01-03')?.firstDay).toBe('2020-01-02');
    expect(figuresSince(undefined)).toBeUndefined();
  });
});
