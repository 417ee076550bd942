import { describe, expect, it } from 'vitest';
import type { Algorithm } from '../strategy/tree.ts';
import {
  costOfAnswer,
  costOfBytes,
  costOfCall,
  costOfEvents,
  costOfReading,
  costOfReuse,
  costOfRows,
  costOfRun,
  costOfStoredTree,
  costOfStream,
} from './cost.ts';

const YEAR = 365.25;
const nothing = { blocks: 0, tickers: 0, depth: 0, comparisons: 0, ownSeries: 0 };

describe('what a run costs, in milliseconds of a processor', () => {
  it('is more where it has to give its reasons, whichever are asked for', () => {
    const size = { blocks: 1_000, tickers: 1, depth: 1, comparisons: 0, ownSeries: 0 };
    const bare = costOfRun(size, 3_650);
    expect(costOfRun(size, 3_650, { explanation: false })).toBe(bare);
    expect(costOfRun(size, 3_650, null)).toBe(bare);
    expect(costOfRun(size, 3_650, { explanation: true })).toBeGreaterThan(2 * bare);
    expect(costOfRun(size, 3_650, { attribution: true })).toBe(costOfRun(size, 3_650, { explanation: true }));
  });

  it('counts blocks and comparisons by trading day', () => {
    expect(costOfRun({ ...nothing, blocks: 1_000 }, YEAR)).toBeCloseTo(1_000 * 252 * 5e-5, 9);
    expect(costOfRun({ ...nothing, blocks: 1_000 }, YEAR, { explanation: true })).toBeCloseTo(
      1_000 * 252 * 1.5e-4,
      9,
    );
    expect(costOfRun({ ...nothing, comparisons: 1_000 }, 10 * YEAR)).toBeCloseTo(1_000 * 2_520 * 1.5e-5, 9);
  });

  it('counts tickers once, and own series the more the deeper the tree is', () => {
    expect(costOfRun({ ...nothing, tickers: 50 }, YEAR)).toBeCloseTo(5, 9);
    expect(costOfRun({ ...nothing, ownSeries: 3 }, YEAR)).toBeCloseTo(3, 9);
    expect(costOfRun({ ...nothing, ownSeries: 3, depth: 4 }, YEAR)).toBeCloseTo(9, 9);
    const both = { ...nothing, tickers: 50, ownSeries: 3, depth: 4, blocks: 1_000, comparisons: 1_000 };
    expect(costOfRun(both, YEAR)).toBeCloseTo(5 + 9 + 12.6 + 3.78, 9);
  });
});

describe('what reading and writing costs', () => {
  it('is by size, sending an answer a fifth of reading as much', () => {
    expect(costOfBytes(2_000_000)).toBe(3_000);
    expect(costOfAnswer(2_000_000)).toBeCloseTo(600, 9);
    expect(costOfStream(3_000_000)).toBe(30);
    expect(costOfEvents(30)).toBeCloseTo(3, 9);
  });

  it('is for finding and reading only what any call does not take, a second of it as dear as ten', () => {
    expect(costOfReading(1, 100)).toBe(0);
    expect(costOfReading(0, 0)).toBe(0);
    expect(costOfReading(5, 0)).toBeCloseTo(40, 9);
    expect(costOfReading(0, 400)).toBeCloseTo(30, 9);
    expect(costOfReading(5, 400)).toBeCloseTo(70, 9);
  });

  it('is for a call at least what its kind takes', () => {
    expect(costOfCall('batch', 0)).toBe(80);
    expect(costOfCall('run', 1_000_000)).toBe(1_510);
    expect(costOfCall('small', 0)).toBeLessThan(costOfCall('change', 0));
  });

  it('is for a row of a file more than for one of a page', () => {
    expect(costOfRows(1_000_000, 'page')).toBe(250);
    expect(costOfRows(1_000_000, 'file')).toBe(2_000);
    expect(costOfReuse(1_000_000, 100)).toBeCloseTo(52, 9);
  });

  it('is for a stored tree by its text, or by the blocks that its events hold', () => {
    const asset = { id: 'n2', node_type: 'asset', ticker: 'SPY' };
    const algorithm = { id: 'n1', node_type: 'root', children: [asset, asset] } as unknown as Algorithm;
    expect(costOfStoredTree({ algorithm })).toBeCloseTo(0.9, 9);
    expect(
      costOfStoredTree({ tree: { size: 1_000_000, hash: 'h', blocks: 2, tickers: ['SPY'] } }),
    ).toBeCloseTo(150, 9);
  });
});
