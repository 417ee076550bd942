import { FLOAT_COLUMNS, METRIC_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import {
  type ResultStore,
  ResultsMissingError,
  type ResultVariable,
} from '@quantloom/domain/ports/result-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleBlock, sampleFloat } from '../../src/result-store/sample-block.ts';
import { describeHashing } from './contract-hashing.ts';
import { describeReading } from './contract-reading.ts';
import { contractSteps, freshBatch, isoDay, SIZES, textOf, UNSORTED, upTo } from './contract-steps.ts';

export interface ResultStoreHarness {
  readonly store: ResultStore;
  /** The store as another process, or this one after a restart, sees it. */
  reopen(): Promise<ResultStore>;
  stop(): Promise<void>;
}

/** What every result store must do. */
export function resultStoreContract(name: string, start: () => Promise<ResultStoreHarness>): void {
  describe(`result store contract: ${name}`, { timeout: 60_000 }, () => {
    let harness: ResultStoreHarness;
    let store: ResultStore;
    beforeAll(async () => {
      harness = await start();
      store = harness.store;
    }, 180_000);
    afterAll(() => harness?.stop());

    const { batchOf, combinations } = contractSteps(() => store);

    describe('append', () => {
      it('gives back exactly what was written, as users see it', async () => {
        const batchId = await batchOf(UNSORTED, { from: 0, count: 12, failEvery: 5 });
        const block = sampleBlock(batchId, { from: 0, count: 12 }, SIZES, 5);
        const page = await store.query(batchId, {});
        expect(page.columns).toEqual(['start_date', 'end_date', '$T', '$WINDOW', ...METRIC_COLUMNS]);
        expect(page.total).toBe(12);
        for (const [k, row] of page.rows.entries()) {
          const hasFailed = k % 5 === 4;
          expect(row).toEqual([
            hasFailed ? null : isoDay(block.startDay[k] as number),
            hasFailed ? null : isoDay(block.endDay[k] as number),
            UNSORTED[0]?.values[Math.floor(k / 3)],
            UNSORTED[1]?.values[k % 3],
            ...METRIC_COLUMNS.map((_, i) => (hasFailed ? null : sampleFloat(k, i, ''))),
          ]);
        }
      });

      it('holds null in a column that a block does not bring', async () => {
        const batchId = await batchOf(UNSORTED, { from: 0, count: 3 });
        const block = sampleBlock(batchId, { from: 3, count: 3 }, SIZES);
        const { trailing_1_month: _left, ...floats } = block.floats;
        await store.append({ ...block, floats });
        const columns = ['trailing_1_month', 'n'];
        const { rows } = await store.query(batchId, { columns, filters: [{ column: 'n', op: 'isNotNull' }] });
        expect(rows.map(([value]) => value === null)).toEqual([false, false, false, true, true, true]);
        expect((await store.column(batchId, 'trailing_1_month')).slice(3)).toEqual(
          new Float64Array(3).fill(Number.NaN),
        );
      });

      it('keeps every bit of a float', async () => {
        const odd = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0, 123456789.12345679, 1e-7, -1e21];
        const batchId = freshBatch();
        await store.createBatch(batchId, [{ name: '$N', values: odd.map((_, i) => i) }]);
        const block = sampleBlock(batchId, { from: 0, count: odd.length }, [odd.length]);
        const floats = { ...block.floats, sharpe_ratio: Float64Array.from(odd) };
        await store.append({ ...block, floats });
        expect([...(await store.column(batchId, 'sharpe_ratio'))]).toEqual(odd);
        const { rows } = await store.query(batchId, { columns: ['sharpe_ratio'] });
        expect(rows.map(([value]) => value)).toEqual(odd);
        const csv = await textOf(store.stream(batchId, { columns: ['sharpe_ratio'] }, 'csv'));
        expect(csv.trimEnd().split('\n').slice(1).map(Number)).toEqual(odd);
      });

      it('writes a block once however often and however cut it comes', async () => {
        const batchId = await batchOf(UNSORTED, { from: 3, count: 4 }, { from: 3, count: 4 });
        expect(await combinations(batchId)).toEqual([3, 4, 5, 6]);
        await store.append(sampleBlock(batchId, { from: 0, count: 12 }, SIZES, 2));
        await store.append(sampleBlock(batchId, { from: 5, count: 7 }, SIZES, 2));
        expect(await combinations(batchId)).toEqual(upTo(12));
        expect(await store.countRows(batchId)).toBe(12);
        const failed = (await store.failures(batchId)).map(({ combination }) => combination);
        expect(failed).toEqual([1, 7, 9, 11]);
      });

      it('writes a block once when it arrives several times at once', async () => {
        const batchId = await batchOf(UNSORTED);
        const block = sampleBlock(batchId, { from: 0, count: 12 }, SIZES, 4);
        await Promise.all([block, block, block].map((each) => store.append(each)));
        expect(await combinations(batchId)).toEqual(upTo(12));
        expect((await store.failures(batchId)).length).toBe(3);
      });

      it('takes blocks of several batches at the same time, while others read', async () => {
        const variables = [{ name: '$N', values: upTo(20_000) }];
        const batches = await Promise.all([batchOf(variables), batchOf(variables), batchOf(variables)]);
        const writes = batches.flatMap((batchId) =>
          upTo(4).map((i) => store.append(sampleBlock(batchId, { from: i * 5000, count: 5000 }, [20_000]))),
        );
        const reads = batches.map((batchId) => store.query(batchId, { limit: 10 }));
        await Promise.all([...writes, ...reads]);
        for (const batchId of batches) expect(await store.countRows(batchId)).toBe(20_000);
      });

      it('refuses a block that does not fit its batch, and writes nothing of it', async () => {
        const batchId = await batchOf(UNSORTED);
        const block = sampleBlock(batchId, { from: 0, count: 6 }, SIZES);
        const broken: [Partial<ResultBlock>, RegExp][] = [
          [{ variables: block.variables.slice(1) }, /1 variables, the batch has 2/],
          [{ variables: [new Int32Array(6).fill(4), new Int32Array(6)] }, /\$T is beyond its 4 values/],
          [{ startDay: new Int32Array(5) }, /startDay has 5 rows, not 6/],
          [{ floats: { ...block.floats, n: new Float64Array(2) } }, /n has 2 rows, not 6/],
        ];
        for (const [part, message] of broken) {
          await expect(store.append({ ...block, ...part })).rejects.toThrow(message);
        }
        expect(await store.countRows(batchId)).toBe(0);
        await expect(store.append({ ...block, batchId: 'batch-unknown' })).rejects.toThrow(/batch-unknown/);
      });
    });

    describe('batches', () => {
      it('creates a batch once, and refuses the same batch with other variables', async () => {
        const batchId = await batchOf(UNSORTED, { from: 0, count: 3 });
        await store.createBatch(batchId, UNSORTED);
        expect(await store.countRows(batchId)).toBe(3);
        await expect(store.createBatch(batchId, [])).rejects.toThrow(/other variables/);
      });

      it('says which ranges are stored, merged', async () => {
        const batchId = await batchOf(
          UNSORTED,
          { from: 6, count: 2 },
          { from: 0, count: 2 },
          { from: 2, count: 2 },
        );
        expect(await store.storedRanges(batchId)).toEqual([
          { from: 0, to: 4 },
          { from: 6, to: 8 },
        ]);
        expect(await store.countRows(batchId)).toBe(6);
      });

      it('deletes a batch without a trace, leaves others, and lets it be built again', async () => {
        const [gone, kept] = [
          await batchOf(UNSORTED, { from: 0, count: 6, failEvery: 2 }),
          await batchOf(UNSORTED, { from: 0, count: 6, failEvery: 2 }),
        ];
        await store.deleteBatch(gone);
        await store.deleteBatch(gone);
        await expect(store.query(gone, {})).rejects.toThrow(gone);
        expect(await store.countRows(kept)).toBe(6);
        expect((await store.failures(kept)).length).toBe(3);
        await store.createBatch(gone, UNSORTED);
        expect(await store.countRows(gone)).toBe(0);
        expect(await store.failures(gone)).toEqual([]);
        await store.append(sampleBlock(gone, { from: 0, count: 6 }, SIZES));
        expect(await combinations(gone)).toEqual(upTo(6));
      });

      it('lists failures with their reasons, in pages', async () => {
        const batchId = await batchOf(
          UNSORTED,
          { from: 6, count: 6, failEvery: 2 },
          { from: 0, count: 6, failEvery: 2 },
        );
        const failures = await store.failures(batchId, { limit: 2, offset: 2 });
        expect(failures.map(({ combination }) => combination)).toEqual([5, 7]);
        expect(failures[0]?.reason).toBe(`Combination 5: no prices for "X", in block 'If'`);
      });

      it('goes on with the failures of the next block where a page begins in one and ends in another', async () => {
        // Not all rows yet: the blocks stay as they came.
        const batchId = await batchOf(
          UNSORTED,
          { from: 6, count: 6, failEvery: 2 },
          { from: 0, count: 5, failEvery: 2 },
        );
        const page = async (offset: number) =>
          (await store.failures(batchId, { limit: 2, offset })).map(({ combination }) => combination);
        expect(await page(1)).toEqual([3, 7]);
        expect(await page(3)).toEqual([9, 11]);
        expect(await page(4)).toEqual([11]);
        expect(await page(5)).toEqual([]);
      });

      it('lists failures in pages where a block came between those that lie together by now', async () => {
        // As many small blocks as are made one while a batch grows, and one more in a gap of theirs.
        const blocks = upTo(16).map((i) => ({ from: 4 * i, count: 2, failEvery: 2 }));
        const batchId = await batchOf([{ name: '$N', values: upTo(80) }], ...blocks, {
          from: 2,
          count: 2,
          failEvery: 2,
        });
        const page = await store.failures(batchId, { limit: 3, offset: 1 });
        expect(page.map(({ combination }) => combination)).toEqual([3, 5, 9]);
      });

      it('serves a batch without variables', async () => {
        const batchId = await batchOf([], { from: 0, count: 1 });
        expect((await store.query(batchId, {})).rows.length).toBe(1);
        expect((await textOf(store.stream(batchId, {}, 'csv'))).split('\n')[0]).toBe(
          ['start_date', 'end_date', ...METRIC_COLUMNS].join(),
        );
      });
    });

    it('says that the rows of a batch are missing, and that it can be read', async () => {
      const target = await batchOf(UNSORTED);
      for (const ask of [
        () => store.query('batch-lost', {}),
        () => store.countRows('batch-lost'),
        () => store.column('batch-lost', 'n'),
        () => store.aggregate('batch-lost', { measures: [{ as: 'n', fn: 'count' }] }),
        () => store.copyRows(target, 'batch-lost', Int32Array.of(0), Int32Array.of(0)),
      ]) {
        const error = await ask().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ResultsMissingError);
        expect(error).toMatchObject({ batchId: 'batch-lost' });
      }
      await store.check();
    });

    describeHashing(() => store);
    describeReading(() => store);

    describe('copyRows', () => {
      it('takes over rows of another batch once, with failures and its own variables', async () => {
        const source = await batchOf(UNSORTED, { from: 0, count: 8, failEvery: 5 });
        const target = await batchOf([
          { name: '$T', values: ['NEW', 'SPY', 'QQQ'] },
          UNSORTED[1] as ResultVariable,
        ]);
        // Combinations 3..8 of the target are 0..5 of the source; 0 is not stored there.
        const targets = Int32Array.of(8, 3, 4, 5, 6, 7, 0);
        const map = Int32Array.of(5, 0, 1, 2, 3, 4, 11);
        await store.append(sampleBlock(target, { from: 3, count: 1 }, [3, 3]));
        await store.copyRows(target, source, targets, map);
        await store.copyRows(target, source, targets, map);
        expect(await store.storedRanges(target)).toEqual([{ from: 3, to: 9 }]);
        const { rows } = await store.query(target, {
          columns: ['combination', '$T', '$WINDOW', 'n', 'start_date'],
        });
        const n = FLOAT_COLUMNS.indexOf('n');
        expect(rows).toEqual(
          [3, 4, 5, 6, 7, 8].map((k) => [
            k,
            k < 6 ? 'SPY' : 'QQQ',
            [200, 5, 10.5][k % 3],
            k === 7 ? null : sampleFloat(k === 3 ? 3 : k - 3, n, 'n'),
            k === 7 ? null : isoDay(16_437 + (k === 3 ? 3 : k - 3)),
          ]),
        );
        expect((await store.failures(target)).map(({ combination }) => combination)).toEqual([7]);
        await store.append(sampleBlock(target, { from: 0, count: 9 }, [3, 3]));
        expect(await store.countRows(target)).toBe(9);
        expect(await combinations(target)).toEqual(upTo(9));
      });
    });

    it('keeps everything across a restart, and refuses work once it is closed', async () => {
      const batchId = await batchOf(UNSORTED, { from: 0, count: 6, failEvery: 2 });
      const before = store;
      store = await harness.reopen();
      await expect(before.countRows(batchId)).rejects.toThrow(/closed/);
      await expect(before.check()).rejects.toThrow(/closed/);
      expect(await store.countRows(batchId)).toBe(6);
      await store.append(sampleBlock(batchId, { from: 0, count: 12 }, SIZES));
      expect(await combinations(batchId)).toEqual(upTo(12));
      expect((await store.failures(batchId)).length).toBe(3);
    });
  });
}
