import { describe, expect, it, test } from 'vitest';
import { formatMetric } from '../../lib/format.ts';
import {
  FOLLOW_METRICS,
  horizonInWords,
  NOTHING_REGISTERED,
  registrationBody,
  registrationFault,
  specOf,
} from './registration.ts';

describe('what is registered', () => {
  it('is nothing unless a figure is chosen', () => {
    expect(registrationBody(NOTHING_REGISTERED)).toEqual({});
    expect(registrationFault({ metric: null, months: null })).toBeNull();
  });

  it('is a figure and a horizon in days', () => {
    expect(registrationBody({ metric: 'sharpe', months: 12 })).toEqual({
      metric: 'sharpe',
      horizon_days: 365,
    });
    expect(registrationBody({ metric: 'calmer', months: 60 })).toEqual({
      metric: 'calmer',
      horizon_days: 1826,
    });
  });

  it.each([null, 0, -1, 1.5, 61])('is refused for %s months', (months) => {
    expect(registrationFault({ metric: 'sharpe', months })).toBe('Give whole months, 1 to 60.');
  });
});

test('a horizon is said in months where it was chosen in months, else in days', () => {
  for (let months = 1; months <= 60; months++) {
    const { horizon_days: days = 0 } = registrationBody({ metric: 'sharpe', months });
    expect(horizonInWords(days)).toBe(months === 1 ? '1 month' : `${months} months`);
  }
  expect([1, 90, 180, 364].map(horizonInWords)).toEqual(['1 day', '90 days', '180 days', '364 days']);
});

test('each figure has a name and a form', () => {
  expect(FOLLOW_METRICS.map((metric) => formatMetric(specOf(metric), 0.5))).toEqual([
    '0.50',
    '50.00%',
    '50.00%',
    '50.00%',
    '0.50',
  ]);
});
