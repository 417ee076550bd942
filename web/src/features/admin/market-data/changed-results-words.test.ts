import { expect, it } from 'vitest';
import { resultsHeading } from './changed-results-words.ts';

it('says how many results there are, and what becomes of their prices', () => {
  expect(resultsHeading('batch', 1, 'previewed')).toBe('1 batch used prices that this import would change');
  expect(resultsHeading('batch', 1_234, 'published')).toBe('1,234 batches used prices that are others now');
  expect(resultsHeading('strategy', 1, 'published')).toBe(
    '1 strategy, by its last run, used prices that are others now',
  );
  expect(resultsHeading('strategy', 2, 'undone')).toBe(
    '2 strategies, by their last run, use the prices again that they were computed on',
  );
});
