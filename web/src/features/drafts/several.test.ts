import { expect, it } from 'vitest';
import { tagsAfter } from './several.ts';

it('adds and removes tags whatever their case, keeping the rest in order', () => {
  expect(tagsAfter(['Trend', 'Bonds', 'old'], { add: ['trend'], remove: ['OLD'] })).toEqual([
    'Bonds',
    'trend',
  ]);
  expect(tagsAfter([], { add: ['a', 'b'], remove: ['c'] })).toEqual(['a', 'b']);
  expect(tagsAfter(['a'], { add: [], remove: [] })).toEqual(['a']);
});
