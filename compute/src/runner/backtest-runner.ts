import { createHash } from 'node:crypto';
import { blockRows, cutPartitions, MAX_PARTITION_ROWS } from '@quantloom/domain/batch/partitioning';
import type { BacktestAnswer, BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import {
  basesOf,
  basisByTicker,
  namedIndicatorPrices,
  type PriceBasis,
} from '@quantloom/domain/market-data/price-basis';
import { holdsSimulatedPrices } from '@quantloom/domain/market-data/simulated-prefix';
import type {
  AnswerForm,
  BacktestRunner,
  BatchEstimate,
  DailyRows,
  RunOptions,
  SmallBatch,
} from '@quantloom/domain/ports/backtest-runner';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { DataSetManifest, MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import type { RunRequest } from '@quantloom/domain/strategy/written-tree';
import { LRUCache } from 'lru-cache';
import { type BatchPlan, planBatch } from '../engine/batch/compile/batch-plan.ts';
import { tickersOf } from '../engine/model/tickers.ts';
import { LONG_TASK_MS } from '../pool/jobs.ts';
import { isTookTooLong, waitedTooLong } from '../pool/pool-errors.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { type MeasuredBatch, measureBatch } from './measure-batch.ts';
import { PriceMemory } from './price-memory.ts';
import { SharedWork } from './shared-work.ts';
import { runSmallBatch } from './small-batch.ts';
import { StoringCost } from './storing-cost.ts';

export interface BacktestRunnerOptions {
  readonly pool: WorkerPool;
  readonly marketData: MarketData;
  readonly clock: Clock;
  /** Bytes of prices that single runs and estimates hold at the same time; default 128 MiB. */
  readonly priceBytes?: number;
  /** What storing takes, learned where this process stores. */
  readonly storing?: StoringCost;
  /** How long an estimate or a small batch may take on the clock, waiting included, in milliseconds; default 60,000. */
  readonly patienceMs?: number;
}

/** A measurement is good for whoever changes costs, balance or name, and for creating what was estimated. */
const MEASUREMENTS_KEPT = 256;
/** Whoever waits longer for an estimate does not wait any more. */
const PATIENCE_MS = 60_000;
const MEASUREMENT_LASTS_MS = 10 * 60_000;
/** Whoever runs without a name shares the machine with the users as one party of his own. */
const NOBODY = 'nobody';
const DEFAULT_PRICE_BYTES = 128 * 1024 * 1024;
/** Days and prices of a ticker over forty years, and its column while a thread computes with it. */
const BYTES_OF_TICKER = 10_000 * (12 + 8);
/** What is charged at most for a run whose user has left. */
const LEFT_ALONE_MS = 2_000;
/** Users whose last run is remembered. */
const USERS_REMEMBERED = 10_000;

/** Runs single backtests and estimates on a worker pool, with the prices of a published data set. */
export function createBacktestRunner(options: BacktestRunnerOptions): BacktestRunner {
  return new PoolBacktestRunner(options);
}

class PoolBacktestRunner implements BacktestRunner {
  private readonly options: BacktestRunnerOptions;
  /** Published versions never change, so what is known of one stays true. */
  private readonly manifests = new Map<string, DataSetManifest>();
  private readonly measurements = new LRUCache<string, SharedWork<MeasuredBatch>>({
    max: MEASUREMENTS_KEPT,
    ttl: MEASUREMENT_LASTS_MS,
  });

  private readonly bases = new LRUCache<string, Promise<ReadonlyMap<string, PriceBasis>>>({ max: 4 });

  /** Milliseconds that each user's last run took. */
  private readonly slowness = new LRUCache<string, number>({ max: USERS_REMEMBERED });

  private readonly memory: PriceMemory;

  constructor(options: BacktestRunnerOptions) {
    this.options = options;
    this.memory = new PriceMemory(options.priceBytes ?? DEFAULT_PRICE_BYTES);
  }

  async run(request: BacktestRequest, options: RunOptions = {}): Promise<BacktestAnswer> {
    // Columns change threads without being copied, and are read faster than a copy would be made.
    return decodeColumns(await this.runAs('columns', request, options));
  }

  async runAs(
    form: AnswerForm,
    request: RunRequest,
    options: RunOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { dataVersion, signal, owner = NOBODY } = options;
    const manifest = await this.manifest(dataVersion);
    const tickers = tickersOf(request.trading_bot, {}, request);
    const giveBack = await this.memory.take(owner, tickers.length * BYTES_OF_TICKER, signal);
    try {
      return await this.runWith(form, request, manifest, tickers, options);
    } finally {
      giveBack();
    }
  }

  private async runWith(
    form: AnswerForm,
    request: RunRequest,
    manifest: DataSetManifest,
    tickers: readonly string[],
    options: RunOptions,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { signal, owner = NOBODY, expectedMs = 0, deadlineMs, onSpent, onFigures, onHashes } = options;
    const prices = await this.options.marketData.load(manifest.version, tickers);
    signal?.throwIfAborted();
    const price_basis = basesOf(await this.basesIn(manifest.version), prices.values());
    const provenance = {
      data_version: manifest.version,
      engine_version: ENGINE_VERSION,
      is_simulated: holdsSimulatedPrices(manifest, tickers),
      ...(price_basis.length > 0 && { price_basis }),
      ...namedIndicatorPrices(request.indicator_prices),
    };
    const startedAt = performance.now();
    let spent: number | undefined;
    const input = {
      request,
      prices,
      today: this.today(),
      knowsHolidays: options.knowsHolidays,
      owner,
      form,
      provenance,
      madeBy: options.madeBy,
      // Whose last run took longer than was foretold is taken at his word the next time.
      expectedMs: Math.max(expectedMs, this.slowness.get(owner) ?? 0),
      deadlineMs,
      onFigures,
      onHashes,
      onSpent: (milliseconds: number) => {
        spent = milliseconds;
      },
    };
    try {
      return await this.options.pool.runBacktest(input, { signal });
    } catch (error) {
      if (isTookTooLong(error)) spent = deadlineMs;
      // A thread goes on for a while with what nobody waits for any more.
      else if (signal?.aborted) onSpent?.(Math.min(performance.now() - startedAt, LEFT_ALONE_MS));
      throw error;
    } finally {
      if (spent !== undefined) {
        this.slowness.set(owner, spent);
        onSpent?.(spent);
      }
    }
  }

  /** What the prices of a version are adjusted for, looked up once. */
  private basesIn(version: string): Promise<ReadonlyMap<string, PriceBasis>> {
    const known = this.bases.get(version);
    if (known) return known;
    const reading = this.options.marketData.assets(version).then(basisByTicker);
    this.bases.set(version, reading);
    reading.catch(() => this.bases.delete(version));
    return reading;
  }

  async estimate(batch: BatchRequest, options: RunOptions = {}): Promise<BatchEstimate> {
    const { version } = await this.manifest(options.dataVersion);
    return this.withPrices(batch, version, options, (prices) =>
      this.estimateWith(batch, version, prices, options),
    );
  }

  /** Does something with the prices of all tickers of a batch, and gives their room back then. */
  private async withPrices<T>(
    batch: BatchRequest,
    version: string,
    { signal, owner = NOBODY }: RunOptions,
    work: (prices: ReadonlyMap<string, PriceSeries>) => Promise<T>,
  ): Promise<T> {
    // Batches come from outside: the plan checks their shape, here it may still be anything.
    const tickers = tickersOf(batch.template_bot?.algorithm, batch.variables, batch.backtest_config ?? {});
    const giveBack = await this.memory.take(owner, tickers.length * BYTES_OF_TICKER, signal);
    try {
      return await work(await this.options.marketData.load(version, tickers));
    } finally {
      giveBack();
    }
  }

  private async estimateWith(
    batch: BatchRequest,
    version: string,
    prices: ReadonlyMap<string, PriceSeries>,
    { signal, owner = NOBODY, expectedMs = 0, deadlineMs }: RunOptions,
  ): Promise<BatchEstimate> {
    const today = this.today();
    const plan = planBatch(batch, prices, { today });
    const patience = this.patience(signal);
    const wanted = { batch, plan, version, owner, expectedMs, deadlineMs };
    const measured = this.measure(wanted, patience.signal).finally(patience.end);
    const { cpuSeconds, processors, share, spentMs } = await measured;
    const { storing = new StoringCost(false) } = this.options;
    const work = storing.secondsWith(plan.combinations, cpuSeconds, processors, share);
    const fixedSeconds = storing.secondsPerBatch;
    const threads = Math.min(this.options.pool.threads, plan.combinations);
    const workSeconds = storing.workSeconds(plan.combinations, cpuSeconds, threads);
    return {
      requestedCombinations: plan.requestedCombinations,
      combinations: plan.combinations,
      seconds: work + fixedSeconds,
      fixedSeconds,
      workSeconds,
      partitions: cutPartitions(plan.combinations, workSeconds).partitions,
      dataVersion: version,
      spentMs,
    };
  }

  async rows(
    batch: BatchRequest,
    { dataVersion, signal, owner = NOBODY, deadlineMs, onSpent }: RunOptions = {},
  ): Promise<SmallBatch> {
    const { version } = await this.manifest(dataVersion);
    const tickers = tickersOf(batch.template_bot.algorithm, batch.variables, batch.backtest_config);
    const giveBack = await this.memory.take(owner, tickers.length * BYTES_OF_TICKER, signal);
    const startedAt = performance.now();
    const patience = this.patience(signal);
    let spentSoFar = 0;
    try {
      const prices = await this.options.marketData.load(version, tickers);
      const input = { batch, prices, today: this.today(), owner, deadlineMs };
      const { rows, spent } = await runSmallBatch(this.options.pool, input, {
        signal: patience.signal,
        onSpent: ({ cpuMilliseconds }) => {
          spentSoFar = cpuMilliseconds;
        },
      });
      onSpent?.(spent.cpuMilliseconds);
      return { dataVersion: version, rows };
    } catch (error) {
      // What was computed until then is paid for, and as much of the time as threads may go on with what
      // nobody waits for.
      const atHand = Math.min(performance.now() - startedAt, LEFT_ALONE_MS);
      onSpent?.(isTookTooLong(error) ? (deadlineMs ?? spentSoFar) : spentSoFar + atHand);
      throw error;
    } finally {
      patience.end();
      giveBack();
    }
  }

  async dailyRows(
    batch: BatchRequest,
    combinations: readonly number[],
    onRows: (rows: DailyRows) => void,
    options: RunOptions = {},
  ): Promise<void> {
    const { dataVersion, signal, owner = NOBODY, expectedMs, deadlineMs } = options;
    const { version } = await this.manifest(dataVersion);
    await this.withPrices(batch, version, options, (prices) => {
      const input = { batch, prices, today: this.today(), owner, combinations, expectedMs, deadlineMs };
      return this.options.pool.runDaily(input, onRows, { signal });
    });
  }

  /**
   * A signal for what somebody waits for: it fires when he leaves, or has waited for so long that he should
   * be told to come back.
   */
  private patience(signal: AbortSignal | undefined): {
    readonly signal: AbortSignal;
    readonly end: () => void;
  } {
    const waited = new AbortController();
    const timer = setTimeout(
      () => waited.abort(waitedTooLong()),
      this.options.patienceMs ?? PATIENCE_MS,
    ).unref();
    return {
      signal: signal ? AbortSignal.any([signal, waited.signal]) : waited.signal,
      end: () => clearTimeout(timer),
    };
  }

  /** A batch is measured once, whatever its costs, balance and name are: they make no difference. */
  private measure(
    wanted: {
      readonly batch: BatchRequest;
      readonly plan: BatchPlan;
      readonly version: string;
      readonly owner: string;
      readonly expectedMs: number;
      readonly deadlineMs: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<MeasuredBatch> {
    const { batch, plan, version, owner, expectedMs, deadlineMs } = wanted;
    const { start_date, end_date, benchmark_ticker, fill, both_fills, cash, indicator_prices } =
      batch.backtest_config;
    const settings = [start_date, end_date, benchmark_ticker, fill, both_fills, cash, indicator_prices];
    const same = [version, plan.algorithm, plan.variables, deadlineMs ?? null, ...settings];
    const key = createHash('sha1').update(JSON.stringify(same)).digest('base64');
    const known = this.measurements.get(key);
    // Measuring was paid for the first time.
    if (known !== undefined) return known.wait(signal).then((measured) => ({ ...measured, spentMs: 0 }));
    const input = { batch, prices: plan.prices, today: this.today(), batchId: '', owner };
    const taskRows = blockRows(Math.min(plan.combinations, MAX_PARTITION_ROWS));
    const isLong = expectedMs > LONG_TASK_MS;
    const measuring = new SharedWork((ended) =>
      measureBatch(this.options.pool, input, plan, { taskRows, isLong, deadlineMs, signal: ended }),
    );
    this.measurements.set(key, measuring);
    measuring.onFailure(() => {
      if (this.measurements.get(key) === measuring) this.measurements.delete(key);
    });
    return measuring.wait(signal);
  }

  private async manifest(version: string | undefined): Promise<DataSetManifest> {
    const { marketData } = this.options;
    if (version === undefined) return marketData.current();
    let manifest = this.manifests.get(version);
    if (manifest === undefined) {
      manifest = (await marketData.versions()).find((published) => published.version === version);
      if (manifest === undefined) throw new UnknownDataVersionError(version);
      this.manifests.set(version, manifest);
    }
    return manifest;
  }

  private today(): string {
    return exchangeDay(this.options.clock.now());
  }
}

/** The data-set version a request was made with is not there any more. */
export class UnknownDataVersionError extends Error {
  readonly code = 'unknown_version';
  constructor(version: string) {
    super(`There is no data set of version ${version}`);
    this.name = 'UnknownDataVersionError';
  }
}
