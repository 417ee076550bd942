import { describe, expect, it } from 'vitest';
import { entryFault, readNumber, readNumberOrVariable } from './number-entry.ts';

const readIt = (text: string) => {
  const entry = readNumber(text);
  return entry.isRead ? entry.value : entry.reason;
};

describe('numbers as people type them', () => {
  it.each([
    ['80%', 80],
    ['80 %', 80],
    ['79,5', 79.5],
    ['79.5', 79.5],
    ['-3', -3],
    ['−3', -3],
    ['+4', 4],
    ['.5', 0.5],
    [',5', 0.5],
    ['0,125', 0.125],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['12 500', 12_500],
    ['1 234 567,5', 1_234_567.5],
    ["12'500", 12_500],
    ['- 3', -3],
    ['12\u202f500', 12_500],
    ['1e3', 1000],
  ])('%s is read as %d', (text, value) => {
    expect(readIt(text)).toBe(value);
  });
  it.each([
    'many',
    '',
    '12abc',
    '1,2,3',
    '--4',
    '0x10',
    'Infinity',
    '1 000,5.2',
    '10 20',
    '1 00',
    '1000 000',
    '1.5 000',
  ])('%j is refused', (text) => {
    expect(readNumber(text).isRead).toBe(false);
  });
  it('what can be read in two ways is refused with both', () => {
    expect(readIt('1,000')).toBe('“1,000” may be 1.000 or 1000: write one of them');
    expect(readIt('1.000')).toBe('“1.000” may be 1 or 1000: write one of them');
    expect(readIt('-2.500')).toBe('“-2.500” may be -2.5 or -2500: write one of them');
    expect(readIt('79.125')).toBe(79.125);
    expect(readIt('0.100')).toBe(0.1);
    expect(readIt('1000.000')).toBe(1000);
  });
  it('names the limits that a number breaks, and changes nothing of it', () => {
    const window = { isWhole: true, min: 1, max: 2000 };
    for (const text of ['0', '-3', '10.5', '1e9'])
      expect(entryFault(readNumber(text, window))).toBe(`“${text}” is not a whole number from 1 to 2000`);
    for (const [text, value] of [
      ['1', 1],
      ['2000', 2000],
    ] as const)
      expect(readNumber(text, window)).toEqual({ isRead: true, value });
    expect(entryFault(readNumber('2001', window))).not.toBeNull();
    expect(entryFault(readNumber('', { min: 2 }))).toBe('Enter a number of at least 2');
  });
  it('takes variables where they may stand', () => {
    expect(readNumberOrVariable(' $W ')).toEqual({ isRead: true, value: '$W' });
    expect(readNumberOrVariable('$').isRead).toBe(false);
    expect(readNumberOrVariable('80%')).toEqual({ isRead: true, value: 80 });
  });
});
