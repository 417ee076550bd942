import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NULL32 } from './column-pages.ts';
import { segmentBytes } from './segment-bytes.ts';
import { openSegment, SegmentReader, writeWhole } from './segment-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'segment-'));
let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => {
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

/** Few different values, so that columns of one value, of nulls alone and of both come up. */
const float = fc.oneof(fc.constantFrom(Number.NaN, 0, -0, 1.5), fc.double());
const day = fc.constantFrom(NULL32, 0, 16_437, -5);
const columns = fc.integer({ min: 1, max: 40 }).chain((rows) =>
  fc.record({
    first: fc.integer({ min: 0, max: 2_000_000_000 }),
    a: fc.oneof(fc.array(float, { minLength: rows, maxLength: rows }), fc.constant(Array(rows).fill(-0))),
    b: fc.oneof(
      fc.constant(Array(rows).fill(Number.NaN)),
      fc.array(float, { minLength: rows, maxLength: rows }),
    ),
    days: fc.array(day, { minLength: rows, maxLength: rows }),
  }),
);

let files = 0;

describe('a segment', () => {
  it('is read as it was written, bit by bit, by DuckDB and by us', async () => {
    await fc.assert(
      fc.asyncProperty(columns, async ({ first, a, b, days }) => {
        const name = `${files++}.parquet`;
        const combinations = Int32Array.from(days, (_, row) => first + 3 * row);
        const floats = { a: Float64Array.from(a), b: Float64Array.from(b) };
        const startDay = Int32Array.from(days);
        const failures = [{ combination: first, reason: 'No prices of "Ä"' }];
        const content = {
          combinations,
          startDay,
          endDay: startDay,
          ranks: [combinations],
          floats,
          failures,
          total: 1,
        };
        await writeWhole(path.join(folder, name), segmentBytes(content), 'test');

        const segment = openSegment(folder, name);
        expect(segment.header.rows).toBe(days.length);
        expect(segment.header.ranges).toEqual([...combinations].map((k) => [k, k + 1]));
        const reader = new SegmentReader(segment);
        expect(reader.floats('a')).toEqual(floats.a);
        expect(reader.floats('b')).toEqual(floats.b);
        expect(reader.integers('start_date')).toEqual(startDay);
        expect(reader.integers('v0')).toEqual(combinations);
        expect(reader.floats('of_a_later_version').every(Number.isNaN)).toBe(true);
        expect(reader.failures()).toEqual(failures);
        reader.close();

        const connection = await instance.connect();
        const result = await connection.runAndReadAll(
          `SELECT combination, start_date, v0, a, b FROM read_parquet('${segment.file}')`,
        );
        const expected = days.map((each, row) => [
          combinations[row],
          each === NULL32 ? null : each,
          combinations[row],
          ...[a, b].map((column) => (Number.isNaN(column[row]) ? null : column[row])),
        ]);
        const found = result
          .getRows()
          .map((row) => row.map((cell) => (cell as { days?: number })?.days ?? cell));
        expect(found).toEqual(expected);
        const { min, max } = { min: Math.min(...combinations), max: Math.max(...combinations) };
        const pruned = await connection.runAndReadAll(
          `SELECT count(*) FROM read_parquet('${segment.file}') WHERE combination IN (${min}, ` +
            `${max}) OR a > 1 OR b <= 0`,
        );
        const kept = combinations.filter(
          (k, row) => k === min || k === max || (a[row] as number) > 1 || (b[row] as number) <= 0,
        );
        expect(Number(pruned.getRows()[0]?.[0])).toBe(kept.length);
        connection.closeSync();
      }),
      { numRuns: 150 },
    );
  });

  it('refuses what is no file of results', async () => {
    await writeWhole(path.join(folder, 'other.parquet'), [Buffer.from('not one of ours')], 'test');
    expect(() => openSegment(folder, 'other.parquet')).toThrow(/other\.parquet is no file of results/);
  });
});
