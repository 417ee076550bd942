import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { CashByBlock } from '@quantloom/domain/statistics/over-cash';
import type { AnalysisThreads } from './analysis-threads.ts';
import type { PeriodPart } from './cash-earned.ts';
import { SharedColumns } from './shared-columns.ts';
import { inSamplePart } from './stored-block-sums.ts';

/** Sharpe ratios of all rows, a year: what they are ranked by, and what is stored and shown. */
export interface RankedSharpes {
  readonly values: Float64Array;
  readonly shown: Float64Array;
  /** False: they are ranked by the stored ratio, since there is no cash to take off, or rows lack what it takes. */
  readonly isOverCash: boolean;
}

/** The part of the period that rows are ranked on. */
export const whereRanked = (config: Parameters<typeof inSamplePart>[0]): PeriodPart =>
  inSamplePart(config) ? 'in' : 'whole';

/**
 * Works with the Sharpe ratios over cash of all rows, and with the stored ones: the very same where nothing
 * is taken off.
 *
 * @param cash its name is null where rows are ranked by the stored ratio
 * @param counts how many daily returns each row has in each block (`storedCounts`): asked for where cash is
 *   taken off, by whoever may have read them already
 */
export function rankedSharpes<T>(
  { store, threads }: { readonly store: ResultStore; readonly threads: AnalysisThreads },
  id: string,
  cash: { readonly name: string | null; readonly ranked: CashByBlock },
  where: PeriodPart,
  counts: () => Promise<Uint16Array<SharedArrayBuffer>>,
  work: (sharpes: RankedSharpes) => Promise<T>,
): Promise<T> {
  const columns = new SharedColumns(store);
  const prefix = where === 'whole' ? '' : (`${where}_` as const);
  return columns.use(id, `${prefix}sharpe_ratio`, async (shown) => {
    if (cash.name === null) return work({ values: shown, shown, isOverCash: false });
    if (cash.ranked.daily.every((daily) => daily === 0))
      return work({ values: shown, shown, isOverCash: true });
    const over = await columns.use(id, `${prefix}standard_deviation`, async (deviations) =>
      threads.run(
        {
          kind: 'overCash',
          sharpes: shown,
          deviations,
          counts: await counts(),
          cash: cash.ranked,
        },
        'slow',
      ),
    );
    return work({ values: over ?? shown, shown, isOverCash: over !== null });
  });
}
