import { PLANS } from '@quantloom/domain/identity/plans';
import { afterEach, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountBatchQueries } from './batches.ts';

let server: Awaited<ReturnType<typeof openReadServer>>;
afterEach(() => server.close());

/** What is used, as the quota tells it at an instant. */
async function usedAt(instant: string, months: Readonly<Record<string, number>>) {
  const readModels = {
    get: async (_: string, id: string) => (id in months ? { id, used: months[id] } : null),
  };
  const clock = { now: () => new Date(instant) };
  server = await openReadServer(mountBatchQueries, { clock, readModels, marketData: {} }, [
    'web.batch-backtests.create',
  ]);
  return (await server.get('ann', '/batch-backtests/quota')).body;
}

// New York has 20:00 on the last of October when it is the first of November in UTC.
it.each([
  ['2026-11-01T03:59:59.999Z', 40],
  ['2026-11-01T04:00:00.000Z', 2],
  ['2026-12-01T04:59:59.999Z', 2],
  ['2026-12-01T05:00:00.000Z', 0],
])('a month begins and ends at midnight of the exchange: at %s %d are used', async (instant, used) => {
  const months = { 'ann-2026-10': 40, 'ann-2026-11': 2, 'bob-2026-12': 9 };
  const limit = PLANS.free.monthlyBacktests;
  expect(await usedAt(instant, months)).toEqual({
    monthly_limit: limit,
    current_monthly_usage: used,
    remaining: Math.max(0, limit - used),
  });
});
