import { expect, it } from 'vitest';
import { isRefusal, RefusalError, refuse } from './refusal.ts';

const full = refuse(409, 'full', 'There is no room left.', { currentRevision: 3, data: { used: 5 } });

it('says no with its code, its sentence and what else a program wants to know', () => {
  expect(full).toEqual({
    refusal: true,
    status: 409,
    code: 'full',
    detail: 'There is no room left.',
    currentRevision: 3,
    data: { used: 5 },
  });
  expect(refuse(404, 'gone', 'It is gone.')).toEqual({
    refusal: true,
    status: 404,
    code: 'gone',
    detail: 'It is gone.',
  });
});

it('is told from every other answer', () => {
  expect(isRefusal(full)).toBe(true);
  const others = [
    undefined,
    null,
    false,
    0,
    'refusal',
    [],
    {},
    { refusal: 'yes' },
    { refusal: false },
    [full],
  ];
  expect(others.filter(isRefusal)).toEqual([]);
  // A function may carry anything.
  expect(isRefusal(Object.assign(() => full, full))).toBe(false);
});

it('passes as it is through code that can only throw', () => {
  const error = new RefusalError(full);
  expect(error).toBeInstanceOf(Error);
  expect(error.refusal).toBe(full);
  expect(String(error)).toBe('RefusalError: There is no room left.');
});
