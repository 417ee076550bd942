import { INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import { expect, it } from 'vitest';
import { INDICATOR_GROUPS } from './indicator-help.ts';

it('offers every function in one group', () => {
  expect(INDICATOR_GROUPS.flatMap(({ names }) => names).toSorted()).toEqual(INDICATOR_NAMES.toSorted());
});
