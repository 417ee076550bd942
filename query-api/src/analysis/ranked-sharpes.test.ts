import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import type { AnalysisThreads } from './analysis-threads.ts';
import { rankedSharpes } from './ranked-sharpes.ts';
import { runTask } from './tasks.ts';

const threads: AnalysisThreads = { run: async (task) => runTask(task), close: async () => {} };
const CASH = 'Treasury bills (SIM:BIL)';

/** How two rows are ranked whose columns are these, where cash has earned so much a day. */
async function ranked(
  cash: { readonly name: string | null; readonly daily: number },
  columns: Readonly<Record<string, readonly number[]>>,
  where: 'whole' | 'in' = 'whole',
) {
  const store = {
    countRows: async () => 2,
    readColumns: async (
      _: string,
      wanted: readonly { name: string; into: { set(from: number[]): void } }[],
    ) => {
      for (const { name, into } of wanted) into.set([...(columns[name] ?? [Number.NaN, Number.NaN])]);
    },
  } as unknown as ResultStore;
  return await rankedSharpes(
    { store, threads },
    'b1',
    { name: cash.name, ranked: { shares: [1], daily: [cash.daily] } },
    where,
    async () => new Uint16Array(new SharedArrayBuffer(4)).fill(20),
    async ({ values, shown, isOverCash }) => ({ values: [...values], shown: [...shown], isOverCash }),
  );
}
const COLUMNS = { sharpe_ratio: [2, 1], standard_deviation: [0.01, 0.1] };
const STORED = { values: [2, 1], shown: [2, 1] };

it('takes off what cash earned, and shows the stored ratios beside', async () => {
  const { values, shown, isOverCash } = await ranked({ name: CASH, daily: 0.01 / 252 }, COLUMNS);
  expect(values[0]).toBeCloseTo(1, 9);
  expect(values[1]).toBeCloseTo(0.9, 9);
  expect({ shown, isOverCash }).toEqual({ shown: [2, 1], isOverCash: true });
});

it('takes both columns of the part of the period that rows are ranked on', async () => {
  const columns = { ...COLUMNS, in_sharpe_ratio: [3, 4], in_standard_deviation: [0.1, 0.02] };
  const { values, shown } = await ranked({ name: CASH, daily: 0.01 / 252 }, columns, 'in');
  expect(values[0]).toBeCloseTo(2.9, 9);
  expect(values[1]).toBeCloseTo(3.5, 9);
  expect(shown).toEqual([3, 4]);
});

it('says that the stored ratios are over cash where cash earned nothing, and not where there is none', async () => {
  expect(await ranked({ name: CASH, daily: 0 }, COLUMNS)).toEqual({ ...STORED, isOverCash: true });
  expect(await ranked({ name: null, daily: 0.01 }, COLUMNS)).toEqual({ ...STORED, isOverCash: false });
});

it('ranks all rows by the stored ratio where one of them lacks what it takes', async () => {
  const columns = { ...COLUMNS, standard_deviation: [0.01, Number.NaN] };
  expect(await ranked({ name: CASH, daily: 0.01 / 252 }, columns)).toEqual({ ...STORED, isOverCash: false });
});
