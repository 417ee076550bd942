import { newCondition } from '@quantloom/domain/strategy/node-factory';
import type { ConditionNode } from '@quantloom/domain/strategy/tree';
import { expect, it } from 'vitest';
import {
  conditionOf,
  draftFaults,
  draftOf,
  firstFault,
  isValidDraft,
  usesVariables,
} from './condition-draft.ts';
import { conditionWords } from './words.ts';

const stored: ConditionNode = {
  ...newCondition(() => 'node_1'),
  lhs_fn: 'relative-strength-index',
  lhs_fn_params: { window: 10 },
  lhs_val: 'TQQQ',
  lhs_days_ago: 2,
  comparator: 'gte',
  rhs_fn: 'relative-strength-index',
  rhs_fn_params: { window: 10 },
  rhs_val: 'SPY',
  rhs_scale: 1.05,
  for_days: 3,
};

it('reads back what it stored, as the sentence says it', () => {
  expect(conditionOf(draftOf(stored), stored)).toEqual(stored);
  expect(conditionWords(stored)).toBe('RSI(TQQQ, 10) of 2 days ago ≥ 1.05 × RSI(SPY, 10) for 3 days');
});

it('stores no defaults, and nothing of the right side where a fixed value stands there', () => {
  const plain = conditionOf({ ...draftOf(stored), lhsDaysAgo: '0', rhsScale: '1', forDays: '1' }, stored);
  expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['lhs_days_ago']));
  expect(plain).not.toHaveProperty('for_days');
  expect(plain).not.toHaveProperty('rhs_scale');
  const fixed = conditionOf({ ...draftOf(stored), isFixed: true, fixedValue: '70' }, stored);
  expect(fixed).toMatchObject({ rhs_val: 70, rhs_fixed_val: true, lhs_days_ago: 2 });
  expect(fixed).not.toHaveProperty('rhs_scale');
});

it('says what is wrong at its field, and takes variables', () => {
  const draft = { ...draftOf(stored), forDays: '253', lhsDaysAgo: '1.5', rhsScale: '$S' };
  expect(draftFaults(draft).fields).toEqual({
    forDays: '“253” is not a whole number from 1 to 252',
    lhsDaysAgo: '“1.5” is not a whole number from 0 to 2000',
  });
  expect(firstFault(draftFaults({ ...draftOf(stored), rhsScale: '$S' }))).toBeUndefined();
  expect(conditionOf({ ...draftOf(stored), rhsScale: '$S' }, stored).rhs_scale).toBe('$S');
});

it('is not complete without the second asset of a pair', () => {
  const draft = { ...draftOf(stored), lhsFn: 'beta' } as const;
  expect(isValidDraft(draft)).toBe(false);
  expect(isValidDraft({ ...draft, lhsParams: { ...draft.lhsParams, with: 'SPY' } })).toBe(true);
});

it('finds nothing wrong with fields of a right side that is not there', () => {
  const draft = { ...draftOf(stored), rhsScale: 'x', rhsOffset: 'x', rhsDaysAgo: 'x' };
  expect(Object.keys(draftFaults(draft).fields)).toEqual(['rhsDaysAgo', 'rhsScale', 'rhsOffset']);
  expect(draftFaults({ ...draft, isFixed: true, fixedValue: '70' }).fields).toEqual({});
});

it.each<Partial<ConditionNode>>([
  { lhs_val: '$A' },
  { lhs_val: 'SPY/$A' },
  { lhs_fn_params: { window: '$A' } },
  { lhs_days_ago: '$A' },
  { for_days: '$A' },
  { rhs_val: '$A' },
  { rhs_fn_params: { window: '$A' } },
  { rhs_days_ago: '$A' },
  { rhs_scale: '$A' },
  { rhs_offset: '$A' },
])('knows a variable in %o', (place) => {
  expect(usesVariables(stored)).toBe(false);
  expect(usesVariables({ ...stored, ...place })).toBe(true);
  const group = { node_type: 'condition-group', conditions: [stored, { ...stored, ...place }] };
  expect(usesVariables(group as never)).toBe(true);
});
