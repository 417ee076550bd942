import type { BacktestConfig } from '../contracts/backtest.ts';
import type { BatchDetail, BatchListItem, BatchProgress } from '../contracts/http/batches.ts';
import { indicatorPricesInWords, namedIndicatorPrices } from '../market-data/price-basis.ts';
import {
  DEFAULT_BENCHMARK,
  DEFAULT_SLIPPAGE_BPS,
  DEFAULT_STARTING_BALANCE,
} from '../strategy/backtest-terms.ts';
import { cashInWords } from '../strategy/run-settings.ts';
import type { BatchSummary } from './events.ts';
import { batchHoldOut } from './hold-out.ts';
import type { BatchDefinitionDocument, BatchDocument, BatchProgressDocument } from './projections.ts';

/** A node that said nothing for this long is not shown as working. */
export const NODE_SILENCE_SECONDS = 15;

/** One sentence on when trades are filled; stands on every page that shows results. */
export const FILLS_SENTENCE =
  'Every decision uses closing prices up to and including its day and is traded at that same ' +
  'close, less slippage; dividends and splits are in the adjusted closes.';

/**
 * What a batch that failed says to its owner, or null. What depends on the owner's input fails rows; a batch
 * fails for a fault of ours, whose own words are for administrators.
 */
export function failureOf({ status }: Pick<BatchDocument, 'status'>): string | null {
  return status === 'Error'
    ? 'This batch backtest failed through a fault on our side, and the administrators have been ' +
        'told. It does not count against your quota: run it again whenever you like.'
    : null;
}

/** Whole percent of the partitions that are finished (`batches.md` section 4). */
export function progressPercent(partitions: number, open: number): number {
  return partitions <= 0 ? 0 : Math.round(((partitions - open) * 100) / partitions);
}

/** Names of the partitions that are open. */
export function jobNames(batch: Pick<BatchDocument, 'id' | 'openPartitions'>): string[] {
  return batch.openPartitions.map((partition) => `${batch.id}-${partition}`);
}

function sizeOf(batch: Pick<BatchDocument, 'combinations' | 'partitionSize'>, partition: number): number {
  const from = partition * batch.partitionSize;
  return Math.max(0, Math.min(batch.combinations, from + batch.partitionSize) - from);
}

/**
 * Live figures from the partitions that are open and what their nodes last said.
 *
 * @param now milliseconds since 1970
 */
export function progressOf(
  batch: Pick<BatchDocument, 'combinations' | 'partitionSize' | 'partitions' | 'openPartitions' | 'status'>,
  progress: Pick<BatchProgressDocument, 'running'> | null,
  now: number,
): BatchProgress {
  const isOpen = batch.status === 'Queued' || batch.status === 'Running' || batch.status === 'Error';
  const open = new Set(batch.openPartitions);
  let rows = batch.combinations;
  for (const partition of open) rows -= sizeOf(batch, partition);
  const nodes = new Map<string, { partitions: number[]; rate: number; at: string }>();
  for (const [key, { node, done, rate, at }] of Object.entries(progress?.running ?? {})) {
    const partition = Number(key);
    if (!isOpen || !open.has(partition)) continue;
    rows += Math.min(done, sizeOf(batch, partition));
    if (now - Date.parse(at) > NODE_SILENCE_SECONDS * 1_000) continue;
    const known = nodes.get(node) ?? { partitions: [], rate: 0, at };
    known.partitions.push(partition);
    known.rate += rate;
    if (at > known.at) known.at = at;
    nodes.set(node, known);
  }
  const rate = [...nodes.values()].reduce((sum, node) => sum + node.rate, 0);
  const isRunning = isOpen && rate > 0;
  return {
    percent: progressPercent(batch.partitions, batch.openPartitions.length),
    rows,
    rate: isRunning ? rate : null,
    remaining_seconds: isRunning ? Math.round((batch.combinations - rows) / rate) : null,
    nodes: [...nodes]
      .map(([node, { partitions, ...rest }]) => ({
        node,
        partitions: partitions.sort((a, b) => a - b),
        ...rest,
      }))
      .sort((a, b) => a.node.localeCompare(b.node)),
  };
}

/**
 * When trades are filled and, where there are such, what cash earned, what the columns of the other fill are
 * and which other closes decided.
 */
function fillsSentence({ fill, cash, both_fills: both, indicator_prices: prices }: BacktestConfig): string {
  const isNext = fill === 'next-close';
  const other = isNext ? 'at the same close' : 'at the next close';
  return [
    isNext ? NEXT_FILLS_SENTENCE : FILLS_SENTENCE,
    ...(cash ? [`Cash earns ${cashInWords(cash)}.`] : []),
    ...(both ? [`The columns of the other fill are of the same combinations, traded ${other}.`] : []),
    ...(prices && prices !== 'adjusted'
      ? [`Decisions were read from ${indicatorPricesInWords(prices)}; returns are those of adjusted closes.`]
      : []),
  ].join(' ');
}

/** The same where a batch is filled at the next close (`engine.md` section 13). */
export const NEXT_FILLS_SENTENCE =
  'Every decision uses closing prices up to and including its day and is traded at the close of ' +
  'the next trading day, less slippage; dividends and splits are in the adjusted closes.';

/** A row of the list. */
export function listItemOf(batch: BatchDocument): BatchListItem {
  const { id, name, status, combinations } = batch;
  const progress = progressPercent(batch.partitions, batch.openPartitions.length);
  return {
    id,
    name,
    is_public: batch.isPublic,
    created_at: batch.createdAt,
    status,
    combinations,
    progress,
  };
}

/** Why running a batch again today could give other rows. */
export function differencesToday(
  batch: Pick<BatchDocument, 'dataVersion' | 'engineVersion' | 'strategyRevision' | 'strategyId'>,
  today: {
    readonly dataVersion: string | null;
    readonly engineVersion: string;
    readonly strategyRevision: number | null;
    /** Tickers of the batch whose bars are others in the current version; null where that is not known. */
    readonly changedTickers?: readonly string[] | null;
  },
): string[] {
  const reasons: string[] = [];
  const { changedTickers = null } = today;
  if (today.dataVersion !== null && today.dataVersion !== batch.dataVersion && changedTickers?.length !== 0)
    reasons.push(
      changedTickers
        ? `The market data have changed for ${someOf(changedTickers)}: computed with ` +
            `${batch.dataVersion}, current is ${today.dataVersion}.`
        : 'The market data may have changed for this batch: it was computed with ' +
            `${batch.dataVersion}, current is ${today.dataVersion}, and the two could not be compared.`,
    );
  if (today.engineVersion !== batch.engineVersion)
    reasons.push(
      `The engine has changed: computed with version ${batch.engineVersion}, current is ${today.engineVersion}.`,
    );
  if (batch.strategyId !== null && batch.strategyRevision === null)
    reasons.push('The template had edits that were not saved when the batch was created.');
  else if (today.strategyRevision !== null && today.strategyRevision !== batch.strategyRevision)
    reasons.push(
      `The strategy was edited: revision ${batch.strategyRevision} was run, the current one is ` +
        `${today.strategyRevision}.`,
    );
  return reasons;
}

/** The first few of a list, and how many more there are. */
function someOf(tickers: readonly string[]): string {
  const shown = tickers.slice(0, 5).join(', ');
  return tickers.length > 5 ? `${shown} and ${tickers.length - 5} more` : shown;
}

/** The pinned rows in the record form. */
export const pinsOf = ({ pins }: Pick<BatchDocument, 'pins'>) =>
  pins.map(({ combination, note, pinnedAt }) => ({ combination, note, pinned_at: pinnedAt }));

/** The part that was locked away, and who has opened it. */
function outOfSampleOf(
  { outOfSampleOpened: opened }: BatchDocument,
  { out_of_sample_date: date }: BatchDefinitionDocument['backtestConfig'],
  viewerId: string,
): BatchDetail['out_of_sample'] {
  return date ? { date, opened: opened ? { at: opened.at, by_you: opened.by === viewerId } : null } : null;
}

/** The summary without a ranking over days that are locked away, as batches of before have it. */
function rankedSummary(
  summary: BatchSummary,
  { out_of_sample_date: date }: BatchDefinitionDocument['backtestConfig'],
): NonNullable<BatchDetail['summary']> {
  const { best, medians } = date && summary.part !== 'in_sample' ? { best: null, medians: {} } : summary;
  return {
    rows: summary.rows,
    failures: summary.failures,
    ...(summary.part && { part: summary.part }),
    best: best && {
      combination: best.combination,
      values: { ...best.values },
      metrics: { ...best.metrics },
    },
    medians: { ...medians },
  };
}

/** The whole detail, as `batches.md` names the fields. */
export function detailOf(
  batch: BatchDocument,
  definition: BatchDefinitionDocument,
  progress: BatchProgress,
  viewer: { readonly userId: string; readonly differsToday: readonly string[] },
): BatchDetail {
  const { backtestConfig: config } = definition;
  return {
    id: batch.id,
    name: batch.name,
    is_public: batch.isPublic,
    is_owner: batch.userId === viewer.userId,
    user_id: batch.userId,
    created_at: batch.createdAt,
    status: batch.status,
    backtest_config: {
      start_date: config.start_date,
      end_date: config.end_date,
      slippage_bps: config.slippage_bps ?? DEFAULT_SLIPPAGE_BPS,
      starting_balance: config.starting_balance ?? DEFAULT_STARTING_BALANCE,
      benchmark_ticker: config.benchmark_ticker ?? DEFAULT_BENCHMARK,
      ...(config.fill && config.fill !== 'close' && { fill: config.fill }),
      ...(config.cash && { cash: config.cash }),
      ...(config.benchmarks && { benchmarks: [...config.benchmarks] }),
      ...namedIndicatorPrices(config.indicator_prices),
      ...(config.out_of_sample_date && { out_of_sample_date: config.out_of_sample_date }),
      ...(config.both_fills && { both_fills: true }),
    },
    requested_combinations: batch.requestedCombinations,
    combinations: batch.combinations,
    new_combinations: batch.newCombinations,
    partitions: batch.partitions,
    job_names: jobNames(batch),
    time_estimate: { seconds: batch.timeEstimateSeconds },
    time_actual: { start_time: batch.startedAt, end_time: batch.finishedAt },
    variables: Object.fromEntries(
      Object.entries(definition.variables).map(([name, values]) => [name, [...values]]),
    ),
    variable_names: [...definition.variableNames],
    template_bot: definition.templateBot,
    progress,
    summary: batch.summary && rankedSummary(batch.summary, config),
    out_of_sample: outOfSampleOf(batch, config, viewer.userId),
    hold_out: batchHoldOut(definition.holdOutDate, config),
    error: failureOf(batch),
    note: batch.note,
    pins: pinsOf(batch),
    provenance: {
      data_version: batch.dataVersion,
      engine_version: batch.engineVersion,
      result_hash: batch.summary?.hash ?? null,
      is_simulated: batch.isSimulated,
      strategy_id: batch.strategyId,
      strategy_revision: batch.strategyRevision,
      fills: fillsSentence(config),
      differs_today: [...viewer.differsToday],
    },
    revision: batch._revision,
  };
}
