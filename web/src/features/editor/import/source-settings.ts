import type { SourceSettings } from '@quantloom/domain/exchange/run-settings';
import { DEFAULT_BENCHMARK, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import { formatCount, formatDate } from '../../../lib/format.ts';
import { today } from '../../../lib/today.ts';
import { defaultSettings, readSlippage, searchOf } from '../model/run-settings.ts';

/** What a source says of the run of its strategy, for the draft that is opened with it. */
export interface OpenedSettings {
  /** The query of the editor's address: it runs with these. Empty where there are none. */
  readonly search: string;
  /** What the draft opens with, in words. */
  readonly used: readonly string[];
  /** What is left aside, with the reason. */
  readonly unused: readonly string[];
}

/** Dates and slippage are those of the first run; a benchmark other than ours is compared with as well. */
export function openedSettings(given: SourceSettings, now: Date): OpenedSettings {
  const usual = defaultSettings(now);
  const last = today(now);
  const { start_date: from, end_date: to, benchmark_ticker: benchmark, starting_balance: balance } = given;
  const isEnd = to !== undefined && to <= last;
  const begins = from !== undefined && from >= '1990-01-01' && from <= (isEnd ? to : last) ? from : null;
  const slippage = given.slippage_bps === undefined ? null : readSlippage(String(given.slippage_bps));
  const compared = benchmark === undefined || benchmark === DEFAULT_BENCHMARK ? [] : [benchmark];
  const settings = {
    ...usual,
    ...(begins !== null && { startDate: begins }),
    ...(isEnd && { endDate: to }),
    ...(slippage?.isRead && { slippageBps: slippage.value }),
    benchmarks: compared,
  };
  return {
    search: searchOf(settings, new URLSearchParams(), now).toString(),
    used: [
      ...(begins === null ? [] : [`from ${formatDate(begins)}`]),
      ...(isEnd ? [`to ${formatDate(to)}`] : []),
      ...(slippage?.isRead ? [`${slippage.value} bps of slippage`] : []),
      ...(benchmark === undefined ? [] : [`compared with ${benchmark}`]),
    ],
    unused: [
      ...(from !== undefined && begins === null
        ? [`the start ${from}, which is not between 1990 and its end`]
        : []),
      ...(to !== undefined && !isEnd ? [`the end ${to}, which is still to come`] : []),
      ...(slippage && !slippage.isRead
        ? [`${given.slippage_bps} bps of slippage: here it is a whole number from 0 to 1000`]
        : []),
      ...(balance !== undefined && balance !== DEFAULT_STARTING_BALANCE
        ? [
            `the capital of ${formatCount(balance)}: every run here begins with ` +
              `${formatCount(DEFAULT_STARTING_BALANCE)}, which changes no return`,
          ]
        : []),
    ],
  };
}
