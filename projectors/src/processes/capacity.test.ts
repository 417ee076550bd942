import { expect, it } from 'vitest';
import { Capacity } from './capacity.ts';

it('adds up what the nodes say, until they say that they go or say nothing any more', () => {
  let now = 0;
  const capacity = new Capacity(() => now);
  expect(capacity.slots(false)).toBeNull();
  capacity.heard('a', 2, 3);
  now = 20_000;
  capacity.heard('b', 4, 3);
  expect([capacity.slots(false), capacity.slots(true)]).toEqual([6, 6]);
  now = 30_000;
  expect(capacity.slots(false)).toBe(6);
  now = 30_001;
  expect([capacity.slots(false), capacity.slots(true)]).toEqual([4, 3]);
  capacity.heard('b', 0, 0);
  expect(capacity.slots(false)).toBeNull();
});

it('counts a node that has places for quick jobs alone', () => {
  const capacity = new Capacity(() => 0);
  capacity.heard('a', 0, 3);
  expect([capacity.slots(false), capacity.slots(true)]).toEqual([0, 3]);
});
