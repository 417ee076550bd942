import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { allocateColumns, blockView, rowFormOf } from '../figures/result-columns.ts';
import type { BatchEngine } from './batch-engine.ts';
import { type BatchPlan, planBatch } from './compile/batch-plan.ts';
import { type EngineParts, FastBatchEngine, supportedPlan } from './fast-batch.ts';
import { Workspace } from './memory/workspace.ts';
import { OwnCalendars } from './own-calendars.ts';

export interface FastOptions extends Partial<EngineParts> {
  /** Memory shared by the threads of a process (`createMemory` of the kernels); without it a thread has its own. */
  readonly memory?: WebAssembly.Memory;
}

const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

const workspaces = new WeakMap<WebAssembly.Memory, Workspace>();
let own: Workspace | null = null;

/** A thread works in one part of a memory, whatever the number of its batches. */
function workspaceFor(memory: WebAssembly.Memory | undefined): Workspace {
  if (memory === undefined) {
    own ??= new Workspace();
    return own;
  }
  const known = workspaces.get(memory);
  if (known !== undefined) return known;
  const workspace = new Workspace(memory);
  workspaces.set(memory, workspace);
  return workspace;
}

/** Of memory that is touched, in one step: some milliseconds. */
const TOUCHED_AT_ONCE = 4 * 1024 * 1024;

/**
 * Writes to `bytes` more bytes of the thread's own memory and gives them back; yields after each step. An
 * operating system finds a page of memory when it is written to for the first time, which the first batch
 * would wait for.
 * @throws RangeError where the memory is full
 */
export function* touchMemory(bytes: number): Generator<void> {
  const workspace = workspaceFor(undefined);
  const at = workspace.allocate(bytes);
  const end = at + bytes;
  try {
    for (let from = at; from < end; from += TOUCHED_AT_ONCE) {
      workspace.u8.fill(0, from, Math.min(from + TOUCHED_AT_ONCE, end));
      yield;
    }
  } finally {
    workspace.free(at);
  }
}

/**
 * The fast path of a planned batch; null where only the reference can run it. Call `dispose` when the batch is done.
 * @throws RangeError where the memory is full
 */
export function compileFastPlan(plan: BatchPlan, options: FastOptions = {}): FastEngine | null {
  const tree = supportedPlan(plan);
  if (tree === null) return null;
  const workspace = workspaceFor(options.memory);
  const { cacheBytes = DEFAULT_CACHE_BYTES, force } = options;
  const parts = force === undefined ? { cacheBytes } : { cacheBytes, force };
  const hasBenchmark = (plan.prices.get(plan.terms.benchmark)?.days.length ?? 0) > 0;
  if (!hasBenchmark) return new OwnCalendars(plan, tree, workspace, parts);
  return new FastBatchEngine(plan, tree, workspace, parts);
}

type FastEngine = BatchEngine & { dispose(): void };

/** A compiled batch that answers ranges of its combinations as result blocks. */
export interface FastBatch {
  readonly engine: FastEngine;
  run(from: number, count: number, batchId?: string): ResultBlock;
  dispose(): void;
}

/**
 * Plans a batch request and compiles it for the fast path.
 * @throws RefusalError of status 400 for a batch that cannot run
 */
export function compileFastBatch(
  request: BatchRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  options: FastOptions & { readonly today: string },
): FastBatch | null {
  const engine = compileFastPlan(planBatch(request, prices, options), options);
  if (engine === null) return null;
  return {
    engine,
    run(from, count, batchId = '') {
      const columns = allocateColumns(from, count, rowFormOf(engine.plan));
      const failures = engine.run(columns, from, count);
      return blockView(columns, batchId, engine.plan.space, failures);
    },
    dispose: () => engine.dispose(),
  };
}
