import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { describe, expect, it } from 'vitest';
import { hashOfLeaves, LEAF_ROWS, leafHash } from '../../src/result-store/row-hash.ts';
import { sampleBlock } from '../../src/result-store/sample-block.ts';
import { contractSteps, freshBatch, upTo } from './contract-steps.ts';

const ROWS = 3 * LEAF_ROWS + 7;
const VARIABLES = [{ name: '$N', values: upTo(ROWS) }];

/** The hash of a batch's rows: the same in every store, however they came. */
export function describeHashing(current: () => ResultStore): void {
  describe('hash of the rows', () => {
    const { batchOf } = contractSteps(current);
    const expected = () => {
      const rows = sampleBlock('', { from: 0, count: ROWS }, [ROWS], 5);
      const leaves = [0, 1, 2, 3].map((leaf) =>
        leafHash(rows, leaf * LEAF_ROWS, Math.min(LEAF_ROWS, ROWS - leaf * LEAF_ROWS)),
      );
      return hashOfLeaves(ROWS, leaves);
    };
    const block = (from: number, to: number) => ({ from, count: to - from, failEvery: 5 });

    it.each([
      ['one block', [block(0, ROWS)]],
      ['whole leaves', [block(LEAF_ROWS, 3 * LEAF_ROWS), block(3 * LEAF_ROWS, ROWS), block(0, LEAF_ROWS)]],
      ['other cuts, out of order', [block(1_500, ROWS), block(0, 700), block(700, 1_500)]],
      ['repeats that overlap', [block(0, 2_000), block(1_000, ROWS), block(0, 2_000)]],
      ['many small blocks', upTo(39).map((i) => block(i * 80, Math.min(ROWS, i * 80 + 80)))],
    ])('is the same from %s', async (_name, blocks) => {
      const batchId = await batchOf(VARIABLES, ...blocks);
      expect(await current().hashRows(batchId)).toBe(expected());
    });

    it('is the same of rows that are copied', async () => {
      const source = await batchOf(VARIABLES, block(0, ROWS));
      const target = await batchOf(VARIABLES, block(100, 900));
      await current().copyRows(target, source, Int32Array.from(upTo(ROWS)), Int32Array.from(upTo(ROWS)));
      expect(await current().hashRows(target)).toBe(expected());
    });

    it('changes with one bit of one row, and takes every NaN for the same null', async () => {
      const last = sampleBlock('', { from: ROWS - 7, count: 7 }, [ROWS], 5);
      const withCell = async (value: number) => {
        const batchId = await batchOf(VARIABLES, block(0, ROWS - 7));
        const sharpe_ratio = (last.floats.sharpe_ratio as Float64Array).slice();
        sharpe_ratio[3] = value;
        await current().append({ ...last, batchId, floats: { ...last.floats, sharpe_ratio } });
        return current().hashRows(batchId);
      };
      const odd = new Float64Array(Uint32Array.of(1, 0xfff80000).buffer);
      const hashes = [];
      for (const value of [0, -0, 5e-324, Number.NaN, odd[0] as number]) hashes.push(await withCell(value));
      expect(new Set(hashes).size).toBe(4);
      expect(hashes[3]).toBe(hashes[4]);
    });

    it('is refused where rows are missing', async () => {
      const batchId = await batchOf(VARIABLES, block(0, 10), block(20, 30));
      await expect(current().hashRows(batchId)).rejects.toThrow(/missing in between/);
      await expect(current().hashRows(freshBatch())).rejects.toThrow(/no results/);
    });
  });
}
