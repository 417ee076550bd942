import { describe, expect, it } from 'vitest';
import { conceptAddress, conceptAddressOf, METRIC_CONCEPTS } from './metric-concepts.ts';
import {
  COMMON_COLUMNS,
  FLOAT_COLUMNS,
  inSampleColumn,
  isLowerBetter,
  knowsTheFuture,
  METRIC_COLUMNS,
  MORE_COLUMNS,
  OTHER_FILL_COLUMNS,
  SPLIT_COLUMNS,
  STATISTICS_COLUMNS,
} from './result-block.ts';

describe('the columns of result rows', () => {
  it('each have a name of their own, those of risk and ten blocks among them', () => {
    expect(new Set(FLOAT_COLUMNS).size).toBe(FLOAT_COLUMNS.length);
    expect(FLOAT_COLUMNS).toEqual([...COMMON_COLUMNS, ...OTHER_FILL_COLUMNS]);
    expect(COMMON_COLUMNS).toHaveLength(8 + 33 + 16 + 8);
    for (const name of ['n', 'block_count_0', 'block_sum_9', 'block_sum_squares_9', 'in_sharpe_ratio'])
      expect(COMMON_COLUMNS).toContain(name);
    expect(COMMON_COLUMNS).not.toContain('block_count_10');
  });

  it('are better the smaller they are where they are risk, and better the larger else', () => {
    expect(METRIC_COLUMNS.filter(isLowerBetter)).toEqual(['standard_deviation', 'max_drawdown']);
  });

  it('stay shut before an out-of-sample part is opened where they know anything of it', () => {
    const known = [...METRIC_COLUMNS, ...SPLIT_COLUMNS, ...OTHER_FILL_COLUMNS].filter(knowsTheFuture);
    expect(known).toEqual(METRIC_COLUMNS.map((name) => `out_${name}`));
    for (const name of [...STATISTICS_COLUMNS, ...MORE_COLUMNS])
      expect(knowsTheFuture(name), name).toBe(true);
    expect(knowsTheFuture('combination')).toBe(false);
  });

  it('stand for the days before that part where they are metrics', () => {
    for (const name of METRIC_COLUMNS) expect(SPLIT_COLUMNS).toContain(inSampleColumn(name));
    expect(inSampleColumn('sharpe_ratio')).toBe('in_sharpe_ratio');
    for (const name of ['trades', '$A', 'in_sharpe_ratio']) expect(inSampleColumn(name)).toBe(name);
  });
});

describe('the guide to figures', () => {
  it('explains each of them under an address, in whatever part or fill it is', () => {
    for (const concept of METRIC_CONCEPTS) {
      expect(conceptAddress(concept)).toMatch(/^\/docs\/metrics#[a-z0-9-]+$/);
      expect(conceptAddressOf(concept)).toBe(conceptAddress(concept));
      for (const part of ['in', 'out', 'other_fill'])
        expect(conceptAddressOf(`${part}_${concept}`)).toBe(conceptAddress(concept));
    }
    expect(conceptAddress('calmer')).toBe(conceptAddress('calmer_ratio'));
  });

  it('does not explain what is no figure', () => {
    for (const name of [
      '',
      '$A',
      'in_',
      'sharpe_ratios',
      'in_in_sharpe_ratio',
      'within_sharpe_ratio',
      'toString',
    ])
      expect(conceptAddressOf(name), name).toBeUndefined();
  });
});
