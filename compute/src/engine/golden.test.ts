import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../testing/block-cells.ts';
import { expectAnswer, expectNumber } from '../../testing/golden-answers.ts';
import {
  type GoldenBatch,
  type GoldenCase,
  goldenFiles,
  panelPath,
  readPanel,
} from '../../testing/golden-files.ts';
import { runBacktest } from './answers/backtest.ts';
import { createBatchEngine } from './batch/create-batch-engine.ts';
import { allocateColumns, blockView } from './figures/result-columns.ts';
import { METRIC_OF_COLUMN } from './figures/statistics.ts';

const OPTIONS = { today: '2026-11-21' };

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
