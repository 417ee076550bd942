import { describe, expect, it } from 'vitest';
import { columnsOf } from './CacheTable.tsx';
import { nodesWords, parkedWords } from './dashboard-words.ts';
import { messageCounts } from './ErrorListPage.tsx';
import { dateLines } from './ErrorPage.tsx';

describe('errors by message', () => {
  it('count messages that differ only in numbers and block ids as one', () => {
    expect(
      messageCounts([
        'Row 1 failed',
        'No data',
        'Row 22 failed',
        'Block node_01abc is empty',
        'Block node_02xyz is empty',
        'Row 3 failed',
      ]),
    ).toEqual([
      { message: 'Row 1 failed', count: 3 },
      { message: 'Block node_01abc is empty', count: 2 },
      { message: 'No data', count: 1 },
    ]);
  });
});

describe('columns of a cache', () => {
  it('start with index, date and timestamp and hold whatever any row has', () => {
    expect(
      columnsOf([
        { SPY: 1, timestamp: 0, date: '2020-01-01', index: 0 },
        { index: 1, date: '2020-01-02', timestamp: 1, TQQQ: 2 },
      ]),
    ).toEqual(['index', 'date', 'timestamp', 'SPY', 'TQQQ']);
    expect(columnsOf([])).toEqual([]);
  });
});

describe("an engine's dates", () => {
  it('are lines of text, whatever their shape', () => {
    expect(
      dateLines({
        first_day: '2015-01-02',
        first_day_decided_by: ['SPY', 'TLT'],
        last_day_decided_by: [],
        first_defined: { SPY: '1993-01-29' },
      }),
    ).toEqual({
      first_day: '2015-01-02',
      first_day_decided_by: 'SPY, TLT',
      last_day_decided_by: '--',
      'first_defined SPY': '1993-01-29',
    });
    expect(dateLines(undefined)).toEqual({});
  });
});

describe('the dashboard', () => {
  const batches = { queued: 0, running: 0, queue_wait_seconds: null };
  const node = { node: 'a', rate: 1200, partitions: 2, at: '2026-01-01T00:00:00Z' };

  it('says whether no compute node is well', () => {
    expect(nodesWords({ nodes: [], batches })).toMatch(/^All well/);
    expect(nodesWords({ nodes: [], batches: { ...batches, queued: 1 } })).toMatch(
      /^Not well .*1 batch waits/,
    );
    expect(nodesWords({ nodes: [node, node], batches })).toBe('2,400 backtests a second');
  });

  it('says whether parked events are well', () => {
    expect(parkedWords(0)).toMatch(/^All well/);
    expect(parkedWords(3)).toMatch(/^Not well/);
  });
});
