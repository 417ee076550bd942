import { hkdfSync } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type MarketDataFiles,
  openMarketDataFiles,
} from '@quantloom/adapters/market-data/files/market-data-files';
import { openUploads } from '@quantloom/adapters/market-data/uploads/uploads';
import type { CommandApiDeps } from '@quantloom/command-api/deps';
import { createAnswerComparison } from '@quantloom/compute/exchange/answer-comparison';
import { createWorkerPool, type WorkerPool } from '@quantloom/compute/pool/worker-pool';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import type { StoringCost } from '@quantloom/compute/runner/storing-cost';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { Log } from '@quantloom/domain/ports/log';
import { meteredEventStore, meteredReadModels } from '@quantloom/http/reading-cost';
import type { Consistency } from '@quantloom/query-api/consistency';
import type { QueryApiDeps } from '@quantloom/query-api/query-api-deps';
import { ulid } from 'ulid';
import type { Config } from '../config.ts';
import { changedResultsProgram } from '../market-data/changed-results-program.ts';
import { openBilling } from './billing.ts';
import type { OpenIdentity } from './identity.ts';
import { openWebhooks } from './messages.ts';
import type { ProcessOutages } from './outages.ts';
import { openPaperBrokers } from './paper-brokers.ts';
import type { Stores } from './stores.ts';

const MIB = 1024 * 1024;

/** The one clock of a process. */
export const systemClock = { now: () => new Date() };

/** Random ids of commands and things. */
export const newId = (): string => ulid();

/** Unique among the running processes, readable for people. */
export function nodeName(): string {
  return `${hostname()}-${process.pid}`;
}

/**
 * How the memory for prices is shared out: what is kept for later, what single runs hold, what batches have
 * at hand, and what verdicts take.
 */
export function priceBytesOf({ MARKET_DATA_CACHE_MB }: Pick<Config, 'MARKET_DATA_CACHE_MB'>) {
  const all = MARKET_DATA_CACHE_MB * MIB;
  return { cache: all / 2, runs: all / 4, batches: all / 8, verdicts: all / 8 };
}

/** The column files in the data folder, which all processes read. */
export function openMarketData(config: Config) {
  return openMarketDataFiles({ dataDir: config.DATA_DIR, cacheBytes: priceBytesOf(config).cache });
}

/**
 * The worker threads of this process, running the product's own program unless a test brings another. That
 * none of them starts is told as an outage: what needs one waits, or is asked to come back, until one starts.
 */
export function openWorkerPool(
  config: Pick<Config, 'COMPUTE_THREADS' | 'COMPUTE_CACHE_MB'>,
  {
    outages,
    log,
    onFault,
    workerFile,
  }: {
    readonly outages: ProcessOutages;
    readonly log: Log;
    /** No thread starts: for a process that is of no use then. */
    readonly onFault?: (fault: Error) => void;
    readonly workerFile?: URL | undefined;
  },
): WorkerPool {
  let current: Error | null = null;
  const check = async () => {
    if (current !== null) throw current;
  };
  const breaker = outages.breaker('threads', { check, close: async () => {} }, () => false);
  return createWorkerPool({
    threads: config.COMPUTE_THREADS,
    cacheBytes: config.COMPUTE_CACHE_MB * MIB * config.COMPUTE_THREADS,
    log,
    onFault: (fault) => {
      current = fault;
      void breaker.probe();
      if (fault !== null) onFault?.(fault);
    },
    ...(workerFile && { workerFile }),
  });
}

/** Everything that the routes of both APIs are built from. */
export function apiDeps(parts: {
  readonly config: Config;
  readonly secretKey: string;
  readonly stores: Stores;
  readonly issuer: OpenIdentity;
  readonly marketData: MarketDataFiles;
  readonly pool: WorkerPool;
  readonly consistency: Consistency;
  /** What the compute node of this process learns about storing, where it has one. */
  readonly storing?: StoringCost;
}): CommandApiDeps & QueryApiDeps {
  const { config, stores, issuer, marketData, pool, storing } = parts;
  const { eventStore, results, rateLimits, bus } = stores;
  const deps = {
    eventStore: meteredEventStore(eventStore),
    readModels: meteredReadModels(stores.readModels),
    clock: systemClock,
    newId,
    stateCache: new StateCache(1_000),
    identity: issuer.identity,
    webhooks: openWebhooks(config, parts.secretKey),
    paperBrokers: openPaperBrokers(config, parts.secretKey, { eventStore, marketData, clock: systemClock }),
    billing: openBilling(config),
    marketData,
    marketDataImports: openUploads({
      dataDir: config.DATA_DIR,
      marketData,
      resultsProgram: changedResultsProgram(config),
    }),
    rateLimits,
    firstAccountIsAdministrator: issuer.isOwn,
    waitlistPerDay: config.WAITLIST_PER_DAY,
    sharingNeedsConfirmedAddress: config.SHARING_NEEDS_CONFIRMED_ADDRESS,
    administratorsNeedSecondFactor: config.ADMINISTRATORS_NEED_SECOND_FACTOR,
    backtestRunner: createBacktestRunner({
      pool,
      marketData,
      clock: systemClock,
      priceBytes: priceBytesOf(config).runs,
      ...(storing && { storing }),
    }),
    answerComparison: createAnswerComparison(marketData),
    bus,
    outages: stores.outages,
    resultStore: results,
    linkSecret: new Uint8Array(
      hkdfSync('sha256', Buffer.from(parts.secretKey, 'hex'), '', 'quantloom result links', 32),
    ),
    publicOrigin: config.publicUrl,
    consistency: parts.consistency,
  };
  return deps;
}
