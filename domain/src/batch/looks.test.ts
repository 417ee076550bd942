import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../kernel/event.ts';
import { type BatchLooksDocument, batchLooksProjection, dayBefore, earlierLooks } from './looks.ts';

const created = (over: Record<string, unknown> = {}) => ({
  type: 'BatchBacktestCreated',
  data: {
    batchId: 'b1',
    lineageId: 'l1',
    userId: 'u1',
    name: 'First',
    config: { start_date: '2010-01-04', end_date: '2020-12-31', ...over },
  },
});
const finished = (part?: 'in_sample') => ({
  type: 'BatchBacktestFinished',
  data: { batchId: 'b1', summary: { rows: 1, failures: 0, best: null, medians: {}, ...(part && { part }) } },
});
const stopped = { type: 'BatchBacktestStopped', data: { batchId: 'b1', rows: 10, quotaReleased: 0 } };
const began = (partition = 0) => ({ type: 'PartitionFinished', data: { batchId: 'b1', partition } });
const opened = { type: 'OutOfSampleOpened', data: { batchId: 'b1', userId: 'u1' } };

type Told = { type: string; data: object };
const after = (...events: readonly Told[]) => inYear(2026, ...events);
function inYear(year: number, ...events: readonly Told[]): BatchLooksDocument {
  let document: BatchLooksDocument | null = null;
  for (const [i, event] of events.entries()) {
    const recorded = { ...event, metadata: { recordedAt: `${year}-01-0${i + 1}T00:00:00Z` } };
    document = batchLooksProjection.evolve(
      document,
      recorded as unknown as RecordedEvent,
      'b1',
    ) as BatchLooksDocument;
  }
  if (!document) throw new Error('there is no document');
  return document;
}

describe('what a lineage has seen', () => {
  it.each([
    ['the whole period without a date', after(created(), finished()), ['2020-12-31']],
    [
      'the days before the date',
      after(created({ out_of_sample_date: '2018-01-01' }), finished('in_sample')),
      ['2017-12-31'],
    ],
    [
      'all of them once the rest was opened',
      after(created({ out_of_sample_date: '2018-01-01' }), finished('in_sample'), opened, opened),
      ['2017-12-31', '2020-12-31'],
    ],
    [
      'all of them where a batch of before was ranked over its whole period',
      after(created({ out_of_sample_date: '2018-01-01' }), finished()),
      ['2020-12-31'],
    ],
    ['nothing before its first rows are there', inYear(2027, created(), began(1)), []],
    ['the whole period from its first rows on', inYear(2027, created(), began(), finished()), ['2020-12-31']],
    [
      'the days before the date from its first rows on',
      inYear(2027, created({ out_of_sample_date: '2018-01-01' }), began(), began(), finished('in_sample')),
      ['2017-12-31'],
    ],
    ['the whole period once it was stopped', after(created(), stopped), ['2020-12-31']],
    [
      'the days before the date once it was stopped',
      after(created({ out_of_sample_date: '2018-01-01' }), stopped),
      ['2017-12-31'],
    ],
    ['nothing while it runs, when its rows could not be read then', after(created(), began()), []],
  ])('is %s', (_, document, days) => {
    expect(document.looks.map(({ until }) => until)).toEqual(days);
    expect(document.seenUntil).toBe(days.at(-1) ?? '');
  });

  it('is a look before the choice only where it came first and reached the date', () => {
    const documents = [
      after(created({ out_of_sample_date: '2018-01-01' }), finished('in_sample'), opened),
      { ...after(created(), finished()), id: 'b2', name: 'Second' },
    ];
    const names = (date: string, before: string) =>
      earlierLooks(documents, { date, before }).map(({ name }) => name);
    expect(names('2018-01-01', '2026-01-02T00:00:00Z')).toEqual([]);
    expect(names('2018-01-01', '2026-01-02T12:00:00Z')).toEqual(['Second']);
    expect(names('2018-01-01', '2026-01-04T00:00:00Z')).toEqual(['Second', 'First']);
    expect(names('2017-06-01', '2026-01-02T12:00:00Z')).toEqual(['First', 'Second']);
    expect(names('2021-01-01', '2026-02-01T00:00:00Z')).toEqual([]);
    // The date itself is one of the days that were to be unseen.
    expect(names('2020-12-31', '2026-02-01T00:00:00Z')).toEqual(['Second', 'First']);
  });

  it('names of several looks at the same days the first, and how far it went', () => {
    const looks = [
      { until: '2017-12-31', at: '2026-01-02T00:00:00Z' },
      { until: '2018-12-31', at: '2026-01-03T00:00:00Z' },
      { until: '2020-12-31', at: '2026-01-04T00:00:00Z' },
    ];
    const batch = { id: 'b1', userId: 'u1', name: 'First', looks };
    const [found] = earlierLooks([batch], { date: '2018-06-01', before: '2026-01-05T00:00:00Z' });
    expect(found).toMatchObject({ at: '2026-01-03T00:00:00Z', until: '2018-12-31' });
  });

  it('ends on the day before the date', () => {
    expect(dayBefore('2018-01-01')).toBe('2017-12-31');
    expect(dayBefore('2020-03-01')).toBe('2020-02-29');
  });
});
