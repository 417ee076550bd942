import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { runBatchRange } from '@quantloom/compute/engine/batch/batch-reference';
import { planBatch } from '@quantloom/compute/engine/batch/compile/batch-plan';
import { marketOf } from '@quantloom/compute/testing/fixtures';
import type { BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BatchApi, body, openBatchApi, tickers } from '../../testing/batch-api.ts';

/*
 * The figures of a verdict on a batch that the engine has computed, against their definitions: plain code over daily returns, written anew, that shares nothing with
 * the product.
 */

const OPTIONS = { today: '2026-11-21' };
const CONFIG = { start_date: '2003-01-01', end_date: '2007-01-01', slippage_bps: 10 };
const VARIABLES = { $A: tickers('A', 6), $B: tickers('B', 4) };
const ROWS = 24;
const BILLS = 'SIM:BIL';
const prices = marketOf(
  Object.fromEntries(
    ['SPY', BILLS, ...VARIABLES.$A, ...VARIABLES.$B].map((ticker, i) => [
      ticker,
      { seed: 20 + i, firstDay: 12_000, bars: 1_500 },
    ]),
  ),
);

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const power = (values: readonly number[], k: number) => {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** k));
};
const deviation = (values: readonly number[]) =>
  Math.sqrt((power(values, 2) * values.length) / (values.length - 1));
const sharpe = (values: readonly number[]) => mean(values) / deviation(values);

/** The normal distribution by its series; good to 1e-14 between -6 and 6. */
function cdf(x: number): number {
  let [term, total] = [x, x];
  for (let k = 1; k < 200; k += 1) {
    term *= (x * x) / (2 * k + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

function quantile(p: number): number {
  let [low, high] = [-6, 6];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (cdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Bailey and López de Prado (2014), of ratios over cash. */
function deflatedSharpe(ratios: readonly number[], best: readonly number[], ratio: number): number {
  const gamma = 0.577_215_664_901_532_9;
  const n = ratios.length;
  const luck =
    deviation(ratios) * ((1 - gamma) * quantile(1 - 1 / n) + gamma * quantile(1 - 1 / (n * Math.E)));
  const skewness = power(best, 3) / power(best, 2) ** 1.5;
  const kurtosis = power(best, 4) / power(best, 2) ** 2;
  const error = Math.sqrt((1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / (best.length - 1));
  return cdf((ratio - luck) / error);
}

/**
 * Bailey, Borwein, López de Prado and Zhu (2017): every half of ten blocks once in sample, the other one out
 * of sample.
 */
function overfitting(rows: readonly (readonly (readonly number[])[])[]): number {
  let [splits, notAbove] = [0, 0];
  for (let mask = 0; mask < 1 << 10; mask += 1) {
    const inside = [...Array(10).keys()].filter((block) => (mask >> block) & 1);
    if (inside.length !== 5) continue;
    const outside = [...Array(10).keys()].filter((block) => !inside.includes(block));
    const over = (blocks: readonly number[]) =>
      rows.map((row) => sharpe(blocks.flatMap((block) => row[block] ?? [])));
    const [found, kept] = [over(inside), over(outside)];
    const winner = kept[found.indexOf(Math.max(...found))] as number;
    const rank = kept.filter((value) => value <= winner).length;
    splits += 1;
    if (rank / (rows.length + 1) <= 0.5) notAbove += 1;
  }
  expect(splits).toBe(252);
  return notAbove / splits;
}

/** Daily returns of a strategy by block of the period. */
function byBlock(trading_bot: unknown, config: object): number[][] {
  const start = Date.parse(CONFIG.start_date) / 86_400_000;
  const length = Date.parse(CONFIG.end_date) / 86_400_000 - start + 1;
  const request = { ...config, include: { history: true }, trading_bot } as BacktestRequest;
  const { history } = runBacktest(request, prices, OPTIONS);
  if (!history) throw new Error('there are no daily values');
  const blocks: number[][] = Array.from({ length: 10 }, () => []);
  for (let i = 1; i < history.value.length; i += 1) {
    const block = Math.floor((((history.timestamps[i] as number) / 86_400 - start) * 10) / length);
    blocks[block]?.push((history.value[i] as number) / (history.value[i - 1] as number) - 1);
  }
  return blocks;
}

const { template_bot } = body();
const botOf = (a: string, b: string) =>
  JSON.parse(JSON.stringify(template_bot.algorithm).replaceAll('$A', a).replaceAll('$B', b));

it.each([
  ['bills whose return changes', {}, BILLS],
  ['a rate', { cash: { rate: 6 } }, null],
] as const)('is that of its daily returns over cash, to 1e-9: %s', async (_, cash, ticker) => {
  const config = { ...CONFIG, ...cash };
  const batch = { template_bot, variables: VARIABLES, backtest_config: config } as unknown as BatchRequest;
  const { floats } = runBatchRange(planBatch(batch, prices, OPTIONS), 0, ROWS);
  api.engine.stored = (name, combination) => floats[name]?.[combination];
  api.engine.answer = (request: BacktestRequest) => runBacktest(request, prices, OPTIONS);
  const id = await api.finishedBatch({ variables: VARIABLES, backtest_config: config });
  const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/verdict`);
  expect(answer.status, answer.text).toBe(200);
  const verdict = answer.body;

  const rows = Array.from({ length: ROWS }, (_one, k) =>
    byBlock(botOf(VARIABLES.$A[Math.floor(k / 4)] ?? '', VARIABLES.$B[k % 4] ?? ''), config),
  );
  const earned = ticker
    ? byBlock(botOf(ticker, ticker), { ...CONFIG, slippage_bps: 0 }).map(mean)
    : rows[0]?.map(() => 1.06 ** (1 / 252) - 1);
  const beyond = rows.map((blocks) =>
    blocks.map((values, block) => values.map((value) => value - (earned?.[block] ?? 0))),
  );
  const returns = rows.map((blocks) => blocks.flat());
  const ratios = returns.map((own, k) => mean((beyond[k] ?? []).flat()) / deviation(own));
  const best = ratios.indexOf(Math.max(...ratios));

  expect(verdict.best.combination).toBe(best);
  expect(verdict.best.sharpe_ratio).toBeCloseTo(sharpe(returns[best] ?? []) * Math.sqrt(252), 9);
  expect(verdict.best.sharpe_over_cash).toBeCloseTo((ratios[best] as number) * Math.sqrt(252), 9);
  expect(Math.abs(verdict.best.sharpe_over_cash - verdict.best.sharpe_ratio)).toBeGreaterThan(0.05);
  expect(verdict.cash.name).toBe(ticker ? 'Treasury bills (SIM:BIL)' : 'cash at 6% a year');
  for (const [block, value] of verdict.cash.daily_by_block.entries())
    expect(value).toBeCloseTo(earned?.[block] ?? Number.NaN, 9);
  expect(verdict.trials).toMatchObject({ lineage: ROWS, batch: ROWS });
  const figure = (name: string) =>
    verdict.figures.find(({ key }: { key: string }) => key === name)?.value as number;
  const expected = deflatedSharpe(ratios, returns[best] as number[], ratios[best] as number);
  expect(Math.abs(figure('deflated_sharpe') - expected)).toBeLessThan(1e-9);
  // Neither is 0 or 1, where anything would agree.
  expect(Math.abs(expected - 0.5)).toBeLessThan(0.499);
  const pbo = overfitting(beyond);
  expect(pbo).toBeGreaterThan(0);
  expect(pbo).toBeLessThan(1);
  expect(Math.abs(verdict.cross_validation.pbo - pbo)).toBeLessThan(1e-9);
});
