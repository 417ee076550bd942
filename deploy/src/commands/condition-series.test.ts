import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'condition-series-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** 2024-01-02 to 2024-02-12. */
const DATES = [...sessionsBetween(19_724, 19_765)].map(formatDay);
const ALARM = '2024-01-16';

const TREE = {
  node_type: 'root',
  id: 'r',
  name: 'Careful',
  children: [
    {
      node_type: 'if-then-else',
      id: 'i',
      condition_type: 'allOf',
      conditions: [
        {
          node_type: 'condition',
          id: 'c',
          lhs_fn: 'current-price',
          lhs_val: '@VIXCLS',
          comparator: 'gt',
          rhs_fixed_val: true,
          rhs_val: '20',
        },
      ],
      then_children: [{ node_type: 'asset', id: 'b', ticker: 'BBB' }],
      else_children: [{ node_type: 'asset', id: 'a', ticker: 'AAA' }],
    },
  ],
};

async function daysOfAlarm(lagDays: number): Promise<string[]> {
  const dataDir = join(folder, `data-${lagDays}`);
  const prices = DATES.flatMap((date, i) =>
    ['AAA', 'BBB', 'SPY'].map((ticker) => `${date},${ticker},${100 + i}`),
  );
  const vix = DATES.map((date) => `${date},${date === ALARM ? 30 : 15}`);
  const files = [join(folder, 'prices.csv'), join(folder, 'VIXCLS.csv')];
  await writeFile(files[0] as string, `date,ticker,adj_close\n${prices.join('\n')}\n`);
  await writeFile(files[1] as string, `observation_date,VIXCLS\n${vix.join('\n')}\n`);
  await importFiles({ dataDir, files, lagDays, now: new Date('2024-03-01T12:00:00Z') });
  await using marketData = await openMarketDataFiles({ dataDir });
  const { version } = await marketData.current();
  const loaded = await marketData.load(version, ['AAA', 'BBB', 'SPY', '@VIXCLS']);
  const request = {
    trading_bot: TREE,
    start_date: '2024-01-02',
    end_date: '2024-02-12',
    include: { history: true },
  };
  const { history } = runBacktest(request as unknown as BacktestRequest, loaded, { today: '2024-03-01' });
  const at = (history?.timestamps ?? []).map((seconds) => formatDay(seconds / 86_400));
  return (history?.tickers.BBB ?? []).flatMap((weight, i) => (weight === 100 ? [at[i] ?? ''] : []));
}

it.each([
  [1, '2024-01-17'],
  [2, '2024-01-18'],
  [3, '2024-01-19'],
])('a strategy acts on a value of 16 January %i days later, and on no day before', async (lag, date) => {
  const days = await daysOfAlarm(lag);
  expect(days).toEqual([date]);
});
