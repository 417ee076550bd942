import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { expect, test } from 'vitest';
import { awkwardPrices, dice, randomBatch } from '../../testing/random-batch.ts';
import { withSecondPart } from '../../testing/second-part.ts';
import { readBacktest } from '../../testing/second-reading/reading.ts';
import { runBacktest } from './answers/backtest.ts';
import { bindCombination, planBatch } from './batch/compile/batch-plan.ts';

const TODAY = { today: '2030-01-01' };
const DAYS = 260;
/** `FC_RUNS` tries more strategies, `FC_SEED` others. */
const RUNS = Number(process.env.FC_RUNS ?? 24);
const SEED = Number(process.env.FC_SEED ?? 0);
const TOO_FEW_DAYS = /^(?:no_common_dates|fewer_than_|no_trading_days)/;

let compared = 0;

/** A strategy with fields of both parts of the language, and its prices; null where it is not valid. */
function randomRequest(seed: number) {
  const throwDice = dice(seed + 90_000);
  const prices = awkwardPrices(DAYS, throwDice);
  const batch = withSecondPart(randomBatch(DAYS, throwDice), throwDice);
  try {
    const plan = planBatch(batch, prices, TODAY);
    const trading_bot = bindCombination(plan, seed % plan.combinations);
    const { out_of_sample_date: _, ...config } = batch.backtest_config;
    const request = { ...config, include: { history: true }, trading_bot } as BacktestRequest;
    return { request, prices };
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

test.each(Array.from({ length: RUNS }, (_, i) => SEED + i))(
  'strategy %i comes out as a second reading of both parts of the specification has it',
  (seed) => {
    const drawn = randomRequest(seed);
    if (drawn === null) return;
    const { request, prices } = drawn;
    let answer: ReturnType<typeof runBacktest>;
    try {
      answer = runBacktest(request, prices, TODAY);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      if (TOO_FEW_DAYS.test(error.refusal.code)) expect(readBacktest(request, prices)).toBeNull();
      return;
    }
    const expected = readBacktest(request, prices);
    const { history } = answer;
    if (history === undefined || expected === null) throw new Error('Nothing to compare');
    compared++;
    expect(history.timestamps).toEqual(expected.days.map((day) => day * 86_400));
    const isClose = (a: number, b: number, size: number) => Math.abs(a - b) <= 1e-9 * size;
    const faults = expected.days.flatMap((_, t) => {
      const [value, turnover] = [expected.value[t] as number, expected.turnover[t] as number];
      return [
        isClose(history.value[t] as number, value, value) ? [] : [`value of day ${t}`],
        isClose(history.turnover[t] as number, turnover, 2) ? [] : [`turnover of day ${t}`],
        ...Object.entries(history.tickers).map(([ticker, percent]) =>
          isClose(percent[t] as number, 100 * (expected.weights[t]?.get(ticker) ?? 0), 100)
            ? []
            : [`${ticker} on day ${t}`],
        ),
      ].flat();
    });
    expect(faults.slice(0, 5)).toEqual([]);
  },
);

test('most of them were compared', () => {
  expect(compared).toBeGreaterThan(RUNS / 3);
});
