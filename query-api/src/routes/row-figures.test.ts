import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER, wholeAnswer } from '../../testing/batch-api.ts';

const rateLimits = createMemoryRateLimits();
let api: BatchApi;
let id: string;
let ends: string[];
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
  id = await api.finishedBatch();
  const { report } = wholeAnswer();
  if (!report) throw new Error('The whole answer has a report');
  api.engine.answer = (request) => {
    ends.push(request.end_date);
    expect(request.include).toEqual({ report: true });
    const tree = JSON.stringify(request.trading_bot);
    if (tree.includes('"B7"')) throw new RefusalError(refuse(400, 'no_common_dates', 'B7 has no prices'));
    const exposure = tree.includes('"B1"') ? 0.25 : 1;
    return { ...SOME_ANSWER, report: { ...report, expected_shortfall_95: 0.031, exposure } } as never;
  };
});
afterAll(() => api.close());

const figures = (batch: string, combinations: readonly number[]) => {
  ends = [];
  return api.call('POST', `/api/v1/batch-backtests/${batch}/row-figures`, { combinations });
};

describe('figures that are not stored', () => {
  it('are those of the rows run again, in the order asked for, at the cost of running them', async () => {
    const spent = async () => (await rateLimits.hit('cost:u1', 60_000, 0)).hits;
    const before = await spent();
    const { status, body, text } = await figures(id, [2, 1]);
    expect(status, text).toBe(200);
    expect(body.rows).toEqual([
      { combination: 2, error: null, expected_shortfall_95: 0.031, exposure: 1 },
      { combination: 1, error: null, expected_shortfall_95: 0.031, exposure: 0.25 },
    ]);
    expect(ends).toEqual(['2020-12-31', '2020-12-31']);
    expect(await spent()).toBeGreaterThan(before);
  });

  it('say of a row why it could not be run, and go on with the others', async () => {
    const { body } = await figures(id, [7, 1]);
    expect(body.rows).toEqual([
      { combination: 7, error: 'B7 has no prices', expected_shortfall_95: null, exposure: null },
      { combination: 1, error: null, expected_shortfall_95: 0.031, exposure: 0.25 },
    ]);
  });

  it('know no day that is locked away, and all of them once it is opened', async () => {
    const split = await api.splitBatch();
    expect((await figures(split, [1])).status).toBe(200);
    expect(ends).toEqual(['2016-01-03']);
    expect((await api.call('POST', `/api/v1/batch-backtests/${split}/out-of-sample`, {})).status).toBe(200);
    await figures(split, [1]);
    expect(ends).toEqual(['2020-12-31']);
  });

  it('are of at most 50 rows that the batch has', async () => {
    expect((await figures(id, [1, 100_000])).body.code).toBe('unknown_combination');
    expect(
      (
        await figures(
          id,
          Array.from({ length: 51 }, (_, i) => i),
        )
      ).status,
    ).toBe(400);
    expect((await figures(id, [])).status).toBe(400);
  });
});
