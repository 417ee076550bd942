import { describe, expect, it } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { FEATURES, type Feature } from '../identity/plans.ts';
import { planLimitText, planProblemOfTickers, planProblems, planProblemsOfSettings } from './plan-limits.ts';

const without = (...gone: readonly Feature[]) => FEATURES.filter((feature) => !gone.includes(feature));
const told = (text: string, features: readonly Feature[] = []) =>
  planProblems(strategyOfText(text), features).map(({ code, message }) => `${code}: ${message}`);

describe('what a plan does not have', () => {
  it.each<[string, string[]]>([
    ['SPY', []],
    [
      '$A',
      ['plan_without_variables: Asset $A (n1) uses the variable $A (Variables not available in your plan)'],
    ],
    ['SIM:TQQQ', ['plan_without_simulated_tickers: Asset SIM:TQQQ (n1) uses the simulated ticker SIM:TQQQ']],
    ['if Z-Score(SPY, 20) > 1 then SPY', ['plan_without_z_score: Condition on SPY (n2) uses the Z-Score']],
    ['top 1 by Z-Score(20) of [SPY, TLT]', ['plan_without_z_score: Filter (n1) uses the Z-Score']],
    [
      'if RSI(QQQ/SIM:SPY, $W) > $X then SPY',
      [
        'plan_without_variables: Condition on QQQ/SIM:SPY (n2) uses the variable $W (Variables not ' +
          'available in your plan)',
        'plan_without_simulated_tickers: Condition on QQQ/SIM:SPY (n2) uses the simulated ticker SIM:SPY',
      ],
    ],
    [
      'if RSI(SPY/$B, 10) > 1 then [$A, SPY]',
      [
        'plan_without_variables: Condition on SPY/$B (n2) uses the variable $B (Variables not available in your plan)',
        'plan_without_variables: Asset $A (n3) uses the variable $A (Variables not available in your plan)',
      ],
    ],
    // A name says nothing.
    ['group "SIM:X and $A" [SPY "z-score"]', []],
  ])('%s', (text, problems) => expect(told(text)).toEqual(problems));

  it('is what each feature gives by itself', () => {
    const all = 'if Z-Score(SIM:SPY, $W) > 1 then SPY';
    const codes = (features: readonly Feature[]) => told(all, features).map((one) => one.split(':')[0]);
    expect(codes(FEATURES)).toEqual([]);
    expect(codes(without('web.batch-backtests.create'))).toEqual(['plan_without_variables']);
    expect(codes(without('web.z-score.view'))).toEqual(['plan_without_z_score']);
    expect(codes(without('web.simulated-tickers.view'))).toEqual(['plan_without_simulated_tickers']);
    expect(codes([])).toHaveLength(3);
  });

  it('counts in the terms of a run, too', () => {
    const settings = {
      benchmark_ticker: 'SIM:SPY',
      cash: { ticker: ' sim:bil' },
      benchmarks: ['QQQ', 'SIM:AGG'],
    };
    const code = 'plan_without_simulated_tickers';
    expect(planProblemsOfSettings(settings, [], '/config')).toEqual([
      { code, message: 'The benchmark uses the simulated ticker SIM:SPY', path: '/config/benchmark_ticker' },
      { code, message: 'Cash uses the simulated ticker  sim:bil', path: '/config/cash' },
      {
        code,
        message: 'The list of benchmarks uses the simulated ticker SIM:AGG',
        path: '/config/benchmarks',
      },
    ]);
    expect(planProblemsOfSettings(settings, ['web.simulated-tickers.view'])).toEqual([]);
    expect(planProblemsOfSettings({ benchmark_ticker: 'SPY', cash: { rate: 4 } }, [])).toEqual([]);
    expect(planProblemsOfSettings({ benchmark_ticker: 'SIM:X', benchmarks: null }, [])[0]?.path).toBe(
      '/benchmark_ticker',
    );
    expect(planProblemOfTickers([7, 'SPY', 'A:SIM:X'], [], 'It', '/x')).toBeNull();
  });

  it('is told as the catalogue has it', () => {
    const text = (code: string) => planLimitText([{ code, message: '' }]);
    expect(text('plan_without_z_score')).toMatch(/^Plan Limitation: Z-Score is not available/);
    expect(text('plan_without_simulated_tickers')).toMatch(/^Plan Limitation: Simulated tickers are not/);
    expect(text('plan_without_variables')).toBe(
      'Plan Limitation: Variables are not available in your current plan. Please upgrade to use ' +
        'variables in conditions.',
    );
    expect(planLimitText([])).toBe(text('plan_without_variables'));
  });
});
