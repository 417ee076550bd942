/**
 * The process of one tree, started by `tree-runner.ts`: times batches with the engine of the checkout named
 * by its argument. Requests and prices come from the tree that compares, so that both engines get the very
 * same ones; of the other tree only the engine and `planFast` are loaded.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { type MeasuredBatch, measuredBatches } from '../measured-batches.ts';
import { withRule } from '../rules.ts';
import { meanThreadTime, threadTime } from '../timing.ts';
import { followsRule } from './follows-rule.ts';
import type { Answer, Turn } from './protocol.ts';

/** What is asked of the other tree's `bench/engine/engine-run.ts`, whichever version it is. */
interface EngineOfTree {
  planFast(
    request: MeasuredBatch['request'],
    prices: MeasuredBatch['prices'],
  ): {
    readonly engine: { readonly plan: { readonly combinations: number } };
    run(from: number, count: number): ResultBlock;
    dispose(): void;
  };
}

interface ColdTask {
  readonly tree: string;
  readonly request: MeasuredBatch['request'];
  readonly prices: MeasuredBatch['prices'];
}

function engineOf(tree: string): Promise<EngineOfTree> {
  return import(pathToFileURL(join(tree, 'bench/engine/engine-run.ts')).href);
}

function once({ planFast }: EngineOfTree, { request, prices }: Pick<MeasuredBatch, 'request' | 'prices'>) {
  const batch = planFast(request, prices);
  const block = batch.run(0, batch.engine.plan.combinations);
  batch.dispose();
  return block;
}

function coldMilliseconds(task: ColdTask): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function timed(
  engine: EngineOfTree,
  tree: string,
  batch: MeasuredBatch,
  { rule, budget }: Turn,
): Promise<Answer> {
  const { prices } = batch;
  if (!followsRule((request, prices) => once(engine, { request, prices }), rule))
    return { refusal: 'it does not know the rule' };
  const request = withRule(batch.request, rule);
  const block = once(engine, { request, prices });
  const cold = await coldMilliseconds({ tree, request, prices });
  const planned = engine.planFast(request, prices);
  const { combinations } = planned.engine.plan;
  planned.run(0, combinations);
  const warm = meanThreadTime(() => planned.run(0, combinations), budget);
  planned.dispose();
  const fresh = meanThreadTime(() => once(engine, { request, prices }), budget);
  return { times: { cold, fresh, warm }, returns: Float64Array.from(block.floats.cumulative_return ?? []) };
}

async function serve(tree: string): Promise<void> {
  const engine = await engineOf(tree);
  const batches = new Map(measuredBatches([]).map((batch) => [batch.name, batch]));
  process.on('message', (turn: Turn) => {
    const batch = batches.get(turn.name);
    if (batch === undefined) throw new Error(`No batch ${turn.name}`);
    timed(engine, tree, batch, turn).then(answer, (error: unknown) => answer({ refusal: String(error) }));
  });
  process.send?.('ready');
}

function answer(message: Answer): void {
  process.send?.(message);
}

async function runCold({ tree, request, prices }: ColdTask): Promise<void> {
  const engine = await engineOf(tree);
  const start = threadTime();
  once(engine, { request, prices });
  parentPort?.postMessage(threadTime() - start);
}

if (isMainThread) await serve(process.argv[2] as string);
else await runCold(workerData as ColdTask);
