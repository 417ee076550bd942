import { expect, test } from 'vitest';
import { BlockMemory } from './block-memory.ts';

test('gives a buffer of the right size again, once', () => {
  const memory = new BlockMemory();
  const small = memory.take(8);
  memory.give(small);
  expect(memory.take(16)).not.toBe(small);
  expect(memory.take(4)).not.toBe(small);
  expect(memory.take(8)).toBe(small);
  expect(memory.take(8)).not.toBe(small);
});

test('keeps the latest few', () => {
  const memory = new BlockMemory();
  const buffers = Array.from({ length: 20 }, () => new SharedArrayBuffer(8));
  for (const buffer of buffers) memory.give(buffer);
  const again = Array.from({ length: 20 }, () => memory.take(8)).filter((buffer) => buffers.includes(buffer));
  expect(again).toEqual(buffers.slice(-8));
});

test('refuses a buffer that it has already', () => {
  const memory = new BlockMemory();
  const buffer = memory.take(8);
  memory.give(buffer);
  expect(() => memory.give(buffer)).toThrow('twice');
});
