import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { createWorkerPool } from '@quantloom/compute/pool/worker-pool';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import { alertsOf } from '@quantloom/domain/alerts/alerts';
import { alertId } from '@quantloom/domain/alerts/delivery';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { DecisionMade } from '@quantloom/domain/forward-test/decision';
import { heldBefore } from '@quantloom/domain/forward-test/orders';
import { userOf, type World } from './world.ts';

/**
 * What the webhooks should have told: each change of holdings, but of days that lay too far back when there
 * was somebody to tell it.
 */
export function expectedHooks(
  { strategies }: World,
  decisions: readonly DecisionMade['data'][],
): Map<string, boolean> {
  const expected = new Map<string, boolean>();
  const byStrategy = Map.groupBy(decisions, ({ strategyId }) => strategyId);
  [...strategies.keys()].forEach((strategyId, index) => {
    const own = (byStrategy.get(strategyId) ?? []).toSorted((a, b) => (a.day < b.day ? -1 : 1));
    own.forEach((decision, t) => {
      const settings = { onHoldings: true, nearPercent: null };
      if (alertsOf('', decision, heldBefore(decision, own.slice(0, t)), settings).length > 0)
        expected.set(alertId(userOf(index), 'webhook', `${strategyId}-${decision.day}`), decision.isLate);
    });
  });
  return expected;
}

export function hookFaults(
  world: World,
  { decisions, kills }: { readonly decisions: readonly DecisionMade['data'][]; readonly kills: number },
): string[] {
  const expected = expectedHooks(world, decisions);
  const faults: string[] = [];
  for (const [id, isLate] of expected)
    if (!isLate && !world.hooks.came.has(id)) faults.push(`the message ${id} was lost`);
  for (const id of world.hooks.came.keys())
    if (!expected.has(id)) faults.push(`the message ${id} has no reason`);
  const again = [...world.hooks.came.values()].filter((times) => times > 1).length;
  if (again > kills * 8) faults.push(`${again} messages came twice, after ${kills} kills`);
  return faults;
}

/**
 * Each strategy has each day once, in order, and what a backtest that ends on that day holds, to the last
 * bit, with the prices of all later days at hand.
 */
export async function faultsOf(world: World, decisions: readonly DecisionMade['data'][]): Promise<string[]> {
  const { dataDir, days, first, strategies } = world;
  const faults: string[] = [];
  const due = days.slice(first - 1);
  const byStrategy = Map.groupBy(decisions, ({ strategyId }) => strategyId);
  const marketData = await openMarketDataFiles({ dataDir });
  const pool = createWorkerPool({ threads: 2, cacheBytes: 64 * 1024 * 1024 });
  const runner = createBacktestRunner({ pool, marketData, clock: { now: () => new Date() } });
  const check = async ([strategyId, algorithm]: readonly [string, object]) => {
    const own = byStrategy.get(strategyId) ?? [];
    if (own.map(({ day }) => day).join() !== due.join())
      faults.push(`${strategyId} has ${own.length} decisions in place of ${due.length}, or not in order`);
    for (const { day, runFrom, weights, closes } of own) {
      const { history } = await runner.run(
        {
          start_date: runFrom,
          end_date: day,
          include: { history: true },
          trading_bot: algorithm as BacktestRequest['trading_bot'],
        },
        { knowsHolidays: true },
      );
      const held = Object.entries(history?.tickers ?? {})
        .map(([ticker, column]) => [ticker, column.at(-1) ?? 0] as const)
        .filter(([, weight]) => weight !== 0);
      const isSame =
        held.length === Object.keys(weights).length &&
        held.every(([ticker, weight]) => weights[ticker] === weight);
      if (!isSame)
        faults.push(`${strategyId} ${day}: ${JSON.stringify(weights)}, not ${JSON.stringify(held)}`);
      for (const [ticker, close] of Object.entries(closes))
        if (world.real.get(ticker)?.find(({ date }) => date === day)?.close !== close)
          faults.push(`${strategyId} ${day}: ${ticker} closed otherwise`);
    }
  };
  const rest = [...strategies];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await check(next);
  };
  await Promise.all([work(), work(), work()]);
  await pool.close();
  await marketData.close();
  return faults.slice(0, 50);
}
