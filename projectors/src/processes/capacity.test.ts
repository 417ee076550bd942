import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { expect, it, vi } from 'vitest';
import { Capacity, followCapacity } from './capacity.ts';

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

it('listens to what nodes say from now on, and tells of every change of either kind of places', async () => {
  const subscribe = vi.fn();
  const warn = vi.fn();
  const onChange = vi.fn();
  const capacity = new Capacity(() => 0);
  const deps = { bus: { subscribe }, ids: () => 'i1', log: { warn } };
  await followCapacity(deps as never, capacity, onChange);
  const [options, handle] = subscribe.mock.calls[0] as [object, (message: object) => Promise<void>];
  expect(options).toEqual({ group: 'projectors.capacity.i1', topics: [TOPICS.nodes.name], from: 'latest' });
  const say = async (slots: number, quickSlots: number) => {
    await handle({ value: { node: 'a', slots, quickSlots } });
    return [capacity.slots(false), capacity.slots(true), onChange.mock.calls.length];
  };
  expect(await say(2, 1)).toEqual([2, 1, 1]);
  expect(await say(2, 1)).toEqual([2, 1, 1]);
  expect(await say(2, 3)).toEqual([2, 3, 2]);
  expect(await say(4, 3)).toEqual([4, 3, 3]);
  // What cannot be read holds up nothing that comes after it.
  await handle({ value: 'noise' });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(onChange).toHaveBeenCalledTimes(3);
});
