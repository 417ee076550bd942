import { describe, expect, it } from 'vitest';
import { created, started, stopped } from '../../testing/batch-builders.ts';
import { eventSamples } from '../../testing/event-samples.ts';
import { folded } from '../../testing/folded.ts';
import type { BatchEvent } from '../batch/events.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { listedId, listingsProjection } from './projection.ts';

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

describe('what a search looks through', () => {
  const algorithm = {
    id: 'r',
    node_type: 'root',
    ticker: null,
    children: [
      {
        node_type: 'if-then-else',
        conditions: [
          { lhs_val: 'QQQ', rhs_val: 'SPY', comparator: 'gt' },
          { lhs_val: 'QQQ', rhs_val: 79 },
        ],
        then_children: [{ node_type: 'asset', ticker: 'UVXY', name: 'Fear' }],
      },
    ],
  };
  const strategyId = 's1';
  const began = (type: string, data: object = {}): DomainEvent => ({
    type,
    data: {
      strategyId,
      ownerId: 'o',
      name: 'My Bot',
      type: 'bot',
      variables: [],
      isPublic: false,
      status: 'draft',
      lineageId: 's1',
      algorithm,
      ...data,
    },
  });
  const then = (type: string, data: object = {}): DomainEvent => ({ type, data: { strategyId, ...data } });
  const words = (...events: readonly DomainEvent[]) => entry(...events)?.words.split('\n');

  it.each(['StrategyCreated', 'StrategyCloned'])('is name, tickers and day (%s)', (type) => {
    expect(entry(began(type))).toEqual({
      id: 'strategy.s1',
      kind: 'strategy',
      owner: 'o',
      shelf: 'strategy',
      title: 'my bot',
      words: 'my bot\nqqq\nspy\nuvxy\n2026-01-01',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      isPublic: false,
      type: 'bot',
      status: 'draft',
      size: 0,
      annual: null,
      drawdown: null,
      sharpe: null,
      hasAnnual: 0,
      hasDrawdown: 0,
      hasSharpe: 0,
    });
    expect(listedId({ id: 'strategy.s1', kind: 'strategy' })).toBe('s1');
  });

  it('is that of a tree that is stored by itself, too, up to 500 tickers', () => {
    const tickers = Array.from({ length: 600 }, (_, i) => `T${i}`);
    const tree = { hash: 'h', size: 1, blocks: 600, tickers };
    expect(words(began('StrategyCreated', { algorithm: undefined, tree }))).toHaveLength(502);
  });

  it.each(['StrategySaved', 'StrategyRestored'])('changes with what is saved (%s)', (type) => {
    const saved = then(type, {
      name: 'Other\nname',
      type: 'template',
      variables: ['$X'],
      algorithm: { children: [{ ticker: 'TLT' }] },
    });
    expect(entry(began('StrategyCreated'), saved)).toMatchObject({
      title: 'other name',
      words: 'other name\ntlt\n2026-01-01',
      type: 'template',
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });

  it('stays where something else is said of the strategy', () => {
    const before = entry(began('StrategyCreated'));
    for (const type of ['StrategyImported', 'StrategyHoldOutSet'])
      expect(entry(began('StrategyCreated'), then(type))).toEqual(before);
    expect(entry(began('StrategyCreated'), then('StrategyTagged', { tags: ['Calm', 'ETF'] }))).toEqual({
      ...before,
      tags: ['calm', 'etf'],
      hasTags: 1,
    });
    expect(entry(began('StrategyCreated'), then('StrategyTagged', { tags: [] }))).toMatchObject({
      tags: [],
      hasTags: 0,
    });
    expect(entry(began('StrategyCreated'), then('StrategyArchived'))).toMatchObject({ isArchived: true });
    const back = entry(began('StrategyCreated'), then('StrategyArchived'), then('StrategyUnarchived'));
    expect(back).toMatchObject({ isArchived: false, words: before?.words });
    expect(entry(then('StrategyArchived'))).toBeNull();
  });

  it('has figures of the last run, those that there are', () => {
    const run = (figures: object) => then('StrategyRunRecorded', { figures });
    const figures = { annualized_return: 0.08, max_drawdown: 0, sharpe: null };
    expect(entry(began('StrategyCreated'), run(figures))).toMatchObject({
      annual: 0.08,
      drawdown: 0,
      sharpe: null,
      hasAnnual: 1,
      hasDrawdown: 1,
      hasSharpe: 0,
      title: 'my bot',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(entry(run(figures))).toBeNull();
  });
});

describe('the line of a variable list', () => {
  const listId = 'l1';
  const content = { name: 'Tech', isPublic: false, variables: ['AAPL', 'MSFT'] };
  const list = (type: string, data: object = {}): DomainEvent => ({ type, data: { listId, ...data } });
  const made = list('VariableListCreated', { ownerId: 'o', ...content });

  it('has its tickers and how many there are', () => {
    const line = {
      id: 'variableList.l1',
      kind: 'variableList',
      owner: 'o',
      shelf: 'variableList',
      title: 'tech',
      words: 'tech\naapl\nmsft\n2026-01-01',
      isPublic: false,
      type: null,
      status: null,
      size: 2,
    };
    expect(entry(made)).toMatchObject(line);
    expect(entry(list('VariableListCloned', { ownerId: 'o', ...content, sourceId: 'l0' }))).toMatchObject(
      line,
    );
  });

  it.each(['VariableListUpdated', 'VariableListRestored'])('changes with it (%s)', (type) => {
    expect(entry(made, list(type, { name: 'Old\nTech', isPublic: true, variables: ['IBM'] }))).toMatchObject({
      title: 'old tech',
      words: 'old tech\nibm\n2026-01-01',
      isPublic: true,
      size: 1,
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });

  it('is put away when the list is deleted, and comes back', () => {
    const deleted = list('VariableListDeleted');
    expect(entry(made, deleted)).toMatchObject({ shelf: 'variableList.deleted', title: 'tech' });
    expect(entry(made, deleted, list('VariableListDeletionUndone'))).toMatchObject({
      shelf: 'variableList',
      updatedAt: '2026-01-03T00:00:00.000Z',
    });
    expect(entry(deleted)).toBeNull();
  });
});

it('takes a batch for one, though it names its strategy, and keeps 500 values of each variable', () => {
  const values = Array.from({ length: 600 }, (_, i) => `V${i}`);
  const line = entry(created({ strategyId: 's1', variables: [{ name: '$A', values }] }));
  expect(line).toMatchObject({ id: 'batch.b1', kind: 'batch', shelf: 'batch', size: 40, status: 'Queued' });
  expect(line?.words).toContain('v499');
  expect(line?.words).not.toContain('v500');
  expect(entry(batch('BatchCompilingStarted'))).toBeNull();
});
