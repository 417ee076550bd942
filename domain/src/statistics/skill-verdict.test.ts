import { describe, expect, it } from 'vitest';
import type { BatchSkill } from './batch-skill.ts';
import type { VerdictEvidence } from './figures.ts';
import type { SkillBasis } from './skill.ts';
import {
  comparedRows,
  effectiveTrials,
  type HeldByRow,
  isTimed,
  judgeSkill,
  type SkillTest,
  skillFigures,
  timingByLuck,
  trialsOf,
  withoutVerdict,
} from './skill-verdict.ts';
import { deflate } from './verdict.ts';

const BEST = { sharpe: 2 / Math.sqrt(252), n: 2_520, skewness: 0, kurtosis: 3 };
const EVIDENCE: VerdictEvidence = {
  deflation: deflate({
    best: BEST,
    deviation: 0.02,
    batchTrials: 40,
    lineageTrials: 40,
    equivalentTrials: 20,
  }),
  lineage: { batches: 1, singleRuns: 0, isSaved: true },
  bestSharpe: 2,
  ranking: { cash: 'Treasury bills' },
  days: 2_520,
  pbo: 0.05,
  splits: 252,
  kept: 0.6,
  probabilityOfLoss: 0.05,
  neighboursAboveMedian: 0.9,
  outOfSample: null,
};

/** The result of a batch of forty rows that were all computed again: what it finds by luck is `p` itself. */
function result(p: number, over: Partial<BatchSkill> = {}, basis: Partial<SkillBasis> = {}): BatchSkill {
  return {
    combination: 7,
    bestKind: 'strategy',
    days: 2_520,
    ran: 40,
    rows: 40,
    notStrategies: 0,
    alpha: {
      kind: 'strategy',
      alpha: 0.123,
      alphaError: 0.031,
      t: 3.97,
      beta: 0.85,
      betaError: 0.04,
      residualDeviation: 0.1,
      appraisal: 1.23,
      excessSharpe: 1.5,
      correlation: 0.71,
    },
    basis: { single: p, upper: p, isWhole: true, rows: 40, measured: null, ...basis },
    likeness: { squared: 0.25, rows: 30 },
    superiorAbility: 0.02,
    superior: 3,
    confidenceSet: [7, 9],
    ...over,
  };
}
const tested = (p: number, held: HeldByRow = { kind: 'one' }, of: BatchSkill = result(p)): SkillTest => ({
  outcome: 'tested',
  result: of,
  held,
  benchmark: 'SPY',
  cash: 'Treasury bills',
});
const several = (p: number, isStatic = false): HeldByRow & { kind: 'several' } => ({
  kind: 'several',
  isStatic,
  alpha: 0.045,
  t: 2,
  p,
});
const judged = (p: number, pbo: number, held?: HeldByRow) =>
  judgeSkill({ ...EVIDENCE, pbo }, tested(p, held), 40);

describe('the verdict on an alpha', () => {
  it.each([
    [0.029, 0.05, 'may_be_real', 'real_and_robust', 'was good in the other'],
    [0.029, 0.099, 'may_be_real', 'real_and_robust', 'was good in the other'],
    [0.029, 0.1, 'may_be_real', 'real_and_robust', 'mostly above the median in the other'],
    [0.029, 0.25, 'may_be_real', 'real_and_robust', 'only a little more often'],
    [0.029, 0.499, 'may_be_real', 'real_and_robust', '49.9%'],
    [0.029, 0.5, 'may_be_real', 'family_real', 'Take the median of the neighbourhood'],
    [0.029, Number.NaN, 'may_be_real', null, 'could not be measured'],
    [0.03, 0.05, 'likely_luck', 'lucky_pick', 'was good in the other'],
    [0.03, 0.499, 'likely_luck', 'lucky_pick', 'not more than luck explains'],
    [0.03, 0.5, 'likely_luck', 'noise', 'at or below the median in the other at least half of the time'],
    [0.03, Number.NaN, 'likely_luck', null, 'not more than luck explains'],
  ] as const)('by luck %d, overfit %d: %s, %s', (p, pbo, verdict, cell, words) => {
    const answer = judged(p, pbo);
    expect(answer).toMatchObject({ verdict, cell });
    expect(answer.sentence).toContain(words);
    expect(answer.sentence).toMatch(
      /After 40 trials an alpha of 12\.3% a year .*probability by luck \d\.\d%/,
    );
    expect(answer.tested).toMatch(
      /combination 7 beyond 0\.85 times SPY and beyond Treasury bills, over 2,520 days/,
    );
  });

  it('speaks of skill where the alpha is clear and the halves agree, and nowhere else', () => {
    const speaks = (p: number, pbo: number) => judged(p, pbo).sentence.includes('skill');
    expect([speaks(0.01, 0.05), speaks(0.01, 0.249)]).toEqual([true, true]);
    expect([speaks(0.01, 0.25), speaks(0.01, 0.6), speaks(0.01, Number.NaN), speaks(0.2, 0.05)]).toEqual(
      Array(4).fill(false),
    );
  });

  it('never says that something is impossible by luck', () => {
    expect(judged(0.000_9, 0.05).sentence).toContain('probability by luck below 0.1%');
    expect(judged(0.001, 0.05).sentence).toContain('probability by luck 0.1%');
  });

  it('is that of the best strategy where something else is on top', () => {
    const words = {
      cash: 'like cash',
      benchmark: 'equal to the benchmark',
      mix: 'a mix of the benchmark and cash',
    };
    for (const [bestKind, said] of Object.entries(words) as ['cash' | 'benchmark' | 'mix', string][]) {
      const test = tested(0.01, { kind: 'one' }, result(0.01, { bestKind }));
      expect(judgeSkill(EVIDENCE, test, 40).sentence).toContain(
        `best plain Sharpe ratio is ${said} and cannot win`,
      );
      const none = judgeSkill(EVIDENCE, { outcome: 'no strategy', bestKind }, 40);
      expect(none).toMatchObject({ verdict: 'not_tested', cell: null, tested: null });
      expect(none.sentence).toContain(`The best row is ${said}, and so are all others`);
    }
    expect(judged(0.01, 0.05).sentence).not.toContain('cannot win');
    expect(judgeSkill(EVIDENCE, { outcome: 'no strategy', bestKind: 'strategy' }, 40).sentence).toContain(
      'The best row is a strategy,',
    );
  });

  it('says nothing of too few days, but that there is no strategy', () => {
    const few = { ...EVIDENCE, days: 59 };
    const nothing = { verdict: 'too_little_data', cell: null, tested: null };
    expect(judgeSkill(few, tested(0.01), 40)).toMatchObject(nothing);
    const untested: SkillTest = { outcome: 'untested', reason: 'the prices are gone', isLasting: true };
    expect(judgeSkill(few, untested, 40)).toMatchObject(nothing);
    expect(judgeSkill(few, { outcome: 'no strategy', bestKind: 'cash' }, 40).verdict).toBe('not_tested');
    const plain = judgeSkill(EVIDENCE, untested, 40);
    expect(plain).toMatchObject({ verdict: 'not_tested', cell: null, tested: null });
    // The Sharpe ratio is judged all the same.
    expect(plain.sentence).toMatch(/because the prices are gone\. .*deflated Sharpe ratio/);
  });
});

describe('an alpha of what a row holds', () => {
  it('is no skill: where the mix was always the same, where choosing was luck, where nobody knows', () => {
    const held: [HeldByRow, string][] = [
      [several(0.001, true), 'it held the same mix all the time'],
      [several(0.2), 'its choices have earned no more than luck explains after 40 trials (4.5% a year'],
      [{ kind: 'unknown' }, 'is not known'],
    ];
    for (const [one, words] of held) {
      const answer = judged(0.01, 0.05, one);
      expect(answer).toMatchObject({ verdict: 'likely_luck', cell: null });
      expect(answer.sentence).toContain('An alpha of 12.3% a year is there (probability by luck 1.0%), but');
      expect(answer.sentence).toContain(words);
    }
    // An alpha that is luck needs no look at what was held.
    expect(judged(0.2, 0.05, several(0.2)).cell).toBe('lucky_pick');
    expect(judged(0.01, 0.05, several(0.000_1)).cell).toBe('real_and_robust');
  });

  it('was chosen where its choices are clearer than those of all trials by luck', () => {
    expect(timingByLuck(several(0.000_5), 40)).toBeCloseTo(1 - (1 - 0.000_5) ** 40, 12);
    expect(timingByLuck(several(0.000_5, true), 40)).toBe(1);
    expect(isTimed(several(0.000_7), 40)).toBe(true);
    expect(isTimed(several(0.000_8), 40)).toBe(false);
    expect([isTimed({ kind: 'one' }, 40), isTimed({ kind: 'unknown' }, 40)]).toEqual([true, false]);
  });
});

describe('an exercise on the prices of a model', () => {
  it('has the answer of the test, and neither verdict nor skill', () => {
    const answer = judged(0.01, 0.05);
    const exercise = withoutVerdict(answer);
    expect(exercise).toMatchObject({ verdict: 'simulated_prices', cell: null, tested: answer.tested });
    expect(exercise.sentence).toContain('As an exercise only, the test reads: Real and robust.');
    expect(exercise.sentence).not.toContain('skill');
    expect(withoutVerdict(judged(0.2, 0.05)).verdict).toBe('simulated_prices');
  });
  it('leaves alone what was no verdict', () => {
    const none = judgeSkill(EVIDENCE, { outcome: 'no strategy', bestKind: 'cash' }, 40);
    expect(withoutVerdict(none)).toBe(none);
  });
});

describe('the trials that a test answers for', () => {
  it('are those of the lineage without the rows that take no part', () => {
    expect(trialsOf(result(0.1), 100)).toBe(100);
    expect(trialsOf(result(0.1, { ran: 50 }), 100)).toBe(90);
    expect(trialsOf(result(0.1, { ran: 500 }), 100)).toBe(1);
  });
  it('raise the probability by luck once there are more than were computed again', () => {
    const p = (trials: number) =>
      skillFigures(tested(0.001), trials).find(({ key }) => key === 'alpha_p')?.value;
    expect([p(40), p(41)]).toEqual([0.001, expect.closeTo(1 - 0.999 ** 41, 10)]);
  });
  it('move in so many directions as the correlations between rows say', () => {
    // 40 / (1 + 39 / 4)
    expect(effectiveTrials(tested(0.1), 40)).toBeCloseTo(40 / 10.75, 12);
    expect(effectiveTrials(tested(0.1, { kind: 'one' }, result(0.1, { likeness: null })), 40)).toBeNaN();
    expect(effectiveTrials({ outcome: 'no strategy', bestKind: 'cash' }, 40)).toBeNaN();
  });
});

describe('the figures of the test', () => {
  const byKey = (test: SkillTest, trials = 40) =>
    Object.fromEntries(skillFigures(test, trials).map((one) => [one.key, one]));

  it('are its numbers, each in its unit and under its name', () => {
    const figures = skillFigures(tested(0.01, several(0.000_5)), 40);
    expect(figures.map(({ key, unit, value }) => [key, unit, value])).toEqual([
      ['alpha', 'share', 0.123],
      ['alpha_p', 'probability', 0.01],
      ['beta', 'ratio', 0.85],
      ['excess_sharpe', 'ratio', 1.5],
      ['equivalent_trials', 'count', 40],
      ['effective_trials', 'count', expect.closeTo(40 / 10.75, 12)],
      ['superior_ability', 'probability', 0.02],
      ['confidence_set', 'count', 2],
      ['timing_alpha', 'share', 0.045],
    ]);
    expect(new Set(figures.map(({ label }) => label)).size).toBe(figures.length);
    for (const { label, explanation, source } of figures) {
      expect(label.length).toBeGreaterThan(3);
      expect(explanation.length, label).toBeGreaterThan(20);
      expect(source.length, label).toBeGreaterThan(10);
    }
    expect(skillFigures(tested(0.01), 40).map(({ key }) => key)).not.toContain('timing_alpha');
    expect(skillFigures({ outcome: 'no strategy', bestKind: 'mix' }, 40)).toEqual([]);
  });

  it('have the tone of the level that the verdict has', () => {
    const tones = (p: number, timing: number) => {
      const figures = byKey(tested(p, several(timing), result(p, { superiorAbility: p * 1.5 })));
      return ['alpha', 'alpha_p', 'superior_ability', 'timing_alpha', 'beta'].map(
        (key) => figures[key]?.tone,
      );
    };
    expect(tones(0.029, 0.000_7)).toEqual(['good', 'good', 'good', 'good', 'neutral']);
    expect(tones(0.034, 0.000_8)).toEqual(['bad', 'bad', 'bad', 'bad', 'neutral']);
  });

  it('explain themselves by the numbers that they rest on', () => {
    const figures = byKey(tested(0.01, several(0.000_5)));
    expect(figures.alpha?.explanation).toMatch(
      /0\.85 times SPY and beyond Treasury bills.* 3\.1%: t is 3\.97/,
    );
    expect(figures.alpha_p?.explanation).toMatch(/40 trials.*single trial 1\.0%\. Below 3% /);
    expect(figures.beta?.explanation).toMatch(/Exposure to SPY.* 0\.04; .* 0\.71\./);
    expect(figures.excess_sharpe?.explanation).toContain('beyond Treasury bills');
    expect(figures.equivalent_trials?.explanation).toContain('Too few rows were run again');
    expect(figures.effective_trials?.explanation).toContain('daily returns of 30 rows');
    expect(figures.superior_ability?.explanation).toMatch(/none of the 40 rows.* 3\.$/);
    expect(figures.timing_alpha?.explanation).toMatch(/all trials: 2\.0%; as a single trial below 0\.1%/);
    const measured = { quarter: 5, whole: 12, sample: 30 };
    const sampled = result(0.01, { likeness: null }, { measured, isWhole: false });
    const others = byKey(tested(0.01, { kind: 'one' }, sampled));
    expect(others.equivalent_trials?.explanation).toContain('measured on 30 rows');
    expect(others.equivalent_trials?.value).toBeLessThan(40);
    expect(others.effective_trials).toMatchObject({ value: null });
    expect(others.effective_trials?.explanation).toContain('Too few rows');
  });

  it('say which rows were compared, and which were not', () => {
    expect(comparedRows(result(0.1))).toBe('Of all 40 strategies of the batch.');
    expect(comparedRows(result(0.1, { notStrategies: 1 }))).toContain('; 1 more is cash, the benchmark');
    expect(comparedRows(result(0.1, { notStrategies: 2 }))).toContain('; 2 more are cash, the benchmark');
    const sampled = result(0.1, { ran: 5_000, rows: 1_200, notStrategies: 2 }, { isWhole: false });
    expect(comparedRows(sampled)).toMatch(
      /^Of the 1,200 rows .* of 5,000 that have a result; 2 more are cash/,
    );
  });
});
