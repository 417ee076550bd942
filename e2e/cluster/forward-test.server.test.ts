import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import { openProvider } from '@quantloom/adapters/market-data/providers/open-provider';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { FakeProviderServer } from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import type { DecisionMade } from '@quantloom/domain/forward-test/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../forward-test/faults.ts';
import { strategyOf, TICKERS } from '../forward-test/strategies.ts';
import { HookReceiver, nightOf, realPrices, type World } from '../forward-test/world.ts';
import { until } from '../harness/api.ts';
import { missingServers, startCluster } from './cluster-under-test.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import { Random } from './random.ts';
import { Workload } from './workload.ts';

const STRATEGIES = 10;
const NIGHTS = 6;
/** Who is killed in the middle of the nights, one after the other. */
const KILLED = ['compute-1', 'projectors-1', 'compute-2', 'projectors-2', 'command-api-1'] as const;
const NIGHT_MS = 120_000;

describe.skipIf(missingServers.length > 0)(
  `nights of followed strategies in a cluster (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    let cluster: ProductUnderTest;
    let provider: FakeProviderServer;
    let world: World;
    const hooks = new HookReceiver();
    const random = new Random(23);

    /** Prices of one more day, as the refresh of a night brings them. */
    const refresh = async (night: number) => {
      const { real, days, first, dataDir } = world;
      for (const [ticker, bars] of real)
        provider.prices.set(
          ticker,
          bars.slice(0, first + night).map((bar) => ({ ...bar })),
        );
      const key = { TIINGO_API_KEY: provider.key, TIINGO_URL: provider.url };
      const now = new Date(nightOf(days[first + night - 1] ?? ''));
      await fetchPrices({ dataDir, provider: openProvider('tiingo', key), tickers: [...TICKERS], now });
    };
    const decisions = async () => {
      const database = openSqliteDatabase(path.join(world.dataDir, 'quantloom.sqlite'));
      const eventStore = openSqliteEventStore(database);
      const found: DecisionMade['data'][] = [];
      for await (const { data } of eventStore.readAll(-1n, { filter: { eventTypes: ['DecisionMade'] } }))
        found.push(data as DecisionMade['data']);
      await eventStore.close();
      database.close();
      return found;
    };

    beforeAll(async () => {
      provider = await FakeProviderServer.start();
      const real = realPrices();
      const days = (real.get(TICKERS[0]) ?? []).map(({ date }) => date);
      const size = { commandApis: 1, queryApis: 1, projectors: 2, compute: 2 };
      const prepare = async (dataDir: string) => {
        const strategies = new Map<string, object>();
        world = { dataDir, provider, hooks, real, days, strategies, first: days.length - NIGHTS };
        await refresh(0);
      };
      cluster = await startCluster(size, { prepare });
    });
    afterAll(async () => {
      await cluster?.stop();
      await provider?.stop();
    });

    it('decides each day once, as the backtest that ends on it, whoever is killed', async () => {
      const workload = await Workload.open(cluster.url);
      const strategies = new Map<string, object>();
      for (let index = 0; index < STRATEGIES; index += 1) {
        const algorithm = strategyOf(index);
        const body = { name: `Followed ${index}`, is_public: false, status: 'draft', algorithm };
        const created = await workload.insist('POST', '/api/v1/trading-bots', body, `followed-${index}`);
        expect(created.status).toBe(201);
        const { id } = created.body;
        const follow = () => workload.insist('POST', `/api/v1/trading-bots/${id}/follow`, {});
        await until(follow, ({ status }) => status < 300, NIGHT_MS);
        // The tree as it was stored: reading it may have added what was left out. Read models that are a second
        // behind, on a machine with other work, do not know it yet.
        const read = () => workload.insist('GET', `/api/v1/trading-bots/${id}`);
        const { body: stored } = await until(read, ({ status }) => status === 200, NIGHT_MS);
        strategies.set(id, stored.algorithm);
      }
      world = { ...world, strategies };
      const decided = async (night: number) => {
        const day = world.days[world.first + night - 1];
        await until(decisions, (all) => all.filter((one) => one.day === day).length >= STRATEGIES, NIGHT_MS);
      };
      await decided(0);
      for (let night = 1; night <= NIGHTS; night += 1) {
        await refresh(night);
        const victim = KILLED[night - 1];
        // New prices are looked for every 15 seconds: somewhere before, in the middle of it, or behind.
        if (victim) setTimeout(() => cluster.kill(victim), random.between(5_000, 16_000));
        await decided(night);
        await cluster.whenReady();
      }
      expect(cluster.deaths).toBeGreaterThanOrEqual(KILLED.length - 1);
      expect(await faultsOf(world, await decisions())).toEqual([]);
    }, 900_000);
  },
);
