import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const walk = async (id: string, query = '') => {
  const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/walk-forward${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe('the walk-forward of a finished batch', () => {
  it('chooses on some blocks, holds in the next, and shows how that varies with k', async () => {
    api.engine.answer = () => {
      const timestamps = [
        1_262_563_200,
        ...Array.from({ length: 4_000 }, (_, i) => 1_262_649_600 + i * 86_400),
      ];
      return {
        ...SOME_ANSWER,
        history: {
          timestamps,
          value: timestamps.map((_, i) => 10_000 * 1.0001 ** i),
          benchmark_value: [],
          tickers: {},
          indicators: {},
          turnover: [],
        },
      };
    };
    const id = await api.finishedBatch();
    const answer = await walk(id);
    expect(answer).toMatchObject({ mode: 'rolling', k: 3, rows: 198 });
    expect(answer.blocks).toHaveLength(10);
    expect(answer.blocks[0].from).toBe('2010-01-04');
    expect(answer.blocks.at(-1).to).toBe('2020-12-31');
    expect(answer.windows).toHaveLength(7);
    const [first] = answer.windows;
    expect(first.chosen_on).toEqual({ from: answer.blocks[0].from, to: answer.blocks[2].to });
    expect(first.held).toEqual(answer.blocks[3]);
    expect(first.values).toHaveProperty('$A');
    let value = 1;
    const stitched = answer.windows.map((one: { return: number }) => (value *= 1 + one.return));
    expect(answer.stitched.value).toEqual(stitched);
    expect(answer.hindsight.value).toHaveLength(7);
    expect(answer.benchmark.value.at(-1)).toBeGreaterThan(1.2);
    expect(answer.by_k.map(({ windows }: { windows: number }) => windows)).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    const longest = await walk(id, '?k=9&mode=anchored');
    expect(longest.windows).toHaveLength(1);
    expect(longest.windows[0].chosen_on.from).toBe('2010-01-04');
    api.engine.answer = null;
  });

  it('holds nothing after the last price, however long the period that was asked for', async () => {
    const short = await openBatchApi({ lastDay: '2020-06-30' });
    const id = await short.finishedBatch();
    const { body } = await short.call('GET', `/api/v1/batch-backtests/${id}/analysis/walk-forward`);
    expect(body.blocks.at(-1).to).toBe('2020-06-30');
    expect(body.windows.at(-1).held.to).toBe('2020-06-30');
    expect(body.blocks[0].to > '2010-12-31').toBe(true);
    await short.close();
  });

  it('does not walk into what is locked away, and does without a benchmark that has no prices', async () => {
    const id = await api.finishedBatch({
      backtest_config: {
        start_date: '2010-01-04',
        end_date: '2020-12-31',
        slippage_bps: 10,
        out_of_sample_date: '2016-01-04',
      },
    });
    const answer = await walk(id, '?k=60');
    expect(answer.blocks.length).toBeLessThan(6);
    expect(answer.blocks.at(-1).to < '2016-01-04').toBe(true);
    expect(answer.windows).toHaveLength(1);
    expect(answer.benchmark).toBeNull();
  });

  it('costs its user by rows, as the stability does, and what is kept costs no more', async () => {
    const rateLimits = createMemoryRateLimits();
    const counted = await openBatchApi({ rateLimits });
    const id = await counted.finishedBatch();
    const spent = async () => (await rateLimits.hit('cost:u1', 60_000, 0)).hits;
    const costOf = async (name: string) => {
      const before = await spent();
      expect((await counted.call('GET', `/api/v1/batch-backtests/${id}/analysis/${name}`)).status).toBe(200);
      return (await spent()) - before;
    };
    for (const name of ['walk-forward', 'stability']) {
      const first = await costOf(name);
      expect(await costOf(name)).toBeLessThan(first);
    }
    await counted.close();
  });
});
