import { describe, expect, it } from 'vitest';
import { simulateBatch } from '../../testing/statistics/simulated-batch.ts';
import { usableSums } from './block-sums.ts';
import { overfittingOf } from './overfitting.ts';
import { markNoStrategies, ofStrategies } from './row-marks.ts';

const none = Number.NaN;

function marksOf(rows: readonly (readonly [deviation: number, whole: number, correlation: number])[]) {
  const marks = new Uint8Array(rows.length);
  markNoStrategies(
    {
      deviations: rows.map(([deviation]) => deviation),
      whole: rows.map(([, whole]) => whole),
      correlations: rows.map(([, , correlation]) => correlation),
    },
    marks,
  );
  return [...marks];
}

describe('rows that are no strategy', () => {
  it('are cash, the benchmark and mixes of both, by what is stored of them', () => {
    expect(
      marksOf([
        [0.004, 0.004, none], // bills
        [0.16, 0.16, 1], // the benchmark
        [0.08, 0.08, 0.9999], // half of it
        [0.16, 0.16, 0.97], // close to it, and not it
        [0.02, 0.02, 0.1], // short bonds
      ]),
    ).toEqual([1, 1, 1, 0, 0]);
  });

  it('are judged by the days that rows are ranked on where they hold cash on these alone', () => {
    expect(marksOf([[0.002, 0.1, 0.5]])).toEqual([1]);
  });

  it('are not rows of which nothing is known: failed ones, and those of an older engine', () => {
    expect(
      marksOf([
        [none, none, none],
        [0.16, 0.16, none],
      ]),
    ).toEqual([0, 0]);
  });

  it('leave the values of the others as they are', () => {
    const values = Float64Array.of(3, 1, none, 2);
    expect([...ofStrategies(values, Uint8Array.of(1, 0, 0, 0))]).toEqual([none, 1, none, 2]);
    expect(ofStrategies(values, new Uint8Array(4))).toBe(values);
  });
});

describe('bills among the rows of a cross-validation', () => {
  it('win every half, and say of the others that nothing is overfit, unless they are left out', () => {
    const { sums } = simulateBatch({ seed: 11, rows: 60 });
    const alone = overfittingOf(sums);
    const { rows, blocks } = sums;
    const more = rows + 1;
    const withBills = {
      rows: more,
      blocks,
      counts: new Int32Array(more * blocks),
      sums: new Float64Array(more * blocks),
      squares: new Float64Array(more * blocks),
    };
    for (let block = 0; block < blocks; block += 1) {
      for (let row = 0; row < rows; row += 1) {
        const [from, to] = [block * rows + row, block * more + row];
        withBills.counts[to] = sums.counts[from] as number;
        withBills.sums[to] = sums.sums[from] as number;
        withBills.squares[to] = sums.squares[from] as number;
      }
      const at = block * more + rows;
      const n = sums.counts[block * rows] as number;
      withBills.counts[at] = n;
      withBills.sums[at] = n * 1e-4;
      withBills.squares[at] = n * (1e-8 + 1e-10);
    }
    expect(overfittingOf(withBills)).toMatchObject({ pbo: 0, rows: 61 });
    const marks = new Uint8Array(more);
    marks[rows] = 1;
    const usable = usableSums(withBills, marks);
    expect(usable.rows).toHaveLength(60);
    const { pbo, inSample } = overfittingOf(withBills, usable);
    expect(pbo).toBe(alone.pbo);
    expect(pbo).toBeGreaterThan(0.2);
    expect(inSample).toEqual(alone.inSample);
  });

  it('do not decide which blocks are covered', () => {
    const { sums } = simulateBatch({ seed: 12, rows: 20 });
    const counts = sums.counts.slice();
    const marks = new Uint8Array(20);
    // Half of the rows begin late and are marked.
    for (let row = 0; row < 10; row += 1) {
      marks[row] = 1;
      for (let block = 0; block < 4; block += 1) counts[block * 20 + row] = 0;
    }
    expect(usableSums({ ...sums, counts }).blocks).toHaveLength(6);
    expect(usableSums({ ...sums, counts }, marks).blocks).toHaveLength(10);
  });
});
