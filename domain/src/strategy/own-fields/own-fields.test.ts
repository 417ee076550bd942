import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../kernel/refusal.ts';
import {
  asOthersSee,
  type OwnFieldEvent,
  ownFieldEvents,
  ownFieldsAfter,
  ownFieldsGiven,
  ownFieldsShown,
  ownFieldTold,
  PERSONAL_OWN_FIELDS,
} from './own-fields.ts';

const tagged = (...tags: string[]): OwnFieldEvent => ({
  type: 'StrategyTagged',
  data: { strategyId: 's1', tags },
});
const archived: OwnFieldEvent = { type: 'StrategyArchived', data: { strategyId: 's1' } };
const unarchived: OwnFieldEvent = { type: 'StrategyUnarchived', data: { strategyId: 's1' } };

describe('the fields that an owner sets', () => {
  it('come from a body by their names there, and only those that it has', () => {
    expect(ownFieldsGiven({ is_archived: false })).toEqual({ isArchived: false });
    expect(ownFieldsGiven({ tags: [], is_archived: true })).toEqual({ tags: [], isArchived: true });
    expect(ownFieldsGiven({})).toEqual({});
  });

  it('are recorded where they differ from what is set, or from what all have', () => {
    expect(ownFieldEvents('s1', { tags: ['A'], isArchived: true }, {})).toEqual([tagged('A'), archived]);
    expect(ownFieldEvents('s1', { tags: [], isArchived: false }, {})).toEqual([]);
    const state = { tags: ['A'], isArchived: true };
    expect(ownFieldEvents('s1', state, state)).toEqual([]);
    expect(ownFieldEvents('s1', {}, state)).toEqual([]);
    expect(ownFieldEvents('s1', { isArchived: false }, state)).toEqual([unarchived]);
  });

  it('are all left as they are where one is refused', () => {
    expect(isRefusal(ownFieldEvents('s1', { tags: ['a,b'], isArchived: true }, {}))).toBe(true);
  });

  it('follow from their own events alone', () => {
    expect(ownFieldsAfter(tagged('A'))).toEqual({ tags: ['A'] });
    expect(ownFieldsAfter(archived)).toEqual({ isArchived: true });
    expect(ownFieldsAfter(unarchived)).toEqual({ isArchived: false });
    expect([tagged('A', 'B'), tagged(), archived, unarchived].map(ownFieldTold)).toEqual([
      'Tagged A, B',
      'Tags removed',
      'Archived',
      'Taken out of the archive',
    ]);
  });

  it('are shown as set, or as all have them, in lists of their own', () => {
    const state = { tags: ['A'], isArchived: true };
    const shown = ownFieldsShown(state);
    expect(shown).toMatchObject({ tags: ['A'], is_archived: true });
    shown.tags.push('B');
    expect(state.tags).toEqual(['A']);
    expect(ownFieldsShown({})).toMatchObject({ tags: [], is_archived: false });
  });

  it('are hidden from others, with nothing else', () => {
    const seen = asOthersSee({ name: 'S', tags: ['A'], isArchived: true });
    expect(seen).toMatchObject({ name: 'S', tags: [], isArchived: false });
  });

  it('are sealed where a person writes them', () => {
    expect(PERSONAL_OWN_FIELDS).toMatchObject({ StrategyTagged: ['tags'] });
    expect(PERSONAL_OWN_FIELDS).not.toHaveProperty('StrategyArchived');
  });
});
