import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';

const DAY = 86_400;
const FIRST = 1_262_563_200;

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
  api.engine.answer = () => {
    const timestamps = Array.from({ length: 4_000 }, (_, i) => FIRST + i * DAY);
    // Rises for 2,000 days, then falls.
    const value = timestamps.map(
      (_, i) => 10_000 * 1.0002 ** (i < 2_000 ? i : 4_000 - i) * (1 + 0.001 * (i % 2)),
    );
    return {
      ...SOME_ANSWER,
      history: { timestamps, value, benchmark_value: value, tickers: {}, indicators: {}, turnover: [] },
    };
  };
});
afterAll(() => api.close());

/** At costs of its own, so that it takes no rows of an earlier batch. */
const costing = (slippage_bps: number) => ({
  backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps },
});
const SPLIT = {
  backtest_config: {
    start_date: '2010-01-04',
    end_date: '2020-12-31',
    slippage_bps: 10,
    out_of_sample_date: '2016-01-04',
  },
};

describe('the stability of a finished batch', () => {
  const stability = (id: string, query = '') =>
    api.call('GET', `/api/v1/batch-backtests/${id}/analysis/stability${query}`);

  it('shows the best rows by period and by kind of market, and compares the order of all', async () => {
    const id = await api.finishedBatch();
    const { status, body, text } = await stability(id);
    expect(status, text).toBe(200);
    expect(body.periods).toHaveLength(10);
    expect(body.periods[0]).toMatchObject({ from: '2010-01-04', regime: 'bull' });
    expect(body.periods.at(-1)).toMatchObject({ to: '2020-12-31', regime: 'bear' });
    expect(body.rows).toHaveLength(10);
    expect(body.rows[0].periods).toHaveLength(10);
    expect(body.rows[0].regimes.map(({ regime }: { regime: string }) => regime)).toEqual(['bull', 'bear']);
    expect(body.rows[0].values).toHaveProperty('$A');
    // Some days of 0.02 percent, up first and down at last.
    expect(body.periods[0].benchmark).toBeCloseTo(0.08, 1);
    expect(body.periods.at(-1).benchmark).toBeLessThan(0);
    expect(body.ranked).toBe(198);
    expect(body.rank_correlation.between_periods).toHaveLength(10);
    expect(body.rank_correlation.between_periods[2][2]).toBe(1);
    expect(body.sentence).toMatch(/rank correlation|too few/);
  });

  const numbersOf = ({ rows }: { rows: readonly { combination: number }[] }): readonly number[] =>
    rows.map(({ combination }) => combination);

  it('leaves rows that are no strategies out of the best and of the order, unless there are no others', async () => {
    const like = (
      cash: (k: number) => boolean,
      benchmark: (k: number) => boolean,
    ): typeof api.engine.stored => {
      const stored: Record<string, (k: number) => number | undefined> = {
        sharpe_ratio: (k) => (cash(k) || benchmark(k) ? 40 : undefined),
        standard_deviation: (k) => (cash(k) ? 0.0005 : benchmark(k) ? 0.16 : undefined),
        correlation: (k) => (benchmark(k) ? 1 : undefined),
      };
      return (name, k) => stored[name]?.(k);
    };
    try {
      api.engine.stored = like(
        (k) => k === 3,
        (k) => k === 5,
      );
      const among = (await stability(await api.finishedBatch(costing(11)))).body;
      expect(among).toMatchObject({ left_out: 2, ranked: 196 });
      expect(among.rows).toHaveLength(10);
      expect(numbersOf(among)).not.toContain(3);
      expect(numbersOf(among)).not.toContain(5);
      api.engine.stored = like(
        () => true,
        () => false,
      );
      const alone = (await stability(await api.finishedBatch(costing(12)))).body;
      expect(alone).toMatchObject({ left_out: 0, ranked: 198 });
      expect(alone.rows).toHaveLength(10);
    } finally {
      api.engine.stored = null;
    }
  });

  it('ranks over cash, as the verdict does; by the plain ratio while cash cannot be run, and says so', async () => {
    // A short bond: the best plain ratio, and it earns less than cash does in this engine.
    const bond: Record<string, number> = { sharpe_ratio: 1.2, standard_deviation: 0.012 };
    const before = api.engine.answer;
    try {
      api.engine.stored = (name, k) => (k === 5 ? bond[name] : undefined);
      const id = await api.finishedBatch(costing(15));
      api.engine.defect = new Error('the pool is gone');
      const plain = (await stability(id)).body;
      expect(plain.cash).toBeNull();
      expect(numbersOf(plain)[0]).toBe(5);
      api.engine.defect = null;
      api.engine.answer = (request) => {
        const answer = (before as NonNullable<typeof before>)(request);
        const value = answer.history?.value.map((_, i) => 10_000 * 1.0001 ** i);
        return { ...answer, history: { ...answer.history, value } } as typeof answer;
      };
      const over = (await stability(id)).body;
      expect(over.cash).toBe('Treasury bills (SIM:BIL)');
      expect(numbersOf(over)).not.toContain(5);
      expect(numbersOf(over).slice(0, 9)).toEqual(numbersOf(plain).slice(1));
    } finally {
      api.engine.defect = null;
      api.engine.answer = before;
      api.engine.stored = null;
    }
  });

  it('shows the best rows of each batch, whichever was looked at before', async () => {
    const bestOf = async (id: string): Promise<number> => (await stability(id)).body.rows[0].combination;
    const bestIs = (best: number) => {
      api.engine.stored = (name, k) => (name === 'sharpe_ratio' && k === best ? 50 : undefined);
    };
    try {
      bestIs(17);
      const first = await api.finishedBatch(costing(13));
      bestIs(42);
      const second = await api.finishedBatch(costing(14));
      expect([await bestOf(first), await bestOf(second), await bestOf(first)]).toEqual([17, 42, 17]);
    } finally {
      api.engine.stored = null;
    }
  });

  it('takes the rows that are named, and says what is wrong with others', async () => {
    const id = await api.finishedBatch();
    const { body } = await stability(id, '?combinations=5,3');
    expect(body.rows.map(({ combination }: { combination: number }) => combination)).toEqual([5, 3]);
    const beyond = await stability(id, '?combinations=99999');
    expect(beyond.status).toBe(400);
    expect(beyond.body.code).toBe('unknown_combination');
    // There are 200: the last one is 199.
    expect((await stability(id, '?combinations=200')).body.code).toBe('unknown_combination');
    const most = Array.from({ length: 20 }, (_, i) => 199 - i);
    expect((await stability(id, `?combinations=${most.join()}`)).body.rows).toHaveLength(20);
    const many = await stability(id, `?combinations=${Array.from({ length: 21 }, (_, i) => i).join()}`);
    expect(many.body.code).toBe('too_many_rows');
    expect((await stability(id, '?combinations=1;drop')).status).toBe(400);
  });

  it('shows no period of what is locked away', async () => {
    const id = await api.finishedBatch(SPLIT);
    const { body } = await stability(id);
    expect(body.periods.at(-1).to < '2016-01-04').toBe(true);
  });
});

describe('the bands of picked rows', () => {
  const bands = (id: string, combinations: readonly number[]) =>
    api.call('POST', `/api/v1/batch-backtests/${id}/bands`, { combinations });

  it('are drawn from the rows run again, the same every time', async () => {
    const id = await api.finishedBatch();
    const { status, body, text } = await bands(id, [1, 2]);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ days: 3_999, draws: 1_000, block_length: 21, from: '2010-01-05' });
    const [row] = body.rows;
    expect(row).toMatchObject({ combination: 1, error: null });
    expect(row.bands.sharpe.low).toBeLessThan(row.bands.sharpe.high);
    expect(row.bands.max_drawdown.middle).toBeGreaterThan(0);
    expect(row.best_share + body.rows[1].best_share).toBeCloseTo(1, 12);
    expect((await bands(id, [1, 2])).body).toEqual(body);
  });

  it('belong to the row that they are drawn from, also behind one that cannot be run', async () => {
    const id = await api.finishedBatch();
    const alone = (await bands(id, [2])).body.rows[0];
    const answer = api.engine.answer;
    api.engine.answer = (request) => {
      const tree = JSON.stringify(request.trading_bot);
      if (tree.includes('"B7"')) throw new RefusalError(refuse(400, 'no_common_dates', 'B7 has no prices'));
      const ran = (answer as NonNullable<typeof answer>)(request);
      if (!tree.includes('"B1"')) return ran;
      const value = ran.history?.value.map((_, i) => 10_000 * 1.001 ** i * (1 + 0.001 * (i % 2)));
      return { ...ran, history: { ...ran.history, value } } as typeof ran;
    };
    try {
      const [other, gone, row] = (await bands(id, [1, 7, 2])).body.rows;
      expect(gone).toMatchObject({ combination: 7, error: 'B7 has no prices', figures: null, bands: null });
      expect(row.figures).toEqual(alone.figures);
      expect(other.figures.sharpe).toBeGreaterThan(row.figures.sharpe);
      expect(row.best_share).toBe(0);
    } finally {
      api.engine.answer = answer;
    }
  });

  it('are of the days that all of three rows have, each with figures, bands and years of its own', async () => {
    const id = await api.finishedBatch();
    const before = api.engine.answer as NonNullable<typeof api.engine.answer>;
    const yearly_returns = ['2010', '2020'].map((period) => ({ period, return: 0.05 }));
    api.engine.answer = (request) => {
      const ran = { ...before(request), report: { yearly_returns } };
      const { timestamps = [], value = [] } = ran.history ?? {};
      const held = JSON.stringify(request.trading_bot);
      const rising = value.map((_, i) => 10_000 * 1.001 ** i * (1 + 0.001 * (i % 2)));
      const history = held.includes('"B1"')
        ? { ...ran.history, timestamps: timestamps.slice(0, -100), value: rising.slice(0, -100) }
        : ran.history;
      return { ...ran, history } as unknown as ReturnType<typeof before>;
    };
    try {
      const { days, to, rows } = (await bands(id, [2, 3, 1])).body;
      const last = new Date((FIRST + 3_899 * DAY) * 1_000).toISOString().slice(0, 10);
      expect({ days, to }).toEqual({ days: 3_899, to: last });
      const [first, , third] = rows;
      expect(third.figures.annualized_return).toBeGreaterThan(0.2);
      expect(third.bands.annualized_return.low).toBeGreaterThan(0.2);
      expect(third.bands.annualized_return.high).toBeLessThan(0.4);
      expect(third.bands.sharpe.low).toBeGreaterThan(5);
      const [rose, fell] = first.years;
      expect([rose.year, fell.year]).toEqual([2010, 2020]);
      expect(rose.sharpe).toBeGreaterThan(0);
      expect(fell.sharpe).toBeLessThan(0);
    } finally {
      api.engine.answer = before;
    }
  });

  it('say which rows are not there', async () => {
    const id = await api.finishedBatch();
    const { status, body } = await bands(id, [1, 100_000]);
    expect([status, body.code]).toEqual([400, 'unknown_combination']);
    expect((await bands(id, [])).status).toBe(400);
  });
});
