import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../testing/block-cells.ts';
import { expectAnswer, expectNumber } from '../../testing/golden-answers.ts';
import {
  type GoldenBatch,
  type GoldenCase,
  panelPath,
  readPanel,
  secondGoldenFiles,
} from '../../testing/golden-files.ts';
import { runBacktest } from './answers/backtest.ts';
import { createBatchEngine } from './batch/create-batch-engine.ts';
import { allocateColumns, blockView } from './figures/result-columns.ts';
import { METRIC_OF_COLUMN } from './figures/statistics.ts';

const OPTIONS = { today: '2026-11-21' };
const CASES = secondGoldenFiles<GoldenCase>('cases');

function refusalOf(run: () => unknown): RefusalError {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

describe('golden cases of the second part', () => {
  for (const { name, panel, panel_sha256, request, expected } of CASES) {
    const path = panelPath({ panel, ...(panel_sha256 !== undefined && { panel_sha256 }) });
    test.skipIf(path === null)(name, () => {
      const prices = readPanel(path as string);
      if ('status' in expected) {
        const { refusal } = refusalOf(() => runBacktest(request, prices, OPTIONS));
        expect(refusal.status).toBe(expected.status);
        for (const text of expected.error_mentions) expect(refusal.detail).toContain(text);
        return;
      }
      const include = { ...request.include, explanation: expected.conditions !== undefined };
      expectAnswer(runBacktest({ ...request, include }, prices, OPTIONS), expected);
    });
  }
});

describe('golden batches of the second part', () => {
  for (const golden of secondGoldenFiles<GoldenBatch>('batches')) {
    test(golden.name, () => {
      const { expected, request } = golden;
      const prices = readPanel(panelPath(golden) as string);
      const engine = createBatchEngine(request, prices, OPTIONS);
      const { plan } = engine;
      expect(plan.requestedCombinations).toBe(expected.requested_combinations);
      expect(plan.combinations).toBe(expected.combinations);
      expect(plan.csvColumns).toEqual(expected.columns);
      const columns = allocateColumns(0, plan.combinations);
      const block = blockView(columns, '', plan.space, engine.run(columns, 0, plan.combinations));
      engine.dispose?.();
      expected.rows.forEach((row, k) => {
        const actual = cellsOf(plan, block, k);
        row.forEach((cell, c) => {
          const what = `row ${k}, ${expected.columns[c]}`;
          if (typeof cell === 'number' && typeof actual[c] === 'number') expectNumber(actual[c], cell, what);
          else expect(actual[c], what).toBe(cell);
        });
      });
      expect(expected.more_columns).toEqual(['turnover_per_year', 'trades']);
      expected.more_rows?.forEach((row, k) => {
        expected.more_columns?.forEach((name, c) => {
          const stored = block.floats[name]?.[k] as number;
          expectNumber(Number.isNaN(stored) ? null : stored, row?.[c] ?? null, `row ${k}, ${name}`);
        });
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

describe('golden cases of the second part as batches of one combination', () => {
  for (const { name, panel, panel_sha256, request, expected } of CASES) {
    const path = panelPath({ panel, ...(panel_sha256 !== undefined && { panel_sha256 }) });
    if ('status' in expected) continue;
    test.skipIf(path === null)(name, () => {
      const batch = {
        template_bot: { name, variables: [], algorithm: request.trading_bot },
        variables: {},
        backtest_config: request,
      };
      const engine = createBatchEngine(batch, readPanel(path as string), OPTIONS);
      const columns = allocateColumns(0, 1);
      const block = blockView(columns, '', engine.plan.space, engine.run(columns, 0, 1));
      engine.dispose?.();
      expect(block.failures).toEqual([]);
      const [first, last, ...numbers] = cellsOf(engine.plan, block, 0);
      expect([first, last]).toEqual([expected.first_day, expected.last_day]);
      METRIC_COLUMNS.forEach((column, i) => {
        expectNumber(numbers[i], expected.metrics[METRIC_OF_COLUMN[column]], column);
      });
    });
  }
});
