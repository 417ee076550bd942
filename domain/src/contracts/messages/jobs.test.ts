import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jobKey,
  jobMessageId,
  readCancellation,
  readCompile,
  readEvaluation,
  readJob,
  readNode,
  readProgress,
} from './jobs.ts';
import { CONSUMER_GROUPS, DEAD_LETTER_TOPICS, TOPICS, WORK } from './topics.ts';

type Reader = (value: unknown) => object | null;
const WHOLE: readonly [string, Reader, Readonly<Record<string, unknown>>][] = [
  ['a job', readJob, { batchId: 'b1', partition: 0, round: 1 }],
  ['what is to be summed up', readCompile, { batchId: 'b1', eventId: 'e1', at: '2026-01-01T00:00:00.000Z' }],
  ['what is to be evaluated', readEvaluation, { strategyId: 's1', dataVersion: 'v1', round: 0 }],
  ['a node', readNode, { node: 'n1', slots: 2, quickSlots: 0 }],
  ['a cancellation', readCancellation, { batchId: 'b1' }],
  [
    'progress',
    readProgress,
    {
      batchId: 'b1',
      partition: 3,
      node: 'n1',
      done: 0,
      total: 10,
      rate: 0.5,
      at: '2026-01-01T00:00:00.000Z',
      state: 'running',
    },
  ],
];

describe.each(WHOLE)('%s on the bus', (_, read, message) => {
  it('is read as it was sent, without what a newer version may say beside it', () => {
    expect(read(message)).toEqual(message);
    expect(read({ ...message, more: 1 })).toEqual(message);
  });

  it('is nothing without one of its fields, or with one that cannot be it', () => {
    for (const [name, value] of Object.entries(message)) {
      const wrong = typeof value === 'string' ? ['', 7, null] : [-1, 1.5, '1', null, Number.NaN];
      // A rate is any number.
      const values = name === 'rate' ? ['1', null, Number.NaN, Number.POSITIVE_INFINITY] : wrong;
      for (const one of [undefined, ...values])
        expect(read({ ...message, [name]: one }), `${name}: ${one}`).toBeNull();
    }
  });

  it('is nothing of what is no message at all', () => {
    fc.assert(fc.property(fc.anything(), (value) => read(value) === null));
    for (const value of [null, undefined, 'text', 7, []]) expect(read(value)).toBeNull();
  });
});

describe('what a message says', () => {
  it('of progress is one of four states', () => {
    const progress = {
      batchId: 'b1',
      partition: 3,
      node: 'n1',
      done: 0,
      total: 10,
      rate: 0,
      at: '2026-01-01T00:00:00.000Z',
    };
    for (const state of ['running', 'finished', 'failed', 'cancelled'])
      expect(readProgress({ ...progress, state })).toEqual({ ...progress, state });
    expect(readProgress({ ...progress, state: 'paused' })).toBeNull();
  });
  it('of a time is a time', () => {
    expect(readCompile({ batchId: 'b1', eventId: 'e1', at: 'yesterday' })).toBeNull();
  });
});

describe('a job', () => {
  it('stays in order with its partition, and is another one each time that it is put on the bus', () => {
    const job = { batchId: 'b1', partition: 3, round: 2 };
    // What installations have on their bus: a rolling upgrade must recognise it.
    expect(jobKey('b1', 3)).toBe('b1:3');
    expect(jobMessageId(job)).toBe('b1:3:2');
  });
});

describe('topics', () => {
  it('have names of their own, and a place for dead letters each', () => {
    const names = Object.values(TOPICS).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(DEAD_LETTER_TOPICS).toEqual(names.map((topic) => ({ topic, dead: `${topic}.dead` })));
    for (const work of WORK) expect([TOPICS[work].name, CONSUMER_GROUPS[work]]).not.toContain(undefined);
    expect(new Set(Object.values(CONSUMER_GROUPS)).size).toBe(WORK.length);
  });
});
