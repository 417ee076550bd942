import { RefusalError } from '@quantloom/domain/kernel/refusal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { naiveBacktest } from '../../testing/naive-engine.ts';
import { difficultMarket, randomBatch } from '../../testing/random-strategies.ts';
import { runBacktest } from './answers/backtest.ts';

const OPTIONS = { today: '2026-11-21' };
const DATES_ARE_AT_FAULT = ['no_common_dates', 'fewer_than_two_days', 'no_trading_days'];
/** `FC_RUNS` repeats the search with more strategies. */
const RUNS = Number(process.env.FC_RUNS ?? 60);

test('a random strategy comes out as a reading of the specification day by day', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 0, max: 4 }), (seed, depth) => {
      const prices = difficultMarket(seed % 5);
      const { backtest_config, template_bot } = randomBatch(seed, { depth, variables: false });
      const request = { ...backtest_config, include: { history: true }, trading_bot: template_bot.algorithm };
      const naive = () => naiveBacktest(request, prices);
      let answer: ReturnType<typeof runBacktest>;
      try {
        answer = runBacktest(request, prices, OPTIONS);
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        if (DATES_ARE_AT_FAULT.includes(error.refusal.code)) expect(naive()).toBeNull();
        return;
      }
      compared++;
      const expected = naive();
      if (answer.history === undefined || expected === null) throw new Error('Nothing to compare');
      const { timestamps, value, tickers } = answer.history;
      expect(timestamps).toEqual(expected.days.map((day) => day * 86_400));
      expected.days.forEach((_, t) => {
        const tolerance = 1e-9 * (expected.value[t] as number);
        expect(Math.abs((value[t] as number) - (expected.value[t] as number))).toBeLessThanOrEqual(tolerance);
        for (const [ticker, percent] of Object.entries(tickers)) {
          const weight = (expected.weights[t]?.get(ticker) ?? 0) * 100;
          expect(Math.abs((percent[t] as number) - weight), `${ticker} on day ${t}`).toBeLessThanOrEqual(
            1e-8,
          );
        }
      });
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS / 2);
});
