import { expect } from 'vitest';
import type { StandIn } from './stand-in.ts';

/** What the habits of a client come to against the stand-in, whichever client it is. */
export const HABITS = {
  seen: ['Queued', 'Running', 'Finished'],
  waits: 'Finished',
  busy: 'Finished',
  late: 'Finished',
  dated: 'Finished',
  stopped: { status: 409, code: 'batch_stopped', message: 'The batch was stopped' },
  broken: { status: 409, code: 'batch_failed', message: 'NOPE has no prices' },
  away: { status: 503, code: 'unknown', message: expect.stringContaining('503') },
  nothing: { status: 404, code: 'batch_not_found', message: 'There is no such batch.' },
  detail: 'In words for programs.',
  stranger: { status: 401, code: 'invalid_token', message: 'It is another secret.' },
  brief: ['Finished', 'Finished'],
  rows: [
    { n: 1, $W: 'SPY' },
    { n: 2, $W: null },
    { n: 3, $W: 'TLT' },
  ],
  strategies: ['a', 'b', 'c', 'd', 'e'],
  started: ['b1', 'b1'],
  answers: ['import', 'backtests', 'estimate', 'verdict'],
  parquet: 'PAR1',
  // For a first token at once, as the server asks, then between looks at growing distances; as long as the
  // server asks for; twice as long each time where it asks for nothing.
  pauses: { waiting: [0, 100, 150], asked: [7000], unasked: [1000, 2000] },
};

/** What the API was asked, whichever client asks. */
export function expectRequests({ record }: StandIn): void {
  const { tokens, audiences, batches, keys, results, drafts, calls } = record;
  // One that is refused, its successor for what follows, a third when that is refused in turn, and one for
  // each call of the client whose tokens end at once.
  expect(tokens).toBe(5);
  expect(audiences).toEqual(['https://api.quantloom.local', 'https://other.example']);
  // What is refused for good is not sent again; what may pass is, as often as was asked for.
  expect(batches).toMatchObject({
    waits: 3,
    busy: 3,
    late: 3,
    dated: 2,
    stopped: 1,
    broken: 1,
    away: 3,
    nothing: 1,
    asked: 2,
    unasked: 3,
  });
  const [first, again, other] = keys;
  // A batch that is sent again after no answer is the same one; another batch is another one.
  expect([first, again]).toEqual(['mine', 'mine']);
  expect(other).toMatch(/^[\da-f-]{36}$/);
  const query = { sort: ['n:asc'], filter: ['n:gte:1', 'n:lte:3'], format: ['json'], limit: ['2'] };
  expect(results).toEqual([query, { ...query, cursor: ['c2'] }, { format: ['parquet'] }]);
  expect(drafts).toEqual(['0', '2', '4'].map((skip) => ({ search: ['x'], limit: ['2'], skip: [skip] })));
  expect(calls).toEqual([
    { path: '/api/v1/import', body: { json: '(defsymphony)' } },
    { path: '/api/v1/backtests', body: { start_date: '2020-01-02' } },
    { path: '/api/v1/batch-backtests/estimate', body: { variables: {} } },
    { path: '/api/v1/batch-backtests/b1/analysis/verdict', body: null },
  ]);
}
