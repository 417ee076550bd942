import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { DailyRow, DailyRows } from '@quantloom/domain/ports/backtest-runner';
import { dailyReturns } from '@quantloom/domain/statistics/shared-days';
import { timestampOf } from '../model/days.ts';
import type { Run } from '../reference/run.ts';
import type { ReferenceBatch } from './batch-reference.ts';

/**
 * Combinations of a batch day by day, in the order given: each as a single backtest has it, on the market
 * that all of them share. Stops early, with rows missing, once `isCancelled` says so.
 *
 * @returns numbers in shared memory: they change threads several times on their way
 */
export function dailyRows(
  batch: ReferenceBatch,
  combinations: readonly number[],
  isCancelled: () => boolean = () => false,
): DailyRows {
  const rows: DailyRow[] = [];
  const failures: DailyRows['failures'][number][] = [];
  const lists = new DayLists();
  for (const combination of combinations) {
    if (isCancelled()) break;
    try {
      const run = batch.simulated(combination);
      const days = lists.of(run);
      const returns = dailyReturns(run.value, days, shared(days.length));
      rows.push({ combination, ...returns, weights: meanWeights(run) });
    } catch (error) {
      // The batch has told of a defect when it met it; the other rows are no worse for it.
      failures.push({ combination, reason: error instanceof RefusalError ? error.refusal.detail : null });
    }
  }
  return { rows, failures };
}

const shared = (length: number) =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));

/**
 * The days that runs earn something on, as timestamps: all but the first. One list for all runs over the same
 * days of a market.
 */
class DayLists {
  private market: Run['market'] | null = null;
  private readonly lists = new Map<string, Float64Array>();

  of({ market, days: { from, to } }: Run): Float64Array {
    if (market !== this.market) this.lists.clear();
    this.market = market;
    const key = `${from} ${to}`;
    const known = this.lists.get(key);
    if (known) return known;
    const list = shared(to - from);
    for (let t = 0; t < list.length; t += 1) list[t] = timestampOf(market.calendar[from + 1 + t] as number);
    this.lists.set(key, list);
    return list;
  }
}

/** Ticker → mean share of the portfolio; of the tickers that were held at all. */
function meanWeights({ weights, value }: Run): Record<string, number> {
  const held: Record<string, number> = {};
  for (const [ticker, shares] of weights) {
    let sum = 0;
    for (let t = 0; t < value.length; t += 1) {
      const share = shares[t] as number;
      if (Number.isFinite(share)) sum += share;
    }
    if (sum !== 0) held[ticker] = sum / value.length;
  }
  return held;
}
