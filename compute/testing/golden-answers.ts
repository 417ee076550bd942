import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { expect } from 'vitest';
import type { ExpectedAnswer } from './golden-files.ts';

/**
 * The tolerance that the golden cases state.
 * @param scale what it is relative to where the number is a difference of larger ones
 */
export function expectNumber(actual: unknown, expected: number | null, what: string, scale = 0): void {
  if (expected === null) {
    expect(actual, what).toBeNull();
    return;
  }
  const distance = Math.abs((actual as number) - expected);
  const isClose =
    typeof actual === 'number' && distance <= 1e-9 * Math.max(Math.abs(expected), scale) + 1e-12;
  expect(isClose, `${what}: ${String(actual)} instead of ${expected}`).toBe(true);
}

function expectNumbers(
  actual: readonly unknown[],
  expected: readonly (number | null)[],
  what: string,
  scales: readonly number[] = [],
): void {
  expect(actual.length, what).toBe(expected.length);
  expected.forEach((value, i) => {
    expectNumber(actual[i], value, `${what}[${i}]`, scales[i]);
  });
}

function expectRecord(actual: object | null, expected: object | null, what: string): void {
  if (expected === null || actual === null) {
    expect(actual, what).toBe(expected);
    return;
  }
  expect(Object.keys(actual).sort(), what).toEqual(Object.keys(expected).sort());
  for (const [key, value] of Object.entries(expected)) {
    expectNumber((actual as Record<string, unknown>)[key], value as number | null, `${what}.${key}`);
  }
}

/** Holds an answer against a golden case, whichever of its fields the case has. */
export function expectAnswer(answer: BacktestAnswer, expected: ExpectedAnswer): void {
  const { calculated_dates: dates, history } = answer;
  expect(dates.first_day).toBe(expected.first_day);
  expect(dates.last_day).toBe(expected.last_day);
  for (const end of ['first_day_decided_by', 'last_day_decided_by'] as const) {
    if (expected[end].length === 0) expect(dates[end], end).toEqual([]);
    else
      expect(
        expected[end].some((key) => dates[end].includes(key)),
        `${end}: ${dates[end]}`,
      ).toBe(true);
  }
  expect(dates.first_defined).toMatchObject(expected.first_defined);
  expectRecord(answer.metrics, expected.metrics, 'metrics');
  expectRecord(answer.benchmark_metrics, expected.benchmark_metrics, 'benchmark_metrics');
  if (history === undefined) throw new Error('The answer has no history');
  expect(history.timestamps.length).toBe(expected.days);
  const given = history.timestamps
    .map((_, i) => i)
    .filter((i) => i % expected.every === 0 || i === expected.days - 1);
  const thin = <T>(list: readonly T[]) => given.map((i) => list[i] as T);
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  expect(thin(history.timestamps)).toEqual(expected.timestamps);
  expectNumbers(thin(history.value), expected.value, 'value');
  if (expected.benchmark_value === null) expect(history.benchmark_value).toBeNull();
  else expectNumbers(thin(history.benchmark_value ?? []), expected.benchmark_value, 'benchmark_value');
  expectNumber(mean(history.value), expected.means.value, 'mean of value');
  expect(Object.keys(history.tickers).sort()).toEqual(Object.keys(expected.tickers).sort());
  const scales = expected.indicator_scales ?? {};
  for (const part of ['tickers', 'indicators'] as const) {
    for (const [key, values] of Object.entries(expected[part])) {
      const actual = history[part][key];
      if (actual === undefined) throw new Error(`${part} has no ${key}`);
      const isScaled = part === 'indicators';
      expectNumbers(thin(actual), values, `${part} ${key}`, isScaled ? scales[key] : []);
      const scale = isScaled ? expected.means.indicator_scales?.[key] : undefined;
      expectNumber(mean(actual), expected.means[part][key] as number, `mean of ${part} ${key}`, scale);
    }
  }
  if (expected.turnover !== undefined) expectTurnover(thin(history.turnover), expected.turnover);
  for (const [id, { lhs, rhs, holds, scale }] of Object.entries(expected.conditions ?? {})) {
    const actual = answer.explanation?.conditions[id];
    if (actual === undefined) throw new Error(`The explanation has no condition ${id}`);
    expectNumbers(thin(actual.lhs), lhs, `left side of ${id}`, scale);
    expectNumbers(thin(actual.rhs), rhs, `right side of ${id}`, scale);
    expect(thin(actual.holds), `whether ${id} held`).toEqual(holds);
  }
  expect(Object.keys(answer.benchmarks ?? {}).sort()).toEqual(Object.keys(expected.benchmarks ?? {}).sort());
  for (const [ticker, benchmark] of Object.entries(expected.benchmarks ?? {})) {
    const actual = answer.benchmarks?.[ticker];
    if (!actual || benchmark === null) {
      expect(actual, ticker).toBe(benchmark);
      continue;
    }
    expectRecord(actual.metrics, benchmark.metrics, `metrics of ${ticker}`);
    expectNumbers(thin(actual.value ?? []), benchmark.value, `value of ${ticker}`);
    expectNumber(mean(actual.value ?? []), benchmark.mean, `mean value of ${ticker}`);
  }
  if (expected.report !== undefined) expectReport(answer.report, expected.report, 'report');
}

/** Rounded to a billionth in the answer. */
function expectTurnover(actual: readonly number[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries())
    expect(Math.abs((actual[i] as number) - value), `turnover[${i}]`).toBeLessThanOrEqual(2e-9);
}

/** A part of a report; of long lists the case has every so manyth item. */
function expectReport(actual: unknown, expected: unknown, what: string): void {
  if (typeof expected === 'number') expectNumber(actual, expected, what);
  else if (Array.isArray(expected)) {
    const list = actual as readonly unknown[];
    expect(list.length, what).toBe(expected.length);
    for (const [i, item] of expected.entries()) expectReport(list[i], item, `${what}[${i}]`);
  } else if (isThinned(expected)) {
    const { length, every, items } = expected;
    const list = actual as readonly unknown[];
    expect(list.length, what).toBe(length);
    const given = list.filter((_, i) => i % every === 0 || i === length - 1);
    expectReport(given, items, what);
  } else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual as object).sort(), what).toEqual(Object.keys(expected).sort());
    for (const [key, item] of Object.entries(expected))
      expectReport((actual as Record<string, unknown>)[key], item, `${what}.${key}`);
  } else expect(actual, what).toBe(expected);
}

function isThinned(
  value: unknown,
): value is { readonly length: number; readonly every: number; readonly items: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'every' in value && 'items' in value;
}
