import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { RunFigures } from '@quantloom/domain/ports/backtest-runner';
import { hashesOf } from '@quantloom/domain/strategy/run-hashes';
import { parsedRequest } from '@quantloom/domain/strategy/written-tree';
import { runBacktestInColumns } from '../engine/answers/backtest.ts';
import type { BatchEngine, Failure } from '../engine/batch/batch-engine.ts';
import { ReferenceBatch } from '../engine/batch/batch-reference.ts';
import { createBatchEngine } from '../engine/batch/create-batch-engine.ts';
import { dailyRows } from '../engine/batch/daily-rows.ts';
import { warmUp } from '../engine/batch/warm-up.ts';
import { figuresOf } from '../engine/figures/run-figures.ts';
import { EngineDefectError } from '../engine/model/engine-defect.ts';
import type { Run } from '../engine/reference/run.ts';
import { giveWay } from './give-way.ts';
import {
  type BacktestTask,
  type DailyTask,
  ENGINES_PER_WORKER,
  type FromWorker,
  type RangeTask,
  type ToWorker,
  type WorkerSetup,
} from './protocol.ts';
import { writeAnswer } from './written-answer.ts';

/** A computing thread: runs one task at a time, keeps planned batches until it is told to drop them. */

const setup = workerData as WorkerSetup;
const port = parentPort;
if (port === null) throw new Error('worker.ts is a worker thread, not a program');

/** An engine, or why the batch cannot be planned (its ranges then report it). */
const engines = new Map<string, BatchEngine | Error>();

giveWay();

const reply = (message: FromWorker, moved: readonly ArrayBuffer[] = []) => port.postMessage(message, moved);

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'open':
      open(message);
      return;
    case 'drop':
      drop(message.key);
      return;
    case 'range':
      attempt(message.task, () => runRange(message));
      return;
    case 'daily':
      attempt(message.task, () => runDaily(message));
      return;
    case 'backtest':
      attempt(message.task, () => runSingle(message));
  }
});

function open({ key, batch, prices, options }: Extract<ToWorker, { type: 'open' }>): void {
  try {
    const cacheBytes = Math.floor(setup.cacheBytes / ENGINES_PER_WORKER);
    engines.set(key, createBatchEngine(batch, prices, { ...options, cacheBytes }));
  } catch (error) {
    engines.set(key, error instanceof Error ? error : new Error(String(error)));
  }
}

function drop(key: string): void {
  const engine = engines.get(key);
  engines.delete(key);
  if (engine !== undefined && !(engine instanceof Error)) engine.dispose?.();
}

/** @throws Error why the batch could not be opened */
function opened(key: string): BatchEngine {
  const engine = engines.get(key);
  if (engine === undefined) throw new Error(`The batch ${key} is not open on this thread`);
  if (engine instanceof Error) throw engine;
  return engine;
}

/** Measures work from now on: the answer tells what it took. */
function stopwatch(): () => { readonly milliseconds: number; readonly cpuMilliseconds: number } {
  const started = performance.now();
  const cpuBefore = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(cpuBefore);
    return { milliseconds: performance.now() - started, cpuMilliseconds: (user + system) / 1000 };
  };
}

const cancellation = (task: number) => () => Atomics.load(setup.cancelled, 0) === task;

function runRange({ task, key, columns, ranges }: RangeTask): void {
  const engine = opened(key);
  const taken = stopwatch();
  const failures = runRanges(engine, columns, ranges, cancellation(task));
  reply({ type: 'range-done', task, failures, ...taken() });
}

function runDaily({ task, key, combinations }: DailyTask): void {
  const engine = opened(key);
  if (!(engine instanceof ReferenceBatch)) throw new Error(`The batch ${key} is open for another engine`);
  const taken = stopwatch();
  const rows = dailyRows(engine, combinations, cancellation(task));
  reply({ type: 'daily-done', task, rows, ...taken() });
}

/** Ranges go in one call, so that single combinations between rows that are there already run side by side. */
function runRanges(
  engine: BatchEngine,
  columns: RangeTask['columns'],
  ranges: RangeTask['ranges'],
  isCancelled: () => boolean,
): Failure[] {
  const [first] = ranges;
  const last = ranges[ranges.length - 1];
  if (first === undefined || last === undefined) return [];
  if (ranges.length === 1) return engine.run(columns, first.from, first.to - first.from, isCancelled);
  let at = 0;
  const isWanted = (combination: number) => {
    // Combinations are asked for in an order of the engine's: mostly ascending.
    while (at > 0 && combination < (ranges[at]?.from ?? 0)) at--;
    while (at < ranges.length - 1 && combination >= (ranges[at]?.to ?? 0)) at++;
    const range = ranges[at];
    return range !== undefined && combination >= range.from && combination < range.to;
  };
  return engine.run(columns, first.from, last.to - first.from, isCancelled, isWanted);
}

function runSingle(given: BacktestTask): void {
  const { task, prices, today, knowsHolidays, form, provenance, madeBy, wantsHashes } = given;
  const taken = stopwatch();
  let figures: RunFigures | undefined;
  const onRun = (run: Run) => {
    if (provenance) figures = figuresOf(run, provenance, madeBy);
  };
  const request = parsedRequest(given.request);
  const found = runBacktestInColumns(request, prices, { today, knowsHolidays, onRun });
  const answer = writeAnswer(figures ? { ...found, provenance: figures.provenance } : found, form);
  const hashes = wantsHashes ? hashesOf(request, (text) => hash('sha256', text)) : undefined;
  reply({ type: 'answer', task, answer, figures, hashes, ...taken() }, [answer.buffer]);
}

function attempt(task: number, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusalError) reply({ type: 'refused', task, refusal: error.refusal });
    else {
      const defect = EngineDefectError.from(error);
      reply({ type: 'defect', task, message: defect.message, debugData: defect.debugData });
    }
  }
}

reply({ type: 'ready' });
// In small steps between which tasks are taken: the first user should not pay for what every thread has to
// load and optimise once.
const steps = warmUp((answer) => {
  writeAnswer(answer, 'json');
  writeAnswer(answer, 'columns');
});
const step = () => {
  if (steps.next().done !== true) setImmediate(step);
};
setImmediate(step);
