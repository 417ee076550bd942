import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { describe, expect, it } from 'vitest';
import { cameToOther } from './report-query.ts';

const run = (data_version: string, cumulative_return: number, duration = 250) => ({
  metrics: {
    duration,
    cumulative_return,
    annualized_return: cumulative_return,
    standard_deviation: 0.1,
    max_drawdown: -0.2,
    calmer: null,
    sharpe: null,
    trailing_1_month: 0.01,
    trailing_3_month: 0.02,
  } as BacktestAnswer['metrics'],
  provenance: { data_version, engine_version: '1', is_simulated: false },
});

describe('a report that is made after its run', () => {
  it('fits where an import added days behind the end, or changed other tickers', () => {
    expect(cameToOther(run('v1', 0.1), run('v2', 0.1))).toBe(false);
  });
  it('does not fit where a bar that the run used is another one now', () => {
    expect(cameToOther(run('v1', 0.1), run('v2', 0.1000001))).toBe(true);
  });
  it('does not fit where an open end has moved on', () => {
    expect(cameToOther(run('v1', 0.1), run('v2', 0.1, 251))).toBe(true);
  });
  it('always fits on the same version', () => {
    expect(cameToOther(run('v1', 0.1), run('v1', 0.1))).toBe(false);
  });
});
