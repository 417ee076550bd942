import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readBatchRequest } from '../../batch/request.ts';
import { PLANS } from '../../identity/plans.ts';
import { isRefusal } from '../../kernel/refusal.ts';
import { validateAlgorithm } from '../../strategy/validation.ts';
import { EXAMPLE_ALGORITHM, EXAMPLE_BACKTEST, EXAMPLE_BATCH } from './examples.ts';

it('can be run as they are', () => {
  expect(validateAlgorithm(EXAMPLE_ALGORITHM, { requireBound: true })).toEqual([]);
  const batch = readBatchRequest(EXAMPLE_BATCH, { today: '2026-01-01', features: PLANS.api.features });
  expect(isRefusal(batch) ? batch : batch.combinations).toBe(6);
});

it.each([
  ['backtest.json', EXAMPLE_BACKTEST],
  ['batch.json', EXAMPLE_BATCH],
])('are those of docs/examples: %s', (name, example) => {
  const file = path.join(import.meta.dirname, '../../../../docs/examples', name);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(example);
});
