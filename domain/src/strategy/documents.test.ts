import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import type { StrategyEvent } from './events.ts';
import { strategyHistory, treeChanges } from './history.ts';
import { ownFieldsShown } from './own-fields/own-fields.ts';
import { strategiesProjection, strategySummariesProjection } from './projection.ts';
import { type StrategyState, strategyStream } from './strategy.ts';
import { holdOutAnswer, tradingBotAt, tradingBotOf } from './view.ts';

const strategyId = 's1';
const [first, second] = [strategyOfText('SPY'), strategyOfText('TLT')];
const stored = { hash: 'h', size: 9, blocks: 1, tickers: ['SPY'] };
const content = { name: 'S', type: 'bot' as const, variables: [] };
const created: StrategyEvent = {
  type: 'StrategyCreated',
  data: {
    strategyId,
    ownerId: 'o',
    ...content,
    algorithm: first,
    isPublic: false,
    status: 'draft',
    lineageId: 's1',
  },
};
const cloned: StrategyEvent = {
  type: 'StrategyCloned',
  data: { ...created.data, source: { strategyId: 's0', revision: 3 }, lineageId: 's0' } as never,
};
const saved = (over: object = {}): StrategyEvent =>
  ({
    type: 'StrategySaved',
    data: { strategyId, name: 'T', type: 'template', variables: ['$X'], algorithm: second, ...over },
  }) as StrategyEvent;
const event = (type: string, data: object = {}) => ({ type, data: { strategyId, ...data } }) as StrategyEvent;
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const summary = (...events: readonly StrategyEvent[]) =>
  folded(strategySummariesProjection, created, ...events);
const whole = (...events: readonly StrategyEvent[]) => folded(strategiesProjection, created, ...events);
const begun = {
  id: 's1',
  ownerId: 'o',
  ...content,
  isPublic: false,
  status: 'draft',
  isDeleted: false,
  lineageId: 's1',
  source: null,
  createdAt: at(1),
  updatedAt: at(1),
  algorithmUpdatedAt: at(1),
};

describe('a strategy in lists', () => {
  it('is what was saved last', () => {
    expect(summary()).toEqual(begun);
    expect(folded(strategySummariesProjection, cloned)).toEqual({
      ...begun,
      lineageId: 's0',
      source: { strategyId: 's0', revision: 3 },
    });
    const next = {
      ...begun,
      name: 'T',
      type: 'template',
      variables: ['$X'],
      updatedAt: at(2),
      algorithmUpdatedAt: at(2),
    };
    expect(summary(saved())).toEqual(next);
    expect(summary(event('StrategyRestored', { ...saved().data, fromRevision: 0 }))).toEqual(next);
  });

  it.each<[string, object, object]>([
    ['StrategyRenamed', { name: 'U' }, { name: 'U', updatedAt: at(2) }],
    ['StrategyVisibilityChanged', { isPublic: true }, { isPublic: true, updatedAt: at(2) }],
    ['StrategyDeleted', {}, { isDeleted: true, updatedAt: at(2) }],
    ['StrategyImported', { fileName: null, report: {} }, {}],
    // Order is the owner's: nothing of the strategy has changed.
    ['StrategyTagged', { tags: ['a'] }, { tags: ['a'] }],
    ['StrategyArchived', {}, { isArchived: true }],
    ['StrategyUnarchived', {}, { isArchived: false }],
    [
      'StrategyHoldOutSet',
      { date: '2026-02-01', givenAwayUntil: null },
      { holdOut: { date: '2026-02-01', givenAwayUntil: null } },
    ],
  ])('%s', (type, data, changed) => expect(summary(event(type, data))).toEqual({ ...begun, ...changed }));

  it('comes back after it was deleted', () => {
    expect(summary(event('StrategyDeleted'), event('StrategyDeletionUndone'))).toEqual({
      ...begun,
      updatedAt: at(3),
    });
    expect(() => folded(strategySummariesProjection, saved())).toThrow(
      'StrategySaved of a strategy that was never created',
    );
  });
});

describe('a whole strategy', () => {
  it('has its tree, or where it is stored', () => {
    expect(whole()).toEqual({ ...begun, algorithm: first });
    expect(whole(saved())).toMatchObject({ name: 'T', algorithm: second });
    expect(whole(event('StrategyRenamed', { name: 'U' }))).toMatchObject({ name: 'U', algorithm: first });
    const large = whole(saved({ algorithm: undefined, tree: stored }), event('StrategyArchived'));
    expect(large).toMatchObject({ tree: stored, isArchived: true });
    expect(large).not.toHaveProperty('algorithm');
    expect(whole(saved({ algorithm: undefined, tree: stored }), saved())).not.toHaveProperty('tree');
  });
});

describe('a strategy as the API shows it', () => {
  const stateOf = (...events: readonly StrategyEvent[]) =>
    events.reduce<StrategyState>(
      (state, one, i) =>
        strategyStream.decider.evolve(state, { ...one, metadata: { recordedAt: at(i + 1) } } as never),
      strategyStream.decider.initialState,
    );
  const shown = {
    id: 's1',
    name: 'S',
    status: 'draft',
    is_public: false,
    type: 'bot',
    variables: [],
    user_id: 'o',
    created_at: at(1),
    updated_at: at(1),
    algorithm_updated_at: at(1),
    revision: 4,
    lineage_id: 's1',
    ...ownFieldsShown({}),
    hold_out: null,
  };

  it('says the same from its stream and from its document', () => {
    expect(tradingBotAt({ state: stateOf(created), revision: 4 })).toEqual({
      bot: shown,
      held: { algorithm: first },
    });
    const document = { ...whole(), _revision: 4 } as never;
    expect(tradingBotOf(document, { id: 's1', revision: 4 }).bot).toEqual(shown);
    expect(() => tradingBotAt({ state: stateOf(), revision: -1 })).toThrow('no trading bot in this stream');
  });

  it('has tags, shelf and hold-out where there are any, and no word of its deletion', () => {
    const holdOut = { date: '2026-02-01', givenAwayUntil: '2026-01-15' };
    const state = stateOf(
      created,
      event('StrategyTagged', { tags: ['a'] }),
      event('StrategyArchived'),
      event('StrategyHoldOutSet', holdOut),
      event('StrategyDeleted'),
    );
    expect(tradingBotAt({ state, revision: 5 }).bot).toMatchObject({
      status: 'draft',
      tags: ['a'],
      is_archived: true,
      hold_out: { date: '2026-02-01', given_away_until: '2026-01-15' },
    });
    expect(holdOutAnswer(undefined)).toBeNull();
  });
});

describe('the history of a strategy', () => {
  const before = { name: 'S', held: { algorithm: first } };
  it.each<[string, StrategyEvent]>([
    ['Created "S"', created],
    ['Cloned from another trading bot (revision 3)', cloned],
    [
      'Imported from Composer JSON',
      event('StrategyImported', { fileName: null, report: { source: 'Composer JSON' } }),
    ],
    ['Made public', event('StrategyVisibilityChanged', { isPublic: true })],
    ['Made private', event('StrategyVisibilityChanged', { isPublic: false })],
    ['Tagged a, b', event('StrategyTagged', { tags: ['a', 'b'] })],
    ['Tags removed', event('StrategyTagged', { tags: [] })],
    ['Archived', event('StrategyArchived')],
    ['Taken out of the archive', event('StrategyUnarchived')],
    ['Took the hold-out off: batches rank all days again', event('StrategyHoldOutSet', { date: null })],
    ['Held out the days from 2026-02-01 on', event('StrategyHoldOutSet', { date: '2026-02-01' })],
    ['Deleted', event('StrategyDeleted')],
    ['Deletion undone', event('StrategyDeletionUndone')],
  ])('%s', (text, one) =>
    expect(strategyHistory.describe(one, before)).toEqual({ summary: text, changes: [] }),
  );

  it('tells what a save has changed, the name first', () => {
    const ticker = { kind: 'changed', text: 'Ticker SPY → TLT in the strategy', nodeId: 'n1' };
    const name = { kind: 'changed', text: 'Name of the trading bot S → T' };
    expect(strategyHistory.describe(saved(), before)).toEqual({ summary: 'Saved', changes: [name, ticker] });
    expect(strategyHistory.describe(saved({ name: 'S' }), before)).toEqual({
      summary: 'Saved',
      changes: [ticker],
    });
    expect(
      strategyHistory.describe(event('StrategyRestored', { ...saved().data, fromRevision: 2 }), before),
    ).toEqual({
      summary: 'Restored revision 2',
      changes: [name, ticker],
    });
    expect(strategyHistory.describe(event('StrategyRenamed', { name: 'T' }), before)).toEqual({
      summary: 'Renamed',
      changes: [name],
    });
    expect(strategyHistory.describe(saved(), null)).toEqual({ summary: 'Saved', changes: [] });
    expect(treeChanges(first, second)).toEqual([ticker]);
  });

  it('leaves trees that are stored by themselves to be compared by who can fetch them', () => {
    const large = saved({ name: 'S', algorithm: undefined, tree: stored });
    expect(strategyHistory.describe(large, before)).toEqual({
      summary: 'Saved',
      changes: [],
      compare: { before: { algorithm: first }, after: { tree: stored } },
    });
    expect(strategyHistory.describe(large, { name: 'S', held: { tree: stored } })).toEqual({
      summary: 'Saved',
      changes: [],
    });
  });

  it('knows the name and the tree from the events that have them', () => {
    expect(strategyHistory.contentOf(created)).toEqual({ name: 'S', held: { algorithm: first } });
    expect(strategyHistory.contentOf(event('StrategyRenamed', { name: 'T' }))).toEqual({ name: 'T' });
    expect(strategyHistory.contentOf(event('StrategyDeleted'))).toEqual({});
    expect(strategyHistory.fields).toEqual(['name', 'held']);
  });
});
