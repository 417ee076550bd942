import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import { openProvider } from '@quantloom/adapters/market-data/providers/open-provider';
import { FakeProviderServer } from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import type { DecisionMade } from '@quantloom/domain/forward-test/decision';
import { derivedId } from '@quantloom/domain/kernel/ids';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Random } from '../cluster/random.ts';
import { expectedHooks, faultsOf, hookFaults } from './faults.ts';
import type { Night } from './product.ts';
import { Product } from './product-process.ts';
import { strategyOf, TICKERS } from './strategies.ts';
import { HookReceiver, nightOf, openLog, realPrices, type World, writeLog } from './world.ts';

export interface YearOptions {
  readonly strategies: number;
  readonly nights: number;
  /** How often the product is killed, on nights and at moments drawn by chance. */
  readonly kills: number;
  /** Nights in a row, in the middle, on which the product does not run. */
  readonly missed: number;
  readonly random: Random;
  readonly onNight?: (told: string) => void;
}

export interface YearReport {
  readonly decisions: number;
  readonly late: number;
  readonly kills: number;
  readonly secondsOfNights: number;
  readonly longestNightSeconds: number;
  /** Everything that should not be; empty where all is well. */
  readonly faults: readonly string[];
  readonly delivered: number;
  /** Messages that came a second time under the same id: the process was killed before it could note the first. */
  readonly repeated: number;
}

/** Reads the decisions of the log as they come. */
class Decisions {
  readonly all: DecisionMade['data'][] = [];
  #after = -1n;
  readonly #eventStore: EventStore;

  constructor(eventStore: EventStore) {
    this.#eventStore = eventStore;
  }

  async of(day: string): Promise<number> {
    const types = { eventTypes: ['DecisionMade'] };
    for await (const event of this.#eventStore.readAll(this.#after, { filter: types })) {
      this.all.push(event.data as DecisionMade['data']);
      this.#after = event.position;
    }
    return this.all.reduce((sum, one) => sum + (one.day === day ? 1 : 0), 0);
  }
}

/** Without a further decision, or a further message. */
const PATIENCE_MS = 300_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Feeds real prices to the product day by day, through a provider and the product's own refresh, and kills it
 * again and again; then computes every decision once more by a backtest that ends on its day, and compares
 * what was sent with what should have been.
 */
export async function liveThrough(options: YearOptions): Promise<YearReport> {
  const real = realPrices();
  const days = (real.get(TICKERS[0]) ?? []).map(({ date }) => date);
  const first = days.length - options.nights;
  const strategies = new Map(
    Array.from({ length: options.strategies }, (_, index) => [
      derivedId(1e12, 'strategy', String(index)),
      strategyOf(index),
    ]),
  );
  const world: World = {
    dataDir: await mkdtemp(path.join(tmpdir(), 'year-of-nights-')),
    provider: await FakeProviderServer.start(),
    hooks: await new HookReceiver().start(),
    real,
    days,
    strategies,
    first,
  };
  try {
    await prepare(world);
    const lived = await liveNights(world, options);
    const faults = [
      ...lived.faults,
      ...(await faultsOf(world, lived.decisions)),
      ...hookFaults(world, lived),
    ];
    const repeated = [...world.hooks.came.values()].reduce((sum, times) => sum + times - 1, 0);
    return {
      decisions: lived.decisions.length,
      late: lived.decisions.filter(({ isLate }) => isLate).length,
      kills: lived.kills,
      secondsOfNights: lived.seconds.reduce((sum, one) => sum + one, 0),
      longestNightSeconds: Math.max(...lived.seconds),
      faults,
      delivered: world.hooks.came.size,
      repeated,
    };
  } finally {
    world.hooks.stop();
    await world.provider.stop();
    await rm(world.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function prepare(world: World): Promise<void> {
  const { dataDir, provider, real, first, days } = world;
  for (const [ticker, bars] of real)
    provider.prices.set(
      ticker,
      bars.slice(0, first).map((bar) => ({ ...bar })),
    );
  const now = new Date(nightOf(days[first - 1] ?? ''));
  const key = { TIINGO_API_KEY: provider.key, TIINGO_URL: provider.url };
  await fetchPrices({ dataDir, provider: openProvider('tiingo', key), tickers: [...TICKERS], now });
  await writeLog(world);
}

async function liveNights(world: World, { nights, kills, missed, random, onNight, strategies }: YearOptions) {
  const { dataDir, provider, real, days, first } = world;
  const killed = new Map<number, number>();
  for (let i = 0; i < kills; i++) {
    const at = Math.floor(random.next() * nights);
    killed.set(at, (killed.get(at) ?? 0) + 1);
  }
  /** Kills that a night, or one that was missed, left over for the next. */
  let left = 0;
  const product = new Product({
    ...process.env,
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    WEB_PAGES: 'off',
    COMPUTE_THREADS: '1',
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'true',
    MARKET_DATA_PROVIDER: 'tiingo',
    MARKET_DATA_REFRESH_AT: '23:30',
    TIINGO_API_KEY: provider.key,
    TIINGO_URL: provider.url,
  });
  const log = await openLog(dataDir);
  const decisions = new Decisions(log.eventStore);
  const faults: string[] = [];
  const seconds: number[] = [];
  let done = 0;
  let night: Night = { at: nightOf(days[first - 1] ?? ''), began: Date.now() };
  /** A night takes about as long as the one before. */
  let lastMs = 5_000;
  /** Until all have their decision of the day; kills on the way. */
  const liveUntil = async (day: string) => {
    const began = performance.now();
    let killAfter = random.next() * lastMs;
    if (!product.isAlive) await product.start(night);
    product.tell(night);
    let made = 0;
    let lastAt = began;
    while (made < strategies) {
      if (left > 0 && performance.now() - began > killAfter) {
        killAfter += random.next() * lastMs;
        left -= 1;
        done += 1;
        await product.kill();
      }
      if (performance.now() - lastAt > PATIENCE_MS) {
        faults.push(`${day}: only ${made} decisions\n${product.output.slice(-20).join('')}`);
        return;
      }
      if (!product.isAlive) {
        await product.start(night);
        product.tell(night);
      }
      await pause(50);
      const now = await decisions.of(day);
      if (now > made) lastAt = performance.now();
      made = now;
    }
    lastMs = performance.now() - began;
    seconds.push(lastMs / 1000);
  };
  try {
    await liveUntil(days[first - 1] ?? '');
    const missedFrom = Math.floor((nights - missed) / 2);
    for (let i = 0; i < nights && faults.length === 0; i++) {
      const day = days[first + i] ?? '';
      for (const [ticker, bars] of real) {
        const bar = bars[first + i];
        if (bar) provider.prices.get(ticker)?.push({ ...bar });
      }
      left += killed.get(i) ?? 0;
      const isMissed = missed > 0 && i >= missedFrom && i < missedFrom + missed;
      if (isMissed) {
        await product.stop();
        continue;
      }
      night = { at: nightOf(day), began: Date.now() };
      await liveUntil(day);
      onNight?.(`${day}: ${decisions.all.length} decisions, ${done} kills, ${(lastMs / 1000).toFixed(1)} s`);
    }
    await settle(world, decisions.all, product, night);
  } finally {
    await product.stop();
    await log.close();
  }
  return { decisions: decisions.all, kills: done, seconds, faults };
}

/** Waits until nothing is left to be sent. */
async function settle(
  world: World,
  decisions: readonly DecisionMade['data'][],
  product: Product,
  night: Night,
) {
  let lastAt = performance.now();
  let came = 0;
  const isOpen = () =>
    [...expectedHooks(world, decisions)].some(([id, isLate]) => !isLate && !world.hooks.came.has(id));
  if (!product.isAlive) await product.start(night);
  while (isOpen() && performance.now() - lastAt < PATIENCE_MS) {
    await pause(200);
    if (world.hooks.came.size > came) lastAt = performance.now();
    came = world.hooks.came.size;
  }
}
