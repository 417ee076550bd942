import { createPaperBrokers } from '@quantloom/adapters/paper-broker/paper-brokers';
import { AlpacaStandIn } from '@quantloom/adapters/testing/paper-broker/alpaca/stand-in-server';
import { decisionId, decisionStream, evaluationId } from '@quantloom/domain/forward-test/decision';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { ORDERS_A_NIGHT } from '@quantloom/domain/paper/limits';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { DataSetManifest, MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import type { PaperBroker, PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { type PlacingBaskets, startPlacingBaskets } from '@quantloom/projectors/baskets/place-baskets';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect } from 'vitest';
import { startTestApi, type TestApi } from './test-api.ts';

export const DAYS = ['2026-11-20', '2026-11-23', '2026-11-24'];
const _DAY_MS = 24 * 3_600_000;
const PATH = '/api/v1/paper-account';

export let api: TestApi;
export let server: AlpacaStandIn;
let placing: PlacingBaskets[];
/** What a test sets. */
export const world: {
  /** Days of prices that are there. */
  known: number;
  /** Takes the place of a broker's part, where a test has it die. */
  around: (broker: PaperBroker) => PaperBroker;
} = { known: 1, around: (broker) => broker };

export const MANY = Array.from({ length: ORDERS_A_NIGHT.free + 1 }, (_, i) => `M${i}`);
const closes: Readonly<Record<string, readonly number[]>> = {
  SPY: [100, 110, 120],
  TLT: [50, 50, 50],
  ...Object.fromEntries(MANY.map((ticker) => [ticker, [10, 10, 10]])),
};
const marketData = {
  current: async () => ({ version: `v${world.known}`, lastDay: DAYS[world.known - 1] }) as DataSetManifest,
  load: async (_: string, tickers: readonly string[]) =>
    new Map(
      tickers.flatMap((ticker): [string, PriceSeries][] => {
        const of = closes[ticker]?.slice(0, world.known);
        if (!of) return [];
        const days = Int32Array.from(DAYS.slice(0, world.known).map(dayNumber));
        return [[ticker, { ticker, days, closes: Float64Array.from(of) }]];
      }),
    ),
} as Partial<MarketData> as MarketData;

/** Starts an API with prices of three days and a stand-in of Alpaca before each test. */
export function usePaperWorld(): void {
  beforeEach(async () => {
    Object.assign(world, { known: 1, around: (broker: PaperBroker) => broker });
    placing = [];
    server = await AlpacaStandIn.start();
    const holder: { brokers?: PaperBrokers } = {};
    const paperBrokers: PaperBrokers = {
      hasAlpaca: true,
      seal: (...parts) => holder.brokers?.seal(...parts) ?? '',
      open: (account) => {
        if (!holder.brokers) throw new Error('Too early');
        return holder.brokers.open(account);
      },
    };
    api = await startTestApi({ marketData, paperBrokers });
    // On the evening of the first day: the close is over, and in New York it is half past six.
    setTime(`${DAYS[0]}T23:30:00Z`);
    holder.brokers = createPaperBrokers({
      eventStore: api.deps.eventStore,
      marketData,
      clock: api.deps.clock,
      secretKey: '12'.repeat(32),
      alpacaUrl: server.url,
    });
  });
  afterEach(async () => {
    for (const one of placing) await one.close();
    await api.close();
    await server.stop();
  });
}

export const setTime = (at: string) => api.advance(Date.parse(at) - api.deps.clock.now().getTime());
export const call = async (
  method: 'GET' | 'POST' | 'DELETE',
  path = '',
  body?: object,
  caller: 'paid' | 'free' = 'paid',
) => {
  const { statusCode, body: text } = await api.call(caller, method, PATH + path, body);
  return { status: statusCode, body: JSON.parse(text), text };
};
export const account = async () => (await call('GET')).body.account;
const caughtUp = async () =>
  expect(await api.projectors.whenReached(await api.deps.eventStore.head(), { timeoutMs: 60_000 })).toBe(
    true,
  );

export async function createStrategy(caller: 'paid' | 'free' = 'paid'): Promise<string> {
  const algorithm = STARTERS[0]?.build(ulid);
  const { body } = await api.call(caller, 'POST', '/api/v1/trading-bots', {
    name: 'One',
    is_public: false,
    algorithm,
  });
  const { id } = JSON.parse(body);
  await api.call(caller, 'POST', `/api/v1/trading-bots/${id}/follow`, {});
  return id;
}

export async function decide(
  strategyId: string,
  day: string,
  weights: Record<string, number>,
  turnover?: number,
): Promise<void> {
  const decided = {
    ...(turnover !== undefined && { turnover }),
    strategyId,
    revision: 0,
    day,
    runFrom: '2025-01-02',
    dataVersion: 'v',
    engineVersion: '1',
    isSimulated: false,
    weights,
    conditions: [],
    branches: [],
    closes: {},
  };
  await handleCommand(
    api.deps.eventStore,
    decisionStream,
    decisionId(decided),
    { type: 'MakeDecision', decided, isLate: false },
    {
      commandId: evaluationId(decided),
      correlationId: 'test',
      actor: { kind: 'system', name: 'nightly' },
      now: `${day}T23:40:00Z`,
    },
  );
  await caughtUp();
}

/** One look by processes of which none knows of the other. */
export async function look(processes = 1): Promise<void> {
  await caughtUp();
  const brokers = {
    open: (of: Parameters<PaperBrokers['open']>[0]) => world.around(api.deps.paperBrokers.open(of)),
  };
  const { eventStore, readModels, clock } = api.deps;
  const deps = { eventStore, readModels, marketData, brokers, clock, log: NO_LOG, lookEveryMs: 1e9 };
  const started: PlacingBaskets[] = [];
  for (let i = 0; i < processes; i++) started.push(await startPlacingBaskets(deps));
  placing.push(...started);
  await Promise.all(started.map((one) => one.pass()));
  for (const one of started) await one.close();
  await caughtUp();
}
