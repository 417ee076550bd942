import { describe, expect, it } from 'vitest';
import type { BatchDefinitionDocument, BatchDocument } from './projections.ts';
import { detailOf, differencesToday, jobNames, progressOf, progressPercent } from './view.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString();
const batch = {
  id: 'b1',
  combinations: 95,
  partitionSize: 10,
  partitions: 10,
  openPartitions: [2, 5, 9],
  status: 'Running' as const,
};
const said = (node: string, done: number, rate: number, secondsAgo: number) => ({
  node,
  done,
  total: 10,
  rate,
  at: at(secondsAgo),
});

describe('progress', () => {
  it('is the share of finished partitions, as a whole percent', () => {
    expect(progressPercent(3, 1)).toBe(67);
    expect(progressPercent(3, 0)).toBe(100);
    expect(progressPercent(0, 0)).toBe(0);
    expect(jobNames(batch)).toEqual(['b1-2', 'b1-5', 'b1-9']);
  });

  it('adds up rows, rates and nodes of what runs, and tells the remaining time', () => {
    const running = { '2': said('n1', 4, 20, 1), '5': said('n2', 2, 5, 2), '9': said('n1', 1, 10, 3) };
    expect(progressOf(batch, { running }, now)).toEqual({
      percent: 70,
      // Seven finished partitions of 10, and 7 rows of the others; the last partition has 5.
      rows: 77,
      rate: 35,
      remaining_seconds: 1,
      nodes: [
        { node: 'n1', partitions: [2, 9], rate: 30, at: at(1) },
        { node: 'n2', partitions: [5], rate: 5, at: at(2) },
      ],
    });
  });

  it('does not show a node that fell silent, nor what belongs to a finished partition', () => {
    const running = { '2': said('gone', 4, 20, 60), '3': said('late', 10, 50, 1) };
    expect(progressOf(batch, { running }, now)).toMatchObject({
      rows: 74,
      rate: null,
      remaining_seconds: null,
      nodes: [],
    });
  });

  it('is complete for a finished batch whatever was said last', () => {
    const done = { ...batch, status: 'Finished' as const, openPartitions: [] };
    expect(progressOf(done, { running: { '2': said('n1', 4, 20, 1) } }, now)).toMatchObject({
      percent: 100,
      rows: 95,
      rate: null,
      nodes: [],
    });
  });
});

describe('why a run today could differ', () => {
  const provenance = { dataVersion: 'd1', engineVersion: '1', strategyId: 's', strategyRevision: 3 };
  const today = { dataVersion: 'd1', engineVersion: '1', strategyRevision: 3 };
  it.each([
    ['nothing', {}, {}, []],
    ['data', { dataVersion: 'd2' }, {}, [/market data/]],
    ['other data of other tickers', { dataVersion: 'd2', changedTickers: [] }, {}, []],
    [
      'other data of its tickers',
      { dataVersion: 'd2', changedTickers: ['SPY'] },
      {},
      [/market data have changed for SPY:/],
    ],
    [
      'other data, nobody knows of what',
      { dataVersion: 'd2', changedTickers: null },
      {},
      [/market data may have changed .* could not be compared/],
    ],
    ['engine', { engineVersion: '2' }, {}, [/engine/]],
    ['edit', { strategyRevision: 4 }, {}, [/revision 3 was run/]],
    ['unsaved edit', {}, { strategyRevision: null }, [/not saved/]],
    ['deleted strategy', { strategyRevision: null }, {}, []],
    ['no data set', { dataVersion: null }, {}, []],
  ])('%s', (_, now_, then, expected) => {
    const reasons = differencesToday({ ...provenance, ...then }, { ...today, ...now_ });
    expect(reasons).toHaveLength(expected.length);
    for (const [i, pattern] of expected.entries()) expect(reasons[i]).toMatch(pattern);
  });
});

it('says what cash earned, where it earned anything', () => {
  const whole = {
    ...batch,
    summary: null,
    isPublic: false,
    userId: 'u',
    pins: [],
  } as unknown as BatchDocument;
  const fillsWith = (config: object) => {
    const definition = { backtestConfig: config, variables: {}, variableNames: [], holdOutDate: null };
    const progress = progressOf(batch, null, now);
    const viewer = { userId: 'u', differsToday: [] };
    return detailOf(whole, definition as unknown as BatchDefinitionDocument, progress, viewer).provenance
      .fills;
  };
  expect(fillsWith({ cash: { rate: 4 } })).toContain('Cash earns 4% a year.');
  expect(fillsWith({ cash: { ticker: 'BIL' } })).toContain('Cash earns what BIL returns.');
  expect(fillsWith({})).not.toContain('Cash');
});
