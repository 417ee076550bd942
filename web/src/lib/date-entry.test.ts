import { describe, expect, it } from 'vitest';
import { readDate } from './date-entry.ts';

const LIMITS = { min: '1990-01-01', max: '2026-11-22' };
const read = (text: string) => {
  const entry = readDate(text, LIMITS);
  return entry.isRead ? entry.day : entry.reason;
};

describe('dates as people type them', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2024/2/9', '2024-02-09'],
    ['20240229', '2024-02-29'],
    ['February 29, 2024', '2024-02-29'],
    ['Feb 29 2024', '2024-02-29'],
    ['29 February 2024', '2024-02-29'],
    ['29.2.2024', '2024-02-29'],
    // With points the day comes first, also where it could be a month.
    ['3.4.2024', '2024-04-03'],
    ['2/29/2024', '2024-02-29'],
    ['29/2/2024', '2024-02-29'],
    ['3/3/2024', '2024-03-03'],
    // The limits are days that can be had.
    ['2026-11-22', '2026-11-22'],
    ['1990-01-01', '1990-01-01'],
  ])('%s is %s', (text, day) => {
    expect(read(text)).toBe(day);
  });
  it.each([
    ['2024-02-30', '“2024-02-30” is on no calendar'],
    ['Feb 30, 2024', '“Feb 30, 2024” is on no calendar'],
    ['2023-02-29', '“2023-02-29” is on no calendar'],
    ['2024-13-01', '“2024-13-01” is on no calendar'],
    ['Foo 3, 2024', '“Foo 3, 2024” is on no calendar'],
    ['soon', '“soon” is no date: write one like 2026-11-22'],
    ['2024', '“2024” is no date: write one like 2026-11-22'],
    ['2026-11-23', 'No date after November 22, 2026'],
    ['1989-12-31', 'No date before January 1, 1990'],
    ['12/5/2024', '“12/5/2024” may be December 5, 2024 or May 12, 2024: write 2024-12-05 or 2024-05-12'],
    ['3/4/2024', '“3/4/2024” may be March 4, 2024 or April 3, 2024: write 2024-03-04 or 2024-04-03'],
  ])('%s is refused: %s', (text, reason) => {
    expect(read(text)).toBe(reason);
  });
});
