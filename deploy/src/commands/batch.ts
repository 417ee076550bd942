import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { RowBlockHash } from '@quantloom/adapters/result-store/row-hash';
import { type BatchPlan, planBatch } from '@quantloom/compute/engine/batch/compile/batch-plan';
import { tickersOf } from '@quantloom/compute/engine/model/tickers';
import { createWorkerPool } from '@quantloom/compute/pool/worker-pool';
import { type BatchDraft, readBatchRequest } from '@quantloom/domain/batch/request';
import { resultHash } from '@quantloom/domain/batch/result-hash';
import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { type BatchRequestBody, EstimateBody } from '@quantloom/domain/contracts/http/batches';
import { closed } from '@quantloom/domain/contracts/http/closed-body';
import { MORE_COLUMNS, type MoreColumn, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { FEATURES } from '@quantloom/domain/identity/plans';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { Command, InvalidArgumentError } from 'commander';
import { BatchCsv } from './batch-csv.ts';
import { checkOutput } from './output-file.ts';
import { collect, loadPrices, type MarketDataFactory, openDataFolder, today } from './price-source.ts';
import { progressBar } from './progress-bar.ts';
import { readRequest } from './request-file.ts';

/** A misspelled field is refused, as over HTTP. */
const CLOSED_BODY = closed(EstimateBody);

interface BatchOptions {
  readonly prices: readonly string[];
  readonly out?: string;
  readonly failures?: string;
  readonly threads: number;
  readonly moreColumns: readonly MoreColumn[];
}

const CACHE_BYTES = 1 << 30;

/** `quantloom batch batch.json`: runs every combination on all cores and writes the rows as CSV. */
export function batchCommand(openMarketData: MarketDataFactory = openDataFolder): Command {
  return new Command('batch')
    .description('run a batch and write one CSV row per combination')
    .argument('<request>', 'JSON file with the request, or with a member "request"; "-" reads standard input')
    .option(
      '--prices <file>',
      'CSV or CSV.gz file with date,ticker,adj_close instead of the data folder (repeatable)',
      collect,
      [],
    )
    .option(
      '--out <file>',
      'write the CSV here instead of to standard output; it appears when it is complete',
    )
    .option(
      '--failures <file>',
      'write combination number → reason of the combinations that cannot run, as JSON',
    )
    .option(
      '--more-columns <names>',
      `columns after the visible ones: ${MORE_COLUMNS.join()}`,
      moreColumns,
      [],
    )
    .option('--threads <number>', 'worker threads', positive, availableParallelism())
    .action(async (file: string, options: BatchOptions) => {
      if (options.out !== undefined) await checkOutput('--out', options.out);
      if (options.failures !== undefined) await checkOutput('--failures', options.failures);
      const body = await readRequest<BatchRequestBody>(file, CLOSED_BODY);
      const draft = readBatchRequest(body, { today: today(), features: FEATURES, failsRows: true });
      if (isRefusal(draft)) throw new RefusalError(draft);
      const request = batchOf(body, draft, options.prices.length > 0);
      const tickers = tickersOf(request.template_bot.algorithm, request.variables, request.backtest_config);
      const { prices, provenance } = await loadPrices(tickers, options.prices, openMarketData);
      const plan = planBatch(request, prices, { today: today() });
      const started = performance.now();
      const { failures, rows } = await writeRows(options, (out) =>
        runBatch(request, prices, plan, options, out),
      );
      if (options.failures !== undefined)
        await writeFile(options.failures, `${JSON.stringify(Object.fromEntries(failures), null, 1)}\n`);
      const seconds = (performance.now() - started) / 1000;
      const rate = Math.round(plan.combinations / seconds).toLocaleString('en');
      process.stderr.write(
        `${plan.combinations} combinations in ${seconds.toFixed(2)} s (${rate} per second), ` +
          `${failures.size} could not run\n`,
      );
      const [first] = failures;
      if (first)
        process.stderr.write(`combination ${first[0]}: ${first[1]} (--failures writes all reasons)\n`);
      // As an installation shows it with the batch, where the prices are those of a data folder.
      const dataVersion = provenance?.data_version ?? 'price files';
      const versions = { engineVersion: ENGINE_VERSION, dataVersion };
      process.stderr.write(`result hash ${resultHash({ ...versions, variables: plan.variables, rows })}\n`);
    });
}

/** What the engine runs. The data folder spells tickers as the APIs do, price files as they please. */
function batchOf(
  body: BatchRequestBody,
  { template, variables, config }: BatchDraft,
  asWritten: boolean,
): BatchRequest {
  const { cash } = config;
  return {
    template_bot: template,
    variables: asWritten
      ? body.variables
      : Object.fromEntries(variables.map(({ name, values }) => [name, values])),
    backtest_config: asWritten
      ? {
          ...config,
          benchmark_ticker: body.backtest_config.benchmark_ticker?.trim() || config.benchmark_ticker,
          ...(cash && { cash: 'ticker' in cash ? { ticker: cashAsWritten(body) ?? cash.ticker } : cash }),
        }
      : config,
  };
}

function cashAsWritten({ backtest_config: { cash } }: BatchRequestBody): string | undefined {
  return cash?.ticker?.trim();
}

function moreColumns(value: string): MoreColumn[] {
  const names = value.split(',').map((text) => {
    const name = MORE_COLUMNS.find((column) => column === text.trim());
    if (name === undefined) throw new InvalidArgumentError(`expected some of ${MORE_COLUMNS.join()}`);
    return name;
  });
  return [...new Set(names)];
}

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('expected a whole number from 1');
  return number;
}

/** Opens the output, and moves a file into place only when it is whole. */
async function writeRows<T>({ out }: BatchOptions, write: (stream: Writable) => Promise<T>): Promise<T> {
  if (out === undefined) return write(process.stdout);
  const partial = `${out}.partial`;
  const stream = createWriteStream(partial);
  try {
    const result = await write(stream);
    stream.end();
    await finished(stream);
    await rename(partial, out);
    return result;
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

async function runBatch(
  batch: BatchRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  plan: BatchPlan,
  { threads, moreColumns }: Pick<BatchOptions, 'threads' | 'moreColumns'>,
  out: Writable,
): Promise<{ readonly failures: Map<number, string>; readonly rows: string }> {
  const hash = new RowBlockHash();
  const failures = new Map<number, string>();
  const pool = createWorkerPool({ threads, cacheBytes: CACHE_BYTES });
  const bar = progressBar();
  const failed = new AbortController();
  const onError = (error: Error) => failed.abort(error);
  out.once('error', onError);
  try {
    const csv = new BatchCsv(plan, moreColumns);
    await write(out, csv.header);
    const input = {
      batch,
      prices,
      today: today(),
      from: 0,
      count: plan.combinations,
      batchId: '',
      owner: '',
    };
    const store = async (block: ResultBlock) => {
      for (const { combination, reason } of block.failures) failures.set(combination, reason);
      hash.update(block);
      await write(out, csv.lines(block));
    };
    await pool.runBatchRange(input, store, {
      signal: failed.signal,
      onProgress: (done) =>
        bar.update('Backtests', done / plan.combinations, `${done} of ${plan.combinations}`),
    });
    return { failures, rows: hash.digest() };
  } finally {
    bar.stop();
    out.removeListener('error', onError);
    await pool.close();
  }
}

/** Writes and waits while the other side is slower than the engine. */
async function write(out: Writable, text: string): Promise<void> {
  if (out.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      out.removeListener('drain', settle);
      out.removeListener('error', settle);
      out.removeListener('close', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    out.once('drain', settle);
    out.once('error', settle);
    out.once('close', settle);
  });
}
