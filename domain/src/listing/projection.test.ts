import { describe, expect, it } from 'vitest';
import { created, started, stopped } from '../../testing/batch-builders.ts';
import { eventSamples } from '../../testing/event-samples.ts';
import { folded } from '../../testing/folded.ts';
import type { BatchEvent } from '../batch/events.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { listingsProjection } from './projection.ts';

const entry = (...events: readonly DomainEvent[]) => folded(listingsProjection, ...events);
const fault = { message: 'no', stack: [] };
const batch = <Type extends BatchEvent['type']>(type: Type, data: object = {}): DomainEvent => ({
  type,
  data: { batchId: 'b1', ...data },
});

describe('the line of a batch', () => {
  const compiling = batch('BatchCompilingStarted');
  const failed = batch('BatchBacktestFailed', { errorId: 'e1', partition: 0, fault });
  it.each<[status: string, events: readonly DomainEvent[]]>([
    ['Queued', []],
    ['Running', [started(0)]],
    ['CompilingResults', [started(0), compiling]],
    ['Finished', [started(0), compiling, batch('BatchBacktestFinished')]],
    ['Stopped', [started(0), stopped(10, 30)]],
    ['Error', [started(0), failed]],
    ['Running', [started(0), failed, batch('BatchBacktestReplayed', { errorId: 'e1', partitions: [0] })]],
    // The last node of a batch that has failed may begin another partition before it hears of it.
    ['Error', [started(0), failed, started(1)]],
  ])('says %s', (status, events) => {
    expect(entry(created(), ...events)?.status).toBe(status);
  });

  it('is found under the name that it was given last, and shown to whom it is shown', () => {
    const renamed = entry(created(), batch('BatchBacktestRenamed', { name: 'Other\nWords' }));
    expect(renamed).toMatchObject({ title: 'other words', updatedAt: '2026-01-02T00:00:00.000Z' });
    expect(renamed?.words.split('\n')[0]).toBe('other words');
    expect(renamed?.words).toContain('t39');
    const shown = entry(created(), batch('BatchVisibilityChanged', { isPublic: true }));
    expect(shown?.isPublic).toBe(true);
  });

  it('goes with the batch', () => {
    expect(entry(created(), batch('BatchBacktestDeleted'))).toBeNull();
  });
});

describe('the line of a strategy', () => {
  const sample = eventSamples().find(({ file }) => file === 'StrategyCreated.v2.json')?.event;
  const strategyId = 's1';
  const made = {
    type: 'StrategyCreated',
    data: { ...(sample?.data as object), strategyId, isPublic: false },
  };
  const then = (type: string, data: object = {}): DomainEvent => ({ type, data: { strategyId, ...data } });

  it('is found under the name that it was given last, beside its tickers', () => {
    const before = entry(made);
    const renamed = entry(made, then('StrategyRenamed', { name: 'Sixty Forty' }));
    expect(renamed).toMatchObject({ title: 'sixty forty', updatedAt: '2026-01-02T00:00:00.000Z' });
    expect(renamed?.words.split('\n')).toEqual([
      'sixty forty',
      ...(before?.words.split('\n').slice(1) ?? []),
    ]);
    expect(entry(made, then('StrategyVisibilityChanged', { isPublic: true }))?.isPublic).toBe(true);
  });

  it('stands on the shelf where it was put, also after it was deleted and brought back', () => {
    const shelf = (...types: readonly string[]) => entry(made, ...types.map((type) => then(type)))?.shelf;
    expect(shelf()).toBe('strategy');
    expect(shelf('StrategyDeleted')).toBe('strategy.deleted');
    expect(shelf('StrategyDeleted', 'StrategyDeletionUndone')).toBe('strategy');
    expect(shelf('StrategyArchived')).toBe('strategy.archived');
    expect(shelf('StrategyArchived', 'StrategyDeleted', 'StrategyDeletionUndone')).toBe('strategy.archived');
    expect(shelf('StrategyArchived', 'StrategyUnarchived')).toBe('strategy');
  });
});
