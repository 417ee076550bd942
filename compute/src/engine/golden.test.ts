import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../testing/block-cells.ts';
import {
  type ExpectedAnswer,
  type GoldenBatch,
  type GoldenCase,
  goldenFiles,
  panelPath,
  readPanel,
} from '../../testing/golden-files.ts';
import { runBacktest } from './backtest.ts';
import { createBatchEngine } from './batch-engine.ts';
import { allocateColumns, blockView } from './result-columns.ts';
import { METRIC_OF_COLUMN } from './statistics.ts';

const OPTIONS = { today: '2026-11-21' };

/** The tolerance that the golden cases state. */
function expectNumber(actual: unknown, expected: number | null, what: string): void {
  if (expected === null) {
    expect(actual, what).toBeNull();
    return;
  }
  const distance = Math.abs((actual as number) - expected);
  const isClose = typeof actual === 'number' && distance <= 1e-9 * Math.abs(expected) + 1e-12;
  expect(isClose, `${what}: ${String(actual)} instead of ${expected}`).toBe(true);
}

function expectNumbers(actual: readonly unknown[], expected: readonly (number | null)[], what: string): void {
  expect(actual.length, what).toBe(expected.length);
  expected.forEach((value, i) => {
    expectNumber(actual[i], value, `${what}[${i}]`);
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

function expectAnswer(answer: BacktestAnswer, expected: ExpectedAnswer): void {
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
  for (const part of ['tickers', 'indicators'] as const) {
    for (const [key, values] of Object.entries(expected[part])) {
      const actual = history[part][key];
      if (actual === undefined) throw new Error(`${part} has no ${key}`);
      expectNumbers(thin(actual), values, `${part} ${key}`);
      expectNumber(mean(actual), expected.means[part][key] as number, `mean of ${part} ${key}`);
    }
  }
}

function refusalOf(run: () => unknown): RefusalError {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

describe('golden cases', () => {
  for (const golden of goldenFiles<GoldenCase>('cases')) {
    const path = panelPath(golden);
    test.skipIf(path === null)(golden.name, () => {
      const prices = readPanel(path as string);
      const { expected, request } = golden;
      if ('status' in expected) {
        const { refusal } = refusalOf(() => runBacktest(request, prices, OPTIONS));
        expect(refusal.status).toBe(expected.status);
        for (const text of expected.error_mentions) expect(refusal.detail).toContain(text);
        return;
      }
      expectAnswer(runBacktest(request, prices, OPTIONS), expected);
    });
  }
});

describe.each(['reference', 'fast'] as const)('golden batches, %s path', (force) => {
  for (const golden of goldenFiles<GoldenBatch>('batches')) {
    test(golden.name, () => {
      const { expected, request } = golden;
      const prices = readPanel(panelPath(golden) as string);
      const engine = createBatchEngine(request, prices, { ...OPTIONS, force });
      const { plan } = engine;
      expect(plan.requestedCombinations).toBe(expected.requested_combinations);
      expect(plan.combinations).toBe(expected.combinations);
      expect(plan.csvColumns).toEqual(expected.columns);
      const columns = allocateColumns(0, plan.combinations);
      const block = blockView(columns, '', plan.space, engine.run(columns, 0, plan.combinations));
      expected.rows.forEach((row, k) => {
        const actual = cellsOf(plan, block, k);
        row.forEach((cell, c) => {
          const what = `row ${k}, ${expected.columns[c]}`;
          if (typeof cell === 'number' && typeof actual[c] === 'number') expectNumber(actual[c], cell, what);
          else expect(actual[c], what).toBe(cell);
        });
      });
      expected.statistics?.forEach((statistics, k) => {
        for (const [name, value] of Object.entries(statistics ?? {})) {
          const stored = block.floats[name]?.[k] as number;
          expectNumber(Number.isNaN(stored) ? null : stored, value, `row ${k}, ${name}`);
        }
      });
      expect(block.failures.map(({ combination }) => String(combination))).toEqual(
        Object.keys(expected.failed),
      );
      for (const { combination, reason } of block.failures) {
        for (const text of expected.failed[combination] ?? []) expect(reason).toContain(text);
      }
    });
  }
});

describe('golden cases as batches of one combination', () => {
  for (const golden of goldenFiles<GoldenCase>('cases')) {
    const { expected, request, name } = golden;
    const path = panelPath(golden);
    if ('status' in expected) continue;
    test.skipIf(path === null)(name, () => {
      const batch = {
        template_bot: { name, variables: [], algorithm: request.trading_bot },
        variables: {},
        backtest_config: request,
      };
      const engine = createBatchEngine(batch, readPanel(path as string), OPTIONS);
      expect(engine.path).toBe('fast');
      const columns = allocateColumns(0, 1);
      const block = blockView(columns, '', engine.plan.space, engine.run(columns, 0, 1));
      expect(block.failures).toEqual([]);
      const [first, last, ...numbers] = cellsOf(engine.plan, block, 0);
      expect([first, last]).toEqual([expected.first_day, expected.last_day]);
      METRIC_COLUMNS.forEach((column, i) => {
        expectNumber(numbers[i], expected.metrics[METRIC_OF_COLUMN[column]], column);
      });
      engine.dispose?.();
    });
  }
});
