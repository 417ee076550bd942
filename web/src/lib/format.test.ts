import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatCents,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatIndicator,
  formatMetric,
  formatPercent,
  formatSignedPercent,
  formatTime,
  formatUnixDay,
  fromDay,
  METRICS,
  plural,
  toDay,
} from './format.ts';

describe('dates', () => {
  it('are MMMM D, YYYY and h:mm A', () => {
    expect(formatDate('2025-03-17')).toBe('March 17, 2025');
    expect(formatDate('1990-01-01')).toBe('January 1, 1990');
    expect(formatTime(new Date(2025, 2, 17, 0, 5))).toBe('12:05 AM');
    expect(formatTime(new Date(2025, 2, 17, 12, 0))).toBe('12:00 PM');
    expect(formatDateTime(new Date(2025, 2, 17, 16, 5))).toBe('March 17, 2025 4:05 PM');
  });

  it('are -- where there is none', () => {
    for (const value of [null, undefined, '', 'soon', Number.NaN]) expect(formatDate(value)).toBe('--');
  });

  it('of Unix seconds are UTC days', () => {
    expect(formatUnixDay(0)).toBe('1970-01-01');
    expect(formatUnixDay(86_399)).toBe('1970-01-01');
    expect(formatUnixDay(null)).toBe('--');
  });

  it.each(['America/New_York', 'Pacific/Kiritimati'])('are the same days in %s', (zone) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      expect([formatUnixDay(0), formatUnixDay(86_399)]).toEqual(['1970-01-01', '1970-01-01']);
      expect(formatDateTime('2025-03-17')).toBe('March 17, 2025 12:00 AM');
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  it('survive the way to text and back, whatever the time zone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 0, max: 365 }), (year, day) => {
        const date = new Date(year, 0, 1 + day);
        expect(fromDay(toDay(date))?.getTime()).toBe(date.getTime());
      }),
    );
    expect(fromDay('2025-02-30')).toBeNull();
    expect(fromDay('yesterday')).toBeNull();
  });
});

describe('durations', () => {
  it.each([
    [0, '0s'],
    [59.9, '59s'],
    [60, '1m 0s'],
    [3_599, '59m 59s'],
    [3_600, '1h 0m 0s'],
    [90_061, '25h 1m 1s'],
  ])('%d seconds are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it('are -- for what is no duration', () => {
    for (const value of [null, undefined, Number.NaN, -1]) expect(formatDuration(value)).toBe('--');
  });
});

describe('figures', () => {
  it('show fractions in percent with two decimals', () => {
    expect(formatPercent(0.12)).toBe('12.00%');
    expect(formatPercent(-0.000001)).toBe('0.00%');
    expect(formatPercent(12.345678)).toBe('1,234.57%');
    expect(formatPercent(null)).toBe('--');
    expect(formatSignedPercent(0.05)).toBe('+5.00%');
    expect(formatSignedPercent(-0.05)).toBe('-5.00%');
    expect(formatSignedPercent(0)).toBe('0.00%');
    // Nor has it a sign where nothing of it is to be seen.
    expect(formatSignedPercent(0.00004)).toBe('0.00%');
    expect(formatSignedPercent(-0.00004)).toBe('0.00%');
  });

  it('show missing and zero metrics as --', () => {
    for (const spec of METRICS)
      for (const value of [null, undefined, 0, Number.NaN]) expect(formatMetric(spec, value)).toBe('--');
  });

  it('show indicators with 2 decimals above 1, otherwise 4', () => {
    expect(formatIndicator(1.23456)).toBe('1.23');
    expect(formatIndicator(1)).toBe('1.0000');
    expect(formatIndicator(-5.5)).toBe('-5.5000');
  });

  it('show cents in dollars and counts with separators', () => {
    expect(formatCents(3000)).toBe('$30.00');
    expect(formatCents(-123_456)).toBe('-$1,234.56');
    expect(formatCount(1_499_520)).toBe('1,499,520');
    expect(plural(1, 'combination')).toBe('1 combination');
    expect(plural(2, 'batch', 'batches')).toBe('2 batches');
  });
});

describe('how long ago', () => {
  const now = Date.UTC(2026, 0, 31, 12);
  it.each([
    [10, 'just now'],
    [90, '2 minutes ago'],
    [3_600, '1 hour ago'],
    [100_000, 'yesterday'],
    [2 * 86_400 - 1, 'yesterday'],
    [2 * 86_400, '2 days ago'],
    [5 * 86_400, '5 days ago'],
  ])('%d seconds are %s', (seconds, text) => expect(formatAgo(now - seconds * 1000, now)).toBe(text));
});
