import { describe, expect, it } from 'vitest';
import { lastDayOf, readSlippage } from './run-settings.ts';

describe('the settings of a run', () => {
  it('know the last day that any ticker has a price', () => {
    const days = ['2026-11-18', '2026-11-20', '2019-03-01'];
    expect(lastDayOf(days.map((last_day) => ({ last_day })))).toBe('2026-11-20');
    expect(lastDayOf([])).toBeUndefined();
  });
  it('take whole basis points from 0 to 1000 only', () => {
    const readIt = (text: string) => {
      const entry = readSlippage(text);
      return entry.isRead ? entry.value : null;
    };
    expect(['0', '1000', '12', '25 bps'].map(readIt)).toEqual([0, 1000, 12, 25]);
    expect(['', ' ', '-1', '1001', '1.5', 'ten'].map(readIt)).toEqual([null, null, null, null, null, null]);
  });
});
