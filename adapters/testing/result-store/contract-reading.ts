import { FLOAT_COLUMNS, type METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type {
  ResultFilter,
  ResultQuery,
  ResultStore,
  SharedColumn,
} from '@quantloom/domain/ports/result-store';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { metricIndex, sampleBlock, sampleFloat } from '../../src/result-store/sample-block.ts';
import { contractSteps, freshBatch, isoDay, SIZES, textOf, UNSORTED, upTo } from './contract-steps.ts';

/** The part of the contract that reads: pages, files, aggregates, columns. */
export function describeReading(store: () => ResultStore): void {
  const { batchOf, combinations } = contractSteps(store);
  describe('query', () => {
    let batchId: string;
    const metric = (k: number, name: (typeof METRIC_COLUMNS)[number]) =>
      sampleFloat(k, metricIndex(name), name);
    beforeAll(async () => {
      batchId = await batchOf(UNSORTED, { from: 0, count: 12, failEvery: 5 });
    });

    it('sorts by a metric in both directions, nulls last', async () => {
      const alive = upTo(12).filter((k) => k % 5 !== 4);
      const ascending = alive.toSorted((a, b) => metric(a, 'sharpe_ratio') - metric(b, 'sharpe_ratio'));
      const sorted = (direction: 'asc' | 'desc') =>
        combinations(batchId, { sort: { column: 'sharpe_ratio', direction } });
      expect(await sorted('asc')).toEqual([...ascending, 4, 9]);
      expect(await sorted('desc')).toEqual([...ascending.toReversed(), 4, 9]);
    });

    it('sorts variables by their values: numbers by size, texts as people order them; ties by combination', async () => {
      const by = (column: string, direction: 'asc' | 'desc') =>
        combinations(batchId, { sort: { column, direction } });
      expect(await by('$WINDOW', 'asc')).toEqual([1, 4, 7, 10, 2, 5, 8, 11, 0, 3, 6, 9]);
      expect(await by('$WINDOW', 'desc')).toEqual([0, 3, 6, 9, 2, 5, 8, 11, 1, 4, 7, 10]);
      expect(await by('$T', 'asc')).toEqual([9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2]);
      expect(await by('combination', 'desc')).toEqual(upTo(12).toReversed());
      expect((await by('start_date', 'asc')).slice(-2)).toEqual([4, 9]);
    });

    it('cuts pages and counts all rows that match', async () => {
      const page = await store().query(batchId, { limit: 5, offset: 10, columns: ['combination', '$T'] });
      expect(page).toEqual({
        columns: ['combination', '$T'],
        rows: [
          [10, 'agg'],
          [11, 'agg'],
        ],
        total: 12,
      });
      expect((await store().query(batchId, { limit: 0 })).rows).toEqual([]);
    });

    it('cuts pages across rows that are missing', async () => {
      const gaps = await batchOf(UNSORTED, { from: 0, count: 2 }, { from: 6, count: 3 });
      expect(await combinations(gaps, { limit: 2, offset: 1 })).toEqual([1, 6]);
      expect(await combinations(gaps, { limit: 2, offset: 3 })).toEqual([7, 8]);
    });

    it.each<[string, ResultFilter[], (k: number) => boolean]>([
      ['a text', [{ column: '$T', op: 'eq', value: 'QQQ' }], (k) => Math.floor(k / 3) === 1],
      ['another than a text', [{ column: '$T', op: 'ne', value: 'QQQ' }], (k) => Math.floor(k / 3) !== 1],
      ['a number of a variable', [{ column: '$WINDOW', op: 'eq', value: 5 }], (k) => k % 3 === 1],
      ['a number typed as text', [{ column: '$WINDOW', op: 'gte', value: '10.5' }], (k) => k % 3 !== 1],
      ['a range of a variable', [{ column: '$WINDOW', op: 'lt', value: 200 }], (k) => k % 3 !== 0],
      ['a value that is not there', [{ column: '$T', op: 'eq', value: 'NOPE' }], () => false],
      ['several values', [{ column: '$T', op: 'in', value: ['SPY', 'agg'] }], (k) => k < 3 || k > 8],
      ['no values', [{ column: 'sharpe_ratio', op: 'in', value: [] }], () => false],
      [
        'a metric',
        [{ column: 'max_drawdown', op: 'gt', value: 0.1 }],
        (k) => k % 5 !== 4 && metric(k, 'max_drawdown') > 0.1,
      ],
      ['a metric that is missing', [{ column: 'max_drawdown', op: 'isNull' }], (k) => k % 5 === 4],
      ['a metric that is there', [{ column: 'max_drawdown', op: 'isNotNull' }], (k) => k % 5 !== 4],
      ['a day', [{ column: 'start_date', op: 'lte', value: isoDay(16_439) }], (k) => k <= 2],
      ['combinations', [{ column: 'combination', op: 'in', value: [7, 2] }], (k) => k === 2 || k === 7],
      [
        'all but a range of combinations',
        [{ column: 'combination', op: 'outside', value: [2, 5] }],
        (k) => k < 2 || k >= 5,
      ],
      [
        'several conditions',
        [
          { column: 'combination', op: 'gte', value: 3 },
          { column: '$WINDOW', op: 'ne', value: 5 },
        ],
        (k) => k >= 3 && k % 3 !== 1,
      ],
    ])('filters by %s', async (_, filters, keep) => {
      const expected = upTo(12).filter(keep);
      expect(await combinations(batchId, { filters })).toEqual(expected);
      expect((await store().query(batchId, { filters, limit: 1 })).total).toBe(expected.length);
      expect(await store().matching(batchId, filters)).toEqual(Int32Array.from(expected));
    });

    it('names what is wrong with a query', async () => {
      const query = (filter: ResultFilter) => store().query(batchId, { filters: [filter] });
      await expect(query({ column: 'x"; --', op: 'eq', value: 1 })).rejects.toThrow(
        /no result column "x"; --"/,
      );
      await expect(query({ column: 'n', op: 'eq', value: '1 OR 1=1' })).rejects.toThrow(/needs a number/);
      await expect(query({ column: 'end_date', op: 'eq', value: "x'" })).rejects.toThrow(/YYYY-MM-DD/);
      await expect(store().query(batchId, { sort: { column: 'nope', direction: 'asc' } })).rejects.toThrow(
        /"nope"/,
      );
      await expect(store().query(batchId, { limit: -1 })).rejects.toThrow(/number of rows/);
      await expect(store().query('batch-unknown', {})).rejects.toThrow(/batch-unknown/);
    });
  });

  describe('stream', () => {
    it('writes CSV with a header, cells quoted and formulas disarmed', async () => {
      const values = [
        'plain',
        'a,b',
        'say "x"',
        'two\nlines',
        '=1+1',
        '+x',
        '-y',
        '@z',
        '\tq',
        '-3',
        'ü',
        '',
      ];
      const batchId = await batchOf(
        [
          { name: '$V', values },
          { name: '$W', values: [-5, 0.1] },
        ],
        { from: 0, count: 24 },
      );
      const csv = await textOf(store().stream(batchId, { columns: ['combination', '$V', '$W'] }, 'csv'));
      const cells = [
        'plain',
        '"a,b"',
        '"say ""x"""',
        '"two\nlines"',
        "'=1+1",
        "'+x",
        "'-y",
        "'@z",
        "'\tq",
        '-3',
        'ü',
        '',
      ];
      const lines = cells.flatMap((cell, i) => [`${2 * i},${cell},-5`, `${2 * i + 1},${cell},0.1`]);
      expect(csv).toBe(`combination,$V,$W\n${lines.join('\n')}\n`);
    });

    it('writes CSV that another program reads as the stored rows', async () => {
      const texts = [
        'plain',
        'a,b',
        ',',
        '"',
        '""',
        'say "x", twice',
        'two\nlines',
        'two\r\nlines',
        "it's",
        ' padded ',
      ];
      const batchId = await batchOf(
        [
          { name: '$V', values: [...texts, '=HYPERLINK("http://x","y")', '\n=1+1'] },
          { name: '$a,"b"', values: [0.1, 1e-7] },
        ],
        { from: 0, count: 24, failEvery: 7 },
      );
      const { columns, rows } = await store().query(batchId, {});
      const [header, ...read] = parse(await textOf(store().stream(batchId, {}, 'csv'))) as string[][];
      expect(header).toEqual(columns);
      const plain = rows.map((row) => row.map((cell) => (cell === null ? '' : cell)));
      // What a spreadsheet would run is the one thing that is changed: an apostrophe says that it is text.
      const isFormula = (cell: unknown) => typeof cell === 'string' && cell.trimStart().startsWith('=');
      const expected = plain.map((row) => row.map((cell) => (isFormula(cell) ? `'${cell}` : cell)));
      expect(
        read.map((row, i) => row.map((cell, j) => (typeof plain[i]?.[j] === 'number' ? Number(cell) : cell))),
      ).toEqual(expected);
    });

    it('writes the same rows as a query, in the order and with the filters asked for', async () => {
      const batchId = await batchOf(UNSORTED, { from: 0, count: 12, failEvery: 5 });
      const query: ResultQuery = {
        sort: { column: 'cumulative_return', direction: 'desc' },
        filters: [{ column: '$T', op: 'in', value: ['SPY', 'QQQ', 'agg'] }],
      };
      const csv = await textOf(store().stream(batchId, query, 'csv'));
      const { columns, rows } = await store().query(batchId, query);
      const lines = csv.trimEnd().split('\n');
      expect(lines[0]).toBe(columns.join());
      expect(lines.length).toBe(rows.length + 1);
      rows.forEach((row, i) => {
        const cells = (lines[i + 1] ?? '').split(',');
        expect(cells.map((cell, j) => (typeof row[j] === 'number' ? Number(cell) : cell))).toEqual(
          row.map((value) => value ?? ''),
        );
      });
      const page = await textOf(store().stream(batchId, { ...query, limit: 2, offset: 1 }, 'csv'));
      expect(page.trimEnd().split('\n').slice(1)).toEqual(lines.slice(2, 4));
    });

    it('writes all rows in order, once, whatever their number and the blocks they came in', async () => {
      const count = 230_000;
      const variables = [{ name: '$N', values: upTo(count).map(String) }];
      const blocks = upTo(5).map((i) => ({ from: i * 46_000, count: 46_000 }));
      const batchId = await batchOf(variables, ...blocks.toReversed());
      const csv = await textOf(store().stream(batchId, { columns: ['combination', '$N'] }, 'csv'));
      const lines = csv.trimEnd().split('\n').slice(1);
      expect(lines.length).toBe(count);
      expect(lines.findIndex((line, i) => line !== `${i},${i}`)).toBe(-1);
      const filters = [{ column: 'combination', op: 'in', value: [5, 99_999, 100_000, 229_999] }] as const;
      const some = await textOf(store().stream(batchId, { columns: ['combination'], filters }, 'csv'));
      expect(some).toBe('combination\n5\n99999\n100000\n229999\n');
    });

    it('writes the header alone where there are no rows', async () => {
      const batchId = await batchOf(UNSORTED);
      expect(await textOf(store().stream(batchId, { columns: ['$T', 'n'] }, 'csv'))).toBe('$T,n\n');
    });

    it('writes Parquet', async () => {
      const batchId = await batchOf(UNSORTED, { from: 0, count: 12, failEvery: 5 });
      const pieces: Uint8Array[] = [];
      for await (const piece of store().stream(batchId, {}, 'parquet')) pieces.push(piece);
      const file = Buffer.concat(pieces);
      expect(file.subarray(0, 4).toString()).toBe('PAR1');
      expect(file.subarray(-4).toString()).toBe('PAR1');
    });

    it('can be stopped in the middle, and the batch be read and deleted after it', async () => {
      const variables = [{ name: '$N', values: upTo(30_000) }];
      const batchId = await batchOf(variables, { from: 0, count: 30_000 });
      for await (const piece of store().stream(batchId, {}, 'csv')) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect(await store().countRows(batchId)).toBe(30_000);
      await store().deleteBatch(batchId);
    });

    it('names a batch that does not exist', async () => {
      await expect(textOf(store().stream('batch-unknown', {}, 'csv'))).rejects.toThrow(/batch-unknown/);
    });
  });

  describe('aggregate and column', () => {
    let batchId: string;
    beforeAll(async () => {
      batchId = await batchOf(UNSORTED, { from: 0, count: 12, failEvery: 5 });
    });
    const alive = upTo(12).filter((k) => k % 5 !== 4);
    const sharpe = (k: number) => sampleFloat(k, metricIndex('sharpe_ratio'), '');

    it('tells the medians of several columns', async () => {
      const values = alive.map(sharpe).toSorted((a, b) => a - b);
      const half = values.length / 2;
      const median = ((values[Math.ceil(half) - 1] as number) + (values[Math.floor(half)] as number)) / 2;
      const found = await store().medians(batchId, ['sharpe_ratio', 'in_sharpe_ratio', 'n']);
      expect(found.sharpe_ratio).toBeCloseTo(median, 12);
      expect(found).toMatchObject({ in_sharpe_ratio: null, n: expect.any(Number) });
      expect(await store().medians(batchId, [])).toEqual({});
    });

    it('computes plain measures over all rows', async () => {
      const values = alive.map(sharpe).toSorted((a, b) => a - b);
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1);
      const fns = ['min', 'max', 'avg', 'sum', 'median', 'stddev', 'argmax', 'count'] as const;
      const [row] = await store().aggregate(batchId, {
        measures: [...fns.map((fn) => ({ as: fn, fn, column: 'sharpe_ratio' })), { as: 'rows', fn: 'count' }],
      });
      expect(row?.rows).toBe(12);
      expect(row?.count).toBe(alive.length);
      expect(row?.min).toBe(values[0]);
      expect(row?.max).toBe(values.at(-1));
      expect(row?.argmax).toBe(alive.find((k) => sharpe(k) === values.at(-1)));
      expect(row?.avg).toBeCloseTo(mean, 12);
      expect(row?.sum).toBeCloseTo(mean * values.length, 12);
      expect(row?.stddev).toBeCloseTo(Math.sqrt(variance), 12);
      expect(row?.median).toBeCloseTo(((values[4] ?? 0) + (values[5] ?? 0)) / 2, 12);
    });

    it('groups by variables, in the order of their values', async () => {
      const rows = await store().aggregate(batchId, {
        groupBy: ['$WINDOW'],
        measures: [
          { as: 'rows', fn: 'count' },
          { as: 'best', fn: 'max', column: 'sharpe_ratio' },
        ],
        filters: [{ column: '$T', op: 'ne', value: 'SPY' }],
      });
      const best = (rest: number) => Math.max(...alive.filter((k) => k >= 3 && k % 3 === rest).map(sharpe));
      expect(rows).toEqual([
        { $WINDOW: 5, rows: 3, best: best(1) },
        { $WINDOW: 10.5, rows: 3, best: best(2) },
        { $WINDOW: 200, rows: 3, best: best(0) },
      ]);
      const two = await store().aggregate(batchId, {
        groupBy: ['$T', '$WINDOW'],
        measures: [{ as: 'n', fn: 'count' }],
        limit: 2,
      });
      expect(two).toEqual([
        { $T: 'agg', $WINDOW: 5, n: 1 },
        { $T: 'agg', $WINDOW: 10.5, n: 1 },
      ]);
    });

    it.each([
      ['a bound between two values', 0.5],
      ['the greatest value as the bound', Math.max(...alive.map(sharpe))],
    ])('counts into equal bins, the last one closed, without what lies outside: %s', async (_, max) => {
      const [min, bins] = [-0.3, 4];
      const rows = await store().aggregate(batchId, {
        groupBy: [{ column: 'sharpe_ratio', bins, min, max }],
        measures: [{ as: 'n', fn: 'count' }],
      });
      const expected = new Map<number, number>();
      for (const k of alive.filter((each) => sharpe(each) >= min && sharpe(each) <= max)) {
        const bin = Math.min(bins - 1, Math.floor((sharpe(k) - min) / ((max - min) / bins)));
        expected.set(bin, (expected.get(bin) ?? 0) + 1);
      }
      expect(rows).toEqual(
        [...expected].toSorted(([a], [b]) => a - b).map(([bin, n]) => ({ sharpe_ratio: bin, n })),
      );
    });

    it('answers with nulls over no rows and with the lowest combination of equal maxima', async () => {
      const [row] = await store().aggregate(batchId, {
        measures: [
          { as: 'best', fn: 'max', column: 'n' },
          { as: 'at', fn: 'argmax', column: 'n' },
          { as: 'rows', fn: 'count' },
        ],
        filters: [{ column: 'combination', op: 'gt', value: 1000 }],
      });
      expect(row).toEqual({ best: null, at: null, rows: 0 });
      const same = freshBatch();
      await store().createBatch(same, UNSORTED);
      const block = sampleBlock(same, { from: 0, count: 12 }, SIZES);
      await store().append({ ...block, floats: { ...block.floats, n: new Float64Array(12).fill(7) } });
      const [tie] = await store().aggregate(same, { measures: [{ as: 'at', fn: 'argmax', column: 'n' }] });
      expect(tie).toEqual({ at: 0 });
    });

    it('refuses what it cannot compute', async () => {
      const measure = (fn: 'avg' | 'max', column?: string, as = 'x') =>
        store().aggregate(batchId, { measures: [{ as, fn, ...(column ? { column } : {}) }] });
      await expect(measure('avg')).rejects.toThrow(/needs a column/);
      await expect(measure('max', '$T')).rejects.toThrow(/needs a metric/);
      await expect(measure('max', 'n', 'a b')).rejects.toThrow(/not a name/);
      await expect(measure('max', 'nope')).rejects.toThrow(/"nope"/);
    });

    it('keeps values and nulls apart in a block of thousands of rows, whatever came before them', async () => {
      const count = 7_000;
      const id = await batchOf([{ name: '$N', values: upTo(count).map(String) }]);
      const block = sampleBlock(id, { from: 0, count }, [count]);
      // Only nulls at first, then none, then both.
      const isNull = (k: number) => k < 2_500 || (k > 5_000 && k % 3 === 0);
      const values = Float64Array.from(upTo(count), (k) => (isNull(k) ? Number.NaN : k));
      await store().append({ ...block, floats: { ...block.floats, trailing_1_month: values } });
      expect(await store().column(id, 'trailing_1_month')).toEqual(values);
      expect(await store().column(id, 'sharpe_ratio')).toEqual(block.floats.sharpe_ratio);
    });

    it('reads whole columns in combination order, NaN for null', async () => {
      const scattered = await batchOf(
        UNSORTED,
        { from: 6, count: 6, failEvery: 5 },
        { from: 0, count: 6, failEvery: 5 },
      );
      for (const name of ['sharpe_ratio', 'n', 'block_sum_3', 'in_sharpe_ratio']) {
        const column = FLOAT_COLUMNS.indexOf(name);
        const expected = upTo(12).map((k) => (k % 5 === 4 ? Number.NaN : sampleFloat(k, column, name)));
        expect([...(await store().column(scattered, name))]).toEqual(expected);
      }
      const gappy = await batchOf(UNSORTED, { from: 7, count: 5 }, { from: 0, count: 2 });
      const there = [0, 1, 7, 8, 9, 10, 11].map((k) => sampleFloat(k, metricIndex('sharpe_ratio'), ''));
      expect([...(await store().column(gappy, 'sharpe_ratio'))]).toEqual(there);
      const count = await store().countRows(scattered);
      const rooms: readonly SharedColumn[] = [
        new Float64Array(new SharedArrayBuffer(8 * count)),
        new Float32Array(new SharedArrayBuffer(4 * count)),
        new Uint16Array(new SharedArrayBuffer(2 * count)),
      ];
      const n = await store().column(scattered, 'n');
      const expected = [n, Float32Array.from(n), Uint16Array.from(n)];
      await store().readColumns(
        scattered,
        rooms.map((into) => ({ name: 'n', into })),
      );
      expect(rooms.map((room) => [...room])).toEqual(expected.map((room) => [...room]));
      const whole = new Float64Array(new SharedArrayBuffer(8 * count));
      const both = [
        ...rooms.slice(0, 1).map((into) => ({ name: 'n', into })),
        { name: 'sharpe_ratio', into: whole },
      ];
      await store().readColumns(scattered, both);
      expect([...whole]).toEqual([...(await store().column(scattered, 'sharpe_ratio'))]);
      const short = whole.subarray(1);
      await expect(store().readColumns(scattered, [{ name: 'n', into: short }])).rejects.toThrow(/room for/);
      await expect(store().column(scattered, '$T')).rejects.toThrow(/not a float column/);
    });
  });
}
