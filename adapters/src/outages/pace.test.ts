import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

const paceOf = (...signs: readonly number[]) => {
  const pace = new Pace();
  for (const ms of signs) pace.note(ms, 0);
  return pace;
};

it('knows nothing before the first sign of life', () => {
  expect(paceOf().usualMs(0)).toBe(0);
});

it('goes by the first one, which opens the connection, only as long as there is no other', () => {
  expect(paceOf(600).usualMs(0)).toBe(600);
  expect(paceOf(600, 20).usualMs(0)).toBe(20);
});

it('is not impressed by one that took long, but by two', () => {
  expect(paceOf(600, 20, 900, 30).usualMs(0)).toBe(30);
  expect(paceOf(600, 20, 900, 30, 800).usualMs(0)).toBe(800);
});

it('believes a server that is always slow', () => {
  expect(paceOf(1, 500, 550).usualMs(0)).toBe(550);
});

it('forgets what was long ago, and what others have followed', () => {
  expect(paceOf(1, 400).usualMs(10_000)).toBe(200);
  expect(paceOf(1, 900, 900, 5, 5, 5, 5, 5).usualMs(0)).toBe(5);
});
