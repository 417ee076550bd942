import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
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

/** An engine whose runs have daily values. */
const grows: NonNullable<BatchApi['engine']['answer']> = () => {
  const timestamps = [1_262_563_200, ...Array.from({ length: 4_000 }, (_, i) => 1_262_649_600 + i * 86_400)];
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

describe('the walk-forward of a finished batch', () => {
  it('chooses on some blocks, holds in the next, and shows how that varies with k', async () => {
    api.engine.answer = grows;
    const id = await api.finishedBatch();
    const answer = await walk(id);
    expect(answer).toMatchObject({
      mode: 'rolling',
      k: 3,
      rows: 198,
      cash: expect.stringContaining('bills'),
    });
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
    const id = await api.splitBatch();
    const answer = await walk(id, '?k=60');
    expect(answer.blocks.length).toBeLessThan(6);
    expect(answer.blocks.at(-1).to < '2016-01-04').toBe(true);
    expect(answer.windows).toHaveLength(1);
    expect(answer.benchmark).toBeNull();
  });

  it('chooses by the plain ratio while cash cannot be run, says so, and over cash from the next look on', async () => {
    // Odd rows earn more, and move more than that is worth by the plain ratio.
    api.engine.stored = (name, row) => {
      if (/^block_sum_\d/.test(name)) return row % 2 === 1 ? 0.08 : 0.05;
      return name.startsWith('block_sum_squares') ? 250 * (row % 2 === 1 ? 4e-4 : 0.5e-4) : undefined;
    };
    const id = await api.finishedBatch({
      backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 11 },
    });
    api.engine.stored = null;
    const chosenRows = ({ windows }: { windows: readonly Pick<Window, 'combination'>[] }) =>
      new Set(windows.map(({ combination }) => (combination % 2 === 1 ? 'odd' : 'even')));
    api.engine.defect = new Error('the pool is gone');
    const plain = await walk(id);
    expect(plain.cash).toBeNull();
    expect(chosenRows(plain)).toEqual(new Set(['even']));
    api.engine.defect = null;
    // Cash earns 0.02% a day: nearly all that the even rows earn.
    api.engine.answer = (...asked) => {
      const { history, ...answer } = grows(...asked);
      if (!history) throw new Error('It has one');
      return { ...answer, history: { ...history, value: history.value.map((_, i) => 10_000 * 1.0002 ** i) } };
    };
    const overCash = await walk(id);
    expect(overCash.cash).toBe('Treasury bills (SIM:BIL)');
    // What was found without cash is not shown as if cash had been taken off.
    expect(chosenRows(overCash)).toEqual(new Set(['odd']));
    api.engine.answer = null;
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

describe('the rows of a walk, followed day by day', () => {
  const DAY = 86_400;
  const FIRST = Date.parse('2010-01-04') / 1_000;
  const COUNT = 4_200;
  const timestamps = Array.from({ length: COUNT }, (_, i) => FIRST + i * DAY);
  /** Each ticker goes its own way; what a row holds is the ticker of `$A`. */
  const returnOf = (ticker: string, i: number) =>
    0.0003 + 0.01 * Math.sin((i + 1) * (ticker.charCodeAt(1) + 3 * ticker.length));
  const tickersOf = (node: unknown): string[] =>
    [...JSON.stringify(node).matchAll(/"ticker":"([^"]+)"/g)].map(([, one]) => one as string);
  const valuesOf = (ticker: string) => {
    let value = 10_000;
    return timestamps.map((_, i) => {
      if (i > 0) value *= 1 + returnOf(ticker, i);
      return value;
    });
  };
  const following = (request: { trading_bot: unknown }) => ({
    ...SOME_ANSWER,
    history: {
      timestamps,
      value: valuesOf(tickersOf(request.trading_bot)[0] as string),
      benchmark_value: [],
      tickers: {},
      indicators: {},
      turnover: [],
    },
  });

  it('come to what their daily returns say', async () => {
    api.engine.answer = following as never;
    const id = await api.finishedBatch();
    const sums = await walk(id, '?k=2');
    const { status, body, text } = await api.call('POST', `/api/v1/batch-backtests/${id}/walk-forward`, {
      k: 2,
    });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ mode: 'rolling', k: 2 });
    expect(body.windows.map(({ combination, held }: Window) => ({ combination, held }))).toEqual(
      sums.windows.map(({ combination, held }: Window) => ({ combination, held })),
    );
    let value = 1;
    let paid = 1;
    let high = 1;
    let fall = 0;
    let before: number | null = null;
    const days: string[] = [];
    const returns: number[] = [];
    for (const { combination, held, values } of body.windows as Window[]) {
      const ticker = String(values.$A);
      timestamps.forEach((at, i) => {
        const day = new Date(at * 1_000).toISOString().slice(0, 10);
        if (i === 0 || day < held.from || day > held.to) return;
        const r = returnOf(ticker, i);
        if (before !== null && before !== combination) paid *= 0.999 ** 2;
        before = combination;
        value *= 1 + r;
        paid *= 1 + r;
        high = Math.max(high, value);
        fall = Math.max(fall, 1 - value / high);
        days.push(day);
        returns.push(r);
      });
    }
    const n = returns.length;
    const mean = returns.reduce((a, b) => a + b, 0) / n;
    const deviation = Math.sqrt(returns.reduce((a, r) => a + (r - mean) ** 2, 0) / (n - 1));
    expect(body.stitched.days).toEqual(days);
    expect(body.stitched.value.at(-1)).toBeCloseTo(value, 9);
    const { figures } = body.stitched;
    expect(figures.annualized_return).toBeCloseTo(value ** (252 / n) - 1, 10);
    expect(figures.sharpe).toBeCloseTo((mean / deviation) * Math.sqrt(252), 9);
    expect(figures.max_drawdown).toBeCloseTo(fall, 10);
    expect(body.after_changes.changes).toBeGreaterThan(0);
    expect(body.after_changes.figures.annualized_return).toBeCloseTo(paid ** (252 / n) - 1, 10);
    expect(body.benchmark.days).toEqual(days);
    expect(body.hindsight.combination).toBe(sums.hindsight.combination);
    api.engine.answer = null;
  });

  it('stay before what is locked away', async () => {
    const asked: string[] = [];
    api.engine.answer = ((request: { trading_bot: unknown; end_date: string }) => {
      asked.push(request.end_date);
      return following(request);
    }) as never;
    const id = await api.splitBatch();
    asked.length = 0;
    const { body } = await api.call('POST', `/api/v1/batch-backtests/${id}/walk-forward`, {});
    expect(body.stitched.days.at(-1) < '2016-01-04').toBe(true);
    expect(body.benchmark?.days.at(-1) ?? '').not.toMatch(/^20(1[6-9]|20)/);
    expect(asked.some((day) => day === '2016-01-03')).toBe(true);
    api.engine.answer = null;
  });

  it('are nobody else’s', async () => {
    const id = await api.finishedBatch();
    const { status } = await api.call('POST', `/api/v1/batch-backtests/${id}/walk-forward`, {}, 'u2');
    expect(status).toBe(404);
  });

  it('say why where one cannot be run again', async () => {
    const id = await api.finishedBatch();
    api.engine.answer = () => {
      throw new RefusalError(refuse(400, 'unknown_ticker', 'A1 has no prices'));
    };
    const { status, body } = await api.call('POST', `/api/v1/batch-backtests/${id}/walk-forward`, {});
    expect([status, body.code]).toEqual([400, 'unknown_ticker']);
    api.engine.answer = null;
  });
});

interface Window {
  readonly combination: number;
  readonly values: Record<string, string | number>;
  readonly held: { readonly from: string; readonly to: string };
}
