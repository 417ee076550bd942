import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';
import { METRIC_OF_COLUMN } from '../analysis/run-metrics.ts';

let api: BatchApi;
let id: string;
const DAY = 86_400;
/** Days of returns; the second loses what the first gains on the days that both have, 4 to 6. */
const CURVES: Readonly<Record<string, { first: number; returns: readonly number[]; benchmark: number }>> = {
  B1: { first: 0, returns: [0.01, -0.02, 0.03, -0.01, 0.02, 0.04], benchmark: 1 },
  B2: { first: 3, returns: [0.01, -0.02, -0.04, 0.07], benchmark: 2 },
  B3: { first: 20, returns: [0.01, 0.02, 0.01, 0.02, 0.01, 0.02, 0.01], benchmark: 3 },
};

function answerOf({ trading_bot, include }: BacktestRequest) {
  expect(include).toEqual({ history: true });
  const tree = JSON.stringify(trading_bot);
  const ticker = Object.keys(CURVES).find((name) => tree.includes(`"${name}"`));
  const curve = CURVES[ticker ?? ''];
  if (!curve) throw new RefusalError(refuse(400, 'no_common_dates', 'B7 has no prices'));
  const value = [10_000];
  for (const change of curve.returns) value.push((value.at(-1) ?? 0) * (1 + change));
  const timestamps = value.map((_, i) => (14_600 + curve.first + i) * DAY);
  const benchmark_value = value.map(() => curve.benchmark);
  const history = { timestamps, value, benchmark_value, tickers: {}, indicators: {}, turnover: [] };
  return { ...SOME_ANSWER, history } as never;
}

/** What batches store: what their rows come to when they run again, but for one of row 2 and one of row 3. */
function stored(name: string, combination: number): number | undefined {
  const metric = METRIC_OF_COLUMN[name as keyof typeof METRIC_OF_COLUMN];
  if (!metric) return undefined;
  if (combination === 2 && name === 'sharpe_ratio') return 1.000001;
  if (combination === 3 && name === 'trailing_3_month') return Number.NaN;
  return Number(SOME_ANSWER.metrics[metric]);
}

beforeAll(async () => {
  api = await openBatchApi();
  api.engine.stored = stored;
  api.engine.answer = answerOf;
  id = await api.finishedBatch();
});
afterAll(() => api.close());

const again = (batch: string, combinations: readonly number[]) =>
  api.call('POST', `/api/v1/batch-backtests/${batch}/rows`, { combinations });

describe('rows that run again', () => {
  it('come with their curves in the order asked for, and say whether they are what is stored', async () => {
    const { status, body, text } = await again(id, [2, 1, 7, 3]);
    expect(status, text).toBe(200);
    expect(body.rows).toMatchObject([
      { combination: 2, values: { $A: 'A0', $B: 'B2' }, error: null, equals_stored: false },
      { combination: 1, values: { $A: 'A0', $B: 'B1' }, error: null, equals_stored: true },
      { combination: 7, error: 'B7 has no prices', equals_stored: null, timestamps: [], value: [] },
      { combination: 3, error: null, equals_stored: false },
    ]);
    expect(body.rows[1].timestamps).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => (14_600 + i) * DAY));
    expect(body.rows[1].value.slice(0, 2)).toEqual([10_000, 10_100]);
    // Of the longest of them.
    expect(body.benchmark.value).toEqual(Array(8).fill(3));
    expect(body.benchmark.timestamps).toEqual(body.rows[3].timestamps);
  });

  it('are compared by their returns on the days that two of them have', async () => {
    const { body } = await again(id, [1, 2, 7, 3]);
    const opposite = expect.closeTo(-1, 9);
    expect(body.correlation).toEqual([
      [1, opposite, null, null],
      [opposite, 1, null, null],
      [null, null, null, null],
      [null, null, null, 1],
    ]);
  });

  it('are one group of a block each, with the values in place of the variables', async () => {
    const { body } = await again(id, [13, 2]);
    expect(body.group).toMatchObject({ node_type: 'group', name: '2 rows of A and B' });
    const [first, second] = body.group.children;
    expect([first.name, second.name]).toEqual(['A1 / B3', 'A0 / B2']);
    expect(first.children.map(({ ticker }: { ticker: string }) => ticker)).toEqual(['A1', 'B3']);
    const ids = JSON.stringify(body.group).match(/"id":"node_\w+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(7);
  });

  it('are held against the days that they ran over: those before the locked ones, then all', async () => {
    const split = await api.splitBatch();
    const isEqual = async () => (await again(split, [1])).body.rows[0].equals_stored;
    // The metrics of the days before are others here.
    expect(await isEqual()).toBe(false);
    await api.call('POST', `/api/v1/batch-backtests/${split}/out-of-sample`, {});
    expect(await isEqual()).toBe(true);
  });

  it('are twenty of the batch at most, and of nobody else', async () => {
    expect((await again(id, [1, 200])).body.code).toBe('unknown_combination');
    const many = Array.from({ length: 21 }, (_, i) => i);
    expect((await again(id, many)).status).toBe(400);
    const url = `/api/v1/batch-backtests/${id}/rows`;
    expect((await api.call('POST', url, { combinations: [1] }, 'u2')).status).toBe(404);
  });
});
