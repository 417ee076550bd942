import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockRows, cutPartitions, MAX_PARTITIONS, openBlocks } from './partitioning.ts';

describe('cutting', () => {
  it('makes partitions of a few seconds, and one of a quick batch', () => {
    expect(cutPartitions(1_000, 0.4)).toEqual({ partitionSize: 1_000, partitions: 1, isQuick: true });
    expect(cutPartitions(1_000_000, 300)).toEqual({ partitionSize: 10_000, partitions: 100, isQuick: false });
    expect(cutPartitions(5, 1_000).partitions).toBe(5);
    expect(cutPartitions(1_500_000, 6)).toMatchObject({ partitions: 12, isQuick: false });
    expect(cutPartitions(10_000_000, 1e9).partitions).toBeLessThanOrEqual(MAX_PARTITIONS);
  });
  it('takes for quick what takes ten seconds and has 250,000 rows at most', () => {
    const isQuick = (rows: number, seconds: number) => cutPartitions(rows, seconds).isQuick;
    expect([isQuick(250_000, 10), isQuick(250_001, 10), isQuick(250_000, 10.1)]).toEqual([
      true,
      false,
      false,
    ]);
  });
  it('covers every combination once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1e5, noNaN: true }),
        (n, seconds) => {
          const { partitionSize, partitions } = cutPartitions(n, seconds);
          expect(partitionSize * partitions).toBeGreaterThanOrEqual(n);
          expect(partitionSize * (partitions - 1)).toBeLessThan(n);
        },
      ),
    );
  });

  it('leaves out what is stored, and begins blocks where they always begin', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 64 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 80 })), {
          maxLength: 6,
        }),
        (from, size, rows, ranges) => {
          const to = from + size;
          const isStored = (k: number) => ranges.some(([first, count]) => k >= first && k < first + count);
          const stored: { from: number; to: number }[] = [];
          for (let k = 0; k < 1_000; k += 1)
            if (isStored(k)) {
              const last = stored.at(-1);
              if (last?.to === k) last.to = k + 1;
              else stored.push({ from: k, to: k + 1 });
            }
          const blocks = openBlocks({ from, to }, stored, rows);
          const covered = blocks.flatMap(({ gaps }) =>
            gaps.flatMap((gap) => Array.from({ length: gap.to - gap.from }, (_, i) => gap.from + i)),
          );
          const missing = Array.from({ length: size }, (_, i) => from + i).filter((k) => !isStored(k));
          expect(covered).toEqual(missing);
          const cells = blocks.map((block) => {
            expect([block.from, block.to]).toEqual([block.gaps[0]?.from, block.gaps.at(-1)?.to]);
            const cell = Math.floor((block.from - from) / rows);
            // Inside one cell of the grid.
            expect(Math.floor((block.to - 1 - from) / rows)).toBe(cell);
            return cell;
          });
          // However many gaps a cell has, it is one block.
          expect(new Set(cells).size).toBe(blocks.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps blocks between a transaction that pays and one that a crash makes expensive', () => {
    expect(blockRows(10)).toBe(64);
    expect(blockRows(120_000)).toBe(10_240);
    expect(blockRows(10_000_000)).toBe(16_384);
  });
});
