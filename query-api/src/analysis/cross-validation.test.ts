import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { overfittingOf } from '@quantloom/domain/statistics/overfitting';
import { expect, it } from 'vitest';
import type { AnalysisThreads, LaneName } from './analysis-threads.ts';
import { crossValidate } from './cross-validation.ts';
import { runTask } from './tasks.ts';

const BLOCKS = 4;

/** Sums of rows whose returns are noise. */
function sumsOf(rows: number) {
  const random = new Random('rows');
  const floats = () => new Float32Array(new SharedArrayBuffer(4 * rows * BLOCKS));
  const [sums, squares] = [floats(), floats()];
  const counts = new Uint16Array(new SharedArrayBuffer(2 * rows * BLOCKS)).fill(50);
  for (let i = 0; i < sums.length; i += 1) {
    sums[i] = 0.05 * random.normal();
    squares[i] = 0.01 + 0.001 * random.below(10);
  }
  return { rows, blocks: BLOCKS, counts, sums, squares };
}

/** What the threads are asked for, and in which lanes. */
async function validated(rows: number) {
  const lanes: LaneName[] = [];
  const threads: AnalysisThreads = {
    run: async (task, lane = 'slow') => {
      if (task.kind === 'ranks') lanes.push(lane);
      return runTask(task);
    },
    close: async () => {},
  };
  const sums = sumsOf(rows);
  const found = await crossValidate(threads, sums, new Uint8Array(rows));
  return { found, lanes, plain: overfittingOf(sums) };
}

it('comes to the same in parts as at once, up to the last row', async () => {
  for (const rows of [2, 32_768, 32_769]) {
    const { found, plain, lanes } = await validated(rows);
    expect(found).toEqual(plain);
    expect(lanes).toEqual(Array(Math.ceil(rows / 32_768)).fill('slow'));
  }
});

it('uses a second thread for large batches alone', async () => {
  const { found, plain, lanes } = await validated(70_000);
  expect(found).toEqual(plain);
  expect(lanes.toSorted()).toEqual(['quick', 'slow', 'slow']);
});
