import { createHash } from 'node:crypto';
import { type Range, rowsIn } from '@quantloom/domain/batch/partitioning';
import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { LRUCache } from 'lru-cache';
import type { BatchEngineOptions, Failure } from '../engine/batch/batch-engine.ts';
import { type BatchPlan, planBatch } from '../engine/batch/compile/batch-plan.ts';
import {
  allocateColumns,
  blockView,
  bytesOfRows,
  type ResultColumns,
  type RowForm,
  rowFormOf,
} from '../engine/figures/result-columns.ts';
import type { BlockMemory } from './block-memory.ts';
import type { QueuedJob } from './job-queue.ts';
import { tookTooLong } from './pool-errors.ts';
import type { BacktestTask, DailyTask, FromWorker, RangeTask, ToWorker } from './protocol.ts';
import { identityOf, sharePrices } from './shared-prices.ts';

/** A piece of work as a thread gets it. */
export type Task = Omit<RangeTask, 'task'> | Omit<DailyTask, 'task'> | Omit<BacktestTask, 'task'>;
export type OpenMessage = Extract<ToWorker, { type: 'open' }>;
export type TaskReply = Extract<FromWorker, { type: 'range-done' | 'daily-done' | 'answer' }>;

/** A job of the pool. It ends by its promise being settled, once. */
export interface Job extends QueuedJob {
  readonly isSettled: boolean;
  /**
   * Milliseconds of a processor that it may take; undefined: any number. Waiting for a thread, or for the
   * processor, is not counted.
   */
  readonly deadlineMs: number | undefined;
  /** What its ended tasks have taken, in milliseconds of a processor. */
  readonly cpuMilliseconds: number;
  /** Whether a thread leaves a task by itself soon after the job has ended. */
  readonly isLeftWhenEnded: boolean;
  /** What a thread needs before it takes a task of this job. */
  readonly open: OpenMessage | null;
  /** Whether what was opened may serve a later job, so that threads keep it for a while. */
  readonly isOpenForMore: boolean;
  /**
   * @param part of a task's usual length that the next one should have: less than 1 where others use the
   * threads, too
   */
  take(part?: number): Task;
  /** Takes the result of a task. */
  accept(task: Task, reply: TaskReply): void;
  fail(error: unknown): void;
  /**
   * Takes a task back whose thread was needed by others: it will be handed out again as a long one. False: it
   * cannot.
   */
  putBack(): boolean;
}

/** A task that is expected to take longer than this is a long one. */
export const LONG_TASK_MS = 500;

/** Rows of one block at most; the same for every run of a range, so that a repeated range repeats its blocks. */
export const BLOCK_ROWS = 16_384;
/** Work in one message: long enough to make messages cheap, short enough that a small job waits little. */
export const TASK_MILLISECONDS = 40;
/** The part of it where small jobs of other users come: each of them waits for such a task to end. */
export const PART_AMONG_OTHERS = 0.125;
const FIRST_TASK_ROWS = 16;
/** Templates of more characters begin with one row: it may take seconds. */
const LARGE_TEMPLATE = 200_000;
/** Batches whose measured speed is remembered for their next range. */
const REMEMBERED_SPEEDS = 256;
const GROWTH = 4;

/**
 * Rows that make a good next task of a job.
 *
 * @param taken rows of a task that has ended, and the milliseconds that they took
 * @param before rows that a task of the job has had so far: it grows at most fourfold at a time
 */
export function rowsOfNextTask(
  taken: { readonly rows: number; readonly milliseconds: number },
  before: number,
): number {
  const fitting = (taken.rows * TASK_MILLISECONDS) / Math.max(taken.milliseconds, 0.01);
  return Math.max(1, Math.floor(Math.min(fitting, before * GROWTH)));
}

/** A range of at most so many rows is small, as is a sample of a measurement. */
const SMALL_RANGE = 4_096;

/** Finished blocks that wait to be stored before the job pauses. */
const MAX_UNSTORED_BLOCKS = 4;

export interface BatchJobInput {
  readonly batch: BatchRequest;
  readonly prices: ReadonlyMap<string, PriceSeries>;
  readonly today: string;
  readonly from: number;
  readonly count: number;
  /**
   * What of the range is to be computed, ascending (default: all of it); the other rows stay empty. Of a
   * range of one block only.
   */
  readonly gaps?: readonly Range[];
  readonly batchId: string;
  /** Whose share of the machine this uses. */
  readonly owner: string;
  readonly force?: BatchEngineOptions['force'];
  /** The one thread, from 0, that may compute this; missing: any. For measurements. */
  readonly thread?: number;
  /** Milliseconds of a processor after which it is ended with a refusal; default: never. */
  readonly deadlineMs?: number | undefined;
}

/** What computing a range cost, all threads together. */
export interface Spent {
  readonly cpuMilliseconds: number;
  /** Milliseconds on the clock that threads were busy with it, waiting for the processor included. */
  readonly busyMilliseconds: number;
}

export interface BatchJobHooks {
  /** Stores a block. Called one at a time, in ascending order. */
  readonly onBlock: (block: ResultBlock) => Promise<void>;
  /** Called with the number of combinations computed so far, and what that cost. */
  readonly onProgress?: ((done: number, spent: Spent) => void) | undefined;
  /** Called when a finished block has been stored, so that a paused job goes on. */
  readonly onReady: () => void;
  /** Where blocks lie. */
  readonly memory: BlockMemory;
}

/** Rows that make a good task, by key of the batch. */
const taskRows = new LRUCache<string, number>({ max: REMEMBERED_SPEEDS });

interface OpenBlock {
  readonly columns: ResultColumns;
  readonly failures: Failure[];
  remaining: number;
}

/**
 * A range of a batch: hands out pieces sized by the measured speed, puts blocks together and passes them on
 * in order.
 */
export class BatchJob implements Job {
  readonly owner: string;
  readonly open: OpenMessage;
  readonly settled: Promise<Spent>;
  readonly deadlineMs: number | undefined;
  readonly isLeftWhenEnded = true;
  readonly isOpenForMore = true;
  cpuMilliseconds = 0;
  isSettled = false;
  private rowMilliseconds = 0;
  private readonly input: BatchJobInput;
  private readonly hooks: BatchJobHooks;
  private readonly radices: ReturnType<typeof planBatch>['space'];
  private readonly form: RowForm;
  private readonly end: number;
  private readonly gaps: readonly Range[];
  /** Index of the gap that is at hand, and the first combination that no thread has yet. */
  private gap = 0;
  private next: number;
  private readonly blocks = new Map<number, OpenBlock>();
  private delivered: number;
  private isDelivering = false;
  private done = 0;
  private rowsPerTask: number;
  private busyMilliseconds = 0;
  private resolve: (spent: Spent) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;

  /** @throws RefusalError of status 400 for a batch that cannot run, RangeError for combinations it does not have */
  constructor(input: BatchJobInput, hooks: BatchJobHooks) {
    const { plan, open, characters } = openedBatch(input);
    const { from, count } = input;
    if (
      !Number.isInteger(from) ||
      !Number.isInteger(count) ||
      from < 0 ||
      count < 0 ||
      from + count > plan.combinations
    )
      throw new RangeError(
        `Combinations ${from} to ${from + count - 1} are not within 0 to ${plan.combinations - 1}`,
      );
    const gaps = input.gaps ?? (count > 0 ? [{ from, to: from + count }] : []);
    if (input.gaps && (count > BLOCK_ROWS || gaps.length === 0))
      throw new RangeError(`A range with gaps has one block, of ${BLOCK_ROWS} combinations at most`);
    this.owner = input.owner;
    this.deadlineMs = input.deadlineMs;
    this.input = input;
    this.hooks = hooks;
    this.gaps = gaps;
    this.radices = plan.space;
    this.form = rowFormOf(plan);
    this.open = open;
    this.rowsPerTask = taskRows.get(open.key) ?? (characters > LARGE_TEMPLATE ? 1 : FIRST_TASK_ROWS);
    this.next = gaps[0]?.from ?? from;
    this.delivered = from;
    this.end = from + count;
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (count === 0) this.settle();
  }

  get isSmall(): boolean {
    return this.input.thread !== undefined || this.input.count <= SMALL_RANGE;
  }

  get isLong(): boolean {
    // Who names a thread has chosen one that may be kept.
    return this.input.thread === undefined && this.rowMilliseconds > LONG_TASK_MS;
  }

  isReady(thread: number): boolean {
    if (this.isSettled || this.next >= this.end) return false;
    if (this.input.thread !== undefined && this.input.thread !== thread) return false;
    return this.blocks.has(this.blockStart(this.next)) || this.blocks.size < MAX_UNSTORED_BLOCKS;
  }

  take(part = 1): Task {
    const { columns } = this.block(this.blockStart(this.next));
    const blockEnd = columns.from + columns.count;
    const ranges: Range[] = [];
    const most = Math.max(1, Math.floor(this.rowsPerTask * part));
    for (let rows = 0; rows < most && this.next < blockEnd; ) {
      const gap = this.gaps[this.gap] as Range;
      const from = this.next;
      const to = Math.min(gap.to, blockEnd, from + most - rows);
      ranges.push({ from, to });
      rows += to - from;
      if (to === gap.to) this.gap += 1;
      this.next = to === gap.to ? (this.gaps[this.gap]?.from ?? this.end) : to;
    }
    return { type: 'range', key: this.open.key, columns, ranges };
  }

  accept(task: Task, reply: TaskReply): void {
    if (this.isSettled || task.type !== 'range' || reply.type !== 'range-done') return;
    const block = this.blocks.get(task.columns.from);
    if (block === undefined) return;
    const count = rowsIn(task.ranges);
    block.failures.push(...reply.failures);
    block.remaining -= count;
    this.done += count;
    this.cpuMilliseconds += reply.cpuMilliseconds;
    this.busyMilliseconds += reply.milliseconds;
    const { milliseconds } = reply;
    this.rowMilliseconds = milliseconds / count;
    this.rowsPerTask = rowsOfNextTask({ rows: count, milliseconds }, this.rowsPerTask);
    taskRows.set(this.open.key, this.rowsPerTask);
    const { cpuMilliseconds, busyMilliseconds, deadlineMs } = this;
    this.hooks.onProgress?.(this.done, { cpuMilliseconds, busyMilliseconds });
    // Many short tasks, of which none is too long by itself.
    if (deadlineMs !== undefined && cpuMilliseconds >= deadlineMs && this.done < rowsIn(this.gaps))
      this.fail(tookTooLong(deadlineMs));
    else void this.deliver();
  }

  fail(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.blocks.clear();
    this.reject(error);
  }

  putBack(): boolean {
    return false;
  }

  private blockStart(combination: number): number {
    const { from } = this.input;
    return combination - ((combination - from) % BLOCK_ROWS);
  }

  private block(start: number): OpenBlock {
    let block = this.blocks.get(start);
    if (block === undefined) {
      const count = Math.min(BLOCK_ROWS, this.end - start);
      const remaining = this.input.gaps ? rowsIn(this.gaps) : count;
      block = {
        columns: allocateColumns(
          start,
          count,
          this.form,
          this.hooks.memory.take(bytesOfRows(count, this.form)),
        ),
        failures: [],
        remaining,
      };
      this.blocks.set(start, block);
    }
    return block;
  }

  /** Passes finished blocks on, one at a time, in order. */
  private async deliver(): Promise<void> {
    if (this.isDelivering) return;
    this.isDelivering = true;
    try {
      for (let block = this.finishedBlock(); block !== undefined; block = this.finishedBlock()) {
        const { columns, failures } = block;
        failures.sort((a, b) => a.combination - b.combination);
        await this.hooks.onBlock(blockView(columns, this.input.batchId, this.radices, failures));
        this.blocks.delete(this.delivered);
        this.delivered += columns.count;
        this.hooks.onReady();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isDelivering = false;
    }
    if (this.delivered >= this.end) this.settle();
  }

  private finishedBlock(): OpenBlock | undefined {
    const block = this.isSettled ? undefined : this.blocks.get(this.delivered);
    return block?.remaining === 0 ? block : undefined;
  }

  private settle(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    const { cpuMilliseconds, busyMilliseconds } = this;
    this.resolve({ cpuMilliseconds, busyMilliseconds });
  }
}

interface OpenedBatch {
  readonly plan: BatchPlan;
  readonly open: OpenMessage;
  /** Length of the batch as JSON. */
  readonly characters: number;
}

/** What was worked out for the last batches: a batch comes again for each of its blocks, and each of its samples. */
const openedBatches = new WeakMap<
  BatchRequest,
  OpenedBatch & Pick<BatchJobInput, 'prices' | 'today' | 'force'>
>();

function openedBatch(input: BatchJobInput): OpenedBatch {
  const { batch, today, force } = input;
  const known = openedBatches.get(batch);
  if (known && known.prices === input.prices && known.today === today && known.force === force) return known;
  const prices = sharePrices(input.prices);
  const plan = planBatch(batch, prices, { today });
  const options = force === undefined ? { today } : { today, force };
  const text = JSON.stringify([batch, options]);
  const key = createHash('sha1').update(text).update(identityOf(prices)).digest('base64');
  const opened: OpenedBatch = {
    plan,
    open: { type: 'open', key, batch, prices, options },
    characters: text.length,
  };
  openedBatches.set(batch, { ...opened, prices: input.prices, today, force });
  return opened;
}
