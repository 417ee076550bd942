import { insertBlock, removeNode } from '@quantloom/domain/strategy/edit';
import { assetBlock, newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
import { firstNewBlock, neighbourOf } from './line-after-edit.ts';

let count = 0;
const newId = () => `node_${count++}`;
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });

it('finds the block that was added, and the line to read after one that was taken out', () => {
  const empty = newAlgorithm(newId);
  const parentId = empty.children[0]?.id ?? '';
  const [first, second] = [asset('SPY'), asset('QQQ')];
  const one = insertBlock(empty, { parentId, slot: 'children', index: 0 }, first);
  const two = insertBlock(one, { parentId, slot: 'children', index: 1 }, second);
  expect(firstNewBlock(one, two)).toBe(second.id);
  expect(firstNewBlock(two, two)).toBeNull();
  const without = (id: string) => neighbourOf(two, removeNode(two, id, newId), id);
  expect(without(first.id)).toBe(second.id);
  expect(without(second.id)).toBe(first.id);
  // Of several, the one that has moved up to its place.
  const third = asset('TLT');
  const three = insertBlock(two, { parentId, slot: 'children', index: 2 }, third);
  expect(neighbourOf(three, removeNode(three, second.id, newId), second.id)).toBe(third.id);
  // The last one leaves a placeholder.
  const left = removeNode(one, first.id, newId);
  expect(neighbourOf(one, left, first.id)).toBe(firstNewBlock(one, left));
  expect(neighbourOf(two, two, first.id)).toBeNull();
  expect(neighbourOf(two, two, 'unknown')).toBeNull();
});
