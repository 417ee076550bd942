import { expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import type { StrategyEvent } from './events.ts';
import { strategyStream } from './strategy.ts';
import { readTags } from './tags.ts';

const caller = { userId: 'u1', features: [] };
const created: StrategyEvent = {
  type: 'StrategyCreated',
  data: {
    strategyId: 's1',
    ownerId: 'u1',
    name: 'Mine',
    type: 'bot',
    variables: [],
    isPublic: false,
    status: 'draft',
    lineageId: 's1',
    algorithm: {} as never,
  },
};
const tagged = (...tags: string[]): StrategyEvent => ({
  type: 'StrategyTagged',
  data: { strategyId: 's1', tags },
});
const archived: StrategyEvent = { type: 'StrategyArchived', data: { strategyId: 's1' } };
const update = (over: object, by = caller) => ({ type: 'UpdateStrategy', caller: by, ...over }) as const;

it('keeps tags trimmed, each once whatever its case', () => {
  expect(readTags([' Trend ', 'trend', 'long   term'])).toEqual(['Trend', 'long term']);
  for (const bad of [[''], ['  '], ['a,b'], ['x'.repeat(41)], Array.from({ length: 21 }, (_, i) => `t${i}`)])
    expect(readTags(bad)).toMatchObject({ status: 422, code: 'invalid_tags' });
  // The same tag twice takes one place.
  const most = Array.from({ length: 20 }, (_, i) => `t${i}`);
  expect(readTags([...most, 'T0'])).toEqual(most);
});

it('tags, archives and takes out again, each change once', () => {
  given(strategyStream, created)
    .when(update({ tags: ['Trend'], isArchived: true }))
    .thenEvents(tagged('Trend'), archived);
  given(strategyStream, created, tagged('Trend'), archived)
    .when(update({ tags: ['Trend'], isArchived: true }))
    .thenEvents();
  given(strategyStream, created, tagged('Trend'), archived)
    .when(update({ tags: [], isArchived: false }))
    .thenEvents(tagged(), { type: 'StrategyUnarchived', data: { strategyId: 's1' } });
});

it('tags what the same command renames and publishes', () => {
  given(strategyStream, created)
    .when(update({ name: 'Other', isPublic: true, tags: ['Trend'] }))
    .thenEvents(
      { type: 'StrategyRenamed', data: { strategyId: 's1', name: 'Other' } },
      { type: 'StrategyVisibilityChanged', data: { strategyId: 's1', isPublic: true } },
      tagged('Trend'),
    );
});

it('belongs to the owner', () => {
  given(strategyStream, created)
    .when(update({ tags: ['x'] }, { userId: 'u2', features: [] }))
    .thenRefused(404, 'strategy_not_found');
  given(strategyStream, created)
    .when(update({ tags: ['a,b'] }))
    .thenRefused(422, 'invalid_tags');
});
