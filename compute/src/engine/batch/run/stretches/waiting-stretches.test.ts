import { expect, test } from 'vitest';
import { WaitingStretches } from './waiting-stretches.ts';

test('four stretches wait at most', () => {
  const waiting = new WaitingStretches(1000, 1000);
  for (let i = 0; i < 4; i++) {
    expect(waiting.hasRoom(10, 10)).toBe(true);
    waiting.add(10, 10);
  }
  expect(waiting.count).toBe(4);
  expect(waiting.hasRoom(1, 1)).toBe(false);
});

test('tuples are numbered from multiples of 8 on, and end with their area', () => {
  const waiting = new WaitingStretches(64, 1000);
  waiting.add(41, 3);
  expect(waiting.tuples).toBe(48);
  expect(waiting.hasRoom(16, 3)).toBe(true);
  expect(waiting.hasRoom(17, 3)).toBe(false);
});

test('sequences are numbered one behind the other, and end with their area', () => {
  const waiting = new WaitingStretches(1000, 50);
  waiting.add(8, 31);
  expect(waiting.sequences).toBe(31);
  expect(waiting.hasRoom(8, 19)).toBe(true);
  expect(waiting.hasRoom(8, 20)).toBe(false);
});

test('what was added up makes room for the next ones', () => {
  const waiting = new WaitingStretches(64, 50);
  for (let i = 0; i < 4; i++) waiting.add(16, 12);
  waiting.clear();
  expect(waiting).toMatchObject({ count: 0, tuples: 0, sequences: 0 });
  expect(waiting.hasRoom(64, 50)).toBe(true);
});
