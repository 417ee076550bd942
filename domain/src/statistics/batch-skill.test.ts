import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalSource } from '../../testing/statistics/simulated-batch.ts';
import { type RowReturns, testBatchSkill } from './batch-skill.ts';
import type { VerdictEvidence } from './figures.ts';
import { judgeSkill, type SkillTest, skillFigures } from './skill-verdict.ts';
import { deflate } from './verdict.ts';

const DAYS = 2_520;
const BILLS = 0.03 / 252;
const days = Float64Array.from({ length: DAYS }, (_, i) => i);
const series = (make: (day: number) => number) => ({ days, returns: Float64Array.from(days, make) });
const row = (combination: number, make: (day: number) => number): RowReturns => ({
  combination,
  ...series(make),
});

/** A market with bills, and a source of noise. */
function world(seed: number) {
  const normal = normalSource(seed);
  const benchmark = series(() => BILLS + 0.05 / 252 + 0.011 * normal());
  return { normal, benchmark, cash: series(() => BILLS) };
}

function sharpe({ returns }: RowReturns): number {
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  return mean / Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length);
}

const ranked = (rows: RowReturns[]) => rows.toSorted((a, b) => sharpe(b) - sharpe(a));

/** The test of a whole batch. */
function tested(seed: number, rows: RowReturns[], market: ReturnType<typeof world>): SkillTest {
  const { benchmark, cash } = market;
  const result = testBatchSkill({
    chosen: ranked(rows),
    random: [],
    rows: rows.length,
    ran: rows.length,
    benchmark,
    cash,
    seed: `${seed}`,
  });
  if ('alpha' in result)
    return { outcome: 'tested', result, held: { kind: 'one' }, benchmark: 'SPY', cash: 'Treasury bills' };
  if (result.bestKind === null) throw new Error('nothing was measured');
  return { outcome: 'no strategy', bestKind: result.bestKind };
}

function evidence(pbo = 0.1): VerdictEvidence {
  const best = { sharpe: 2 / Math.sqrt(252), n: DAYS, skewness: 0, kurtosis: 3 };
  return {
    deflation: deflate({
      best,
      deviation: 0.02,
      batchTrials: 100,
      lineageTrials: 100,
      equivalentTrials: 50,
    }),
    lineage: { batches: 1, singleRuns: 0, isSaved: true },
    bestSharpe: 2,
    ranking: { cash: 'Treasury bills' },
    days: DAYS,
    pbo,
    splits: 252,
    kept: 0.6,
    probabilityOfLoss: 0.05,
    neighboursAboveMedian: 0.9,
    outOfSample: null,
  };
}

/** Forty rows, one of which has an edge. */
const EDGE = (() => {
  const market = world(3);
  const { normal, benchmark } = market;
  const rows = Array.from({ length: 40 }, (_, k) =>
    row(k, (day) => (benchmark.returns[day] as number) + 0.004 * normal() + (k === 7 ? 0.12 / 252 : 0)),
  );
  return tested(3, rows, market);
})();

describe('the test of a batch', () => {
  it('calls a real edge among worthless rows skill', () => {
    const test = EDGE;
    expect(test).toMatchObject({ outcome: 'tested', result: { combination: 7, bestKind: 'strategy' } });
    const verdict = judgeSkill(evidence(), test, 40);
    expect(verdict).toMatchObject({ verdict: 'may_be_real', cell: 'real_and_robust' });
    expect(verdict.sentence).toContain('skill');
    expect(verdict.tested).toMatch(
      /^Ranked by Sharpe ratio over Treasury bills; tested: alpha, the return of combination 7 beyond \d\.\d\d times SPY/,
    );
  });

  it('names the judged row by its values, since nobody sees rows by their numbers', () => {
    const { tested } = judgeSkill(evidence(), EDGE, 40, (combination) =>
      combination === 7 ? '120 / SPY' : '?',
    );
    expect(tested).toMatch(/return of combination 7 \(120 \/ SPY\) beyond/);
    expect(judgeSkill(evidence(), EDGE, 40).tested).toMatch(/return of combination 7 beyond/);
  });

  it('advises the median of the neighbourhood where the ranking does not last', () => {
    const verdict = judgeSkill(evidence(0.6), EDGE, 40);
    expect(verdict).toMatchObject({ verdict: 'may_be_real', cell: 'family_real' });
    expect(verdict.sentence).toContain('Take the median of the neighbourhood');
  });

  it.each([
    [0.02, 'was good in the other', true],
    [0.2, 'was mostly above the median in the other', true],
    [0.45, 'was above the median in the other only a little more often than below it', false],
  ])('says as much of the halves as a probability of overfitting of %d does', (pbo, words, isSkill) => {
    const { sentence, cell } = judgeSkill(evidence(pbo), EDGE, 40);
    expect(cell).toBe('real_and_robust');
    expect(sentence).toContain(words);
    expect(sentence.includes('skill')).toBe(isSkill);
  });

  it('does not call it skill where holding its average mix would have earned as much', () => {
    const test = EDGE;
    if (test.outcome !== 'tested') throw new Error('not tested');
    const held = { kind: 'several', isStatic: false, alpha: 0.001, t: 0.1, p: 0.46 } as const;
    const verdict = judgeSkill(evidence(), { ...test, held }, 40);
    expect(verdict).toMatchObject({ verdict: 'likely_luck', cell: null });
    expect(verdict.sentence).toContain('of what the row holds, not of when');
    expect(verdict.sentence).not.toContain('skill');
    const unknown = judgeSkill(evidence(), { ...test, held: { kind: 'unknown' } }, 40);
    expect(unknown.verdict).toBe('likely_luck');
    expect(unknown.sentence).toContain('is not known');
  });

  it('asks of the choices of a row what it asks of its alpha: they are the best of all trials', () => {
    const test = EDGE;
    if (test.outcome !== 'tested') throw new Error('not tested');
    const chosen = (p: number) =>
      judgeSkill(
        evidence(),
        { ...test, held: { kind: 'several', isStatic: false, alpha: 0.1, t: 2.5, p } },
        40,
      );
    // Of forty coins that choose between assets with an alpha, one chooses as well as this.
    expect(chosen(0.006)).toMatchObject({ verdict: 'likely_luck', cell: null });
    expect(chosen(0.006).sentence).toMatch(/no more than luck explains after 40 trials/);
    expect(chosen(0.000_01)).toMatchObject({ verdict: 'may_be_real', cell: 'real_and_robust' });
    const tone = (p: number) =>
      skillFigures({ ...test, held: { kind: 'several', isStatic: false, alpha: 0.1, t: 2.5, p } }, 40).find(
        ({ key }) => key === 'timing_alpha',
      )?.tone;
    expect([tone(0.006), tone(0.000_01)]).toEqual(['bad', 'good']);
  });

  it('says in how many directions the rows move, by the eigenvalues of their correlations', () => {
    const effective = (test: SkillTest, trials: number) =>
      skillFigures(test, trials).find(({ key }) => key === 'effective_trials');
    // Beside the market that all forty hold there is a little noise: next to one direction.
    expect(effective(EDGE, 40)?.value).toBeGreaterThan(1);
    expect(effective(EDGE, 40)?.value).toBeLessThan(1.6);
    expect(effective(EDGE, 40)?.explanation).toContain('daily returns of 40 rows');
    const market = world(6);
    const { normal } = market;
    const noise = tested(
      6,
      Array.from({ length: 40 }, (_, k) => row(k, () => BILLS + 0.01 * normal())),
      market,
    );
    expect(effective(noise, 40)?.value).toBeGreaterThan(38);
  });

  it('names the rows that cannot be told from the best, and says which were compared', () => {
    const test = EDGE;
    if (test.outcome !== 'tested') throw new Error('not tested');
    const { confidenceSet } = test.result;
    expect(confidenceSet[0]).toBe(7);
    expect(new Set(confidenceSet).size).toBe(confidenceSet.length);
    const text = (of: SkillTest) =>
      skillFigures(of, 40).find(({ key }) => key === 'confidence_set')?.explanation;
    expect(text(test)).toContain('Of all 40 strategies of the batch.');
    const result = { ...test.result, ran: 5_000, basis: { ...test.result.basis, isWhole: false } };
    expect(text({ ...test, result })).toContain('drawn at random, of 5,000 that have a result');
  });

  it('asks more of a row the more was tried in its lineage', () => {
    const test = EDGE;
    const p = (trials: number) => skillFigures(test, trials).find(({ key }) => key === 'alpha_p')?.value ?? 0;
    expect(p(100_000_000)).toBeGreaterThan(p(40));
  });

  it.each([
    [0.1, 'lucky_pick'],
    [0.7, 'noise'],
  ])('calls the best of worthless rows luck, with a probability of overfitting of %d', (pbo, cell) => {
    const market = world(5);
    const { normal } = market;
    const rows = Array.from({ length: 60 }, (_, k) => row(k, () => BILLS + 0.01 * normal()));
    expect(judgeSkill(evidence(pbo), tested(5, rows, market), 60)).toMatchObject({
      verdict: 'likely_luck',
      cell,
    });
  });

  it('sees exposure to the market for what it is', () => {
    const market = world(8);
    const { normal, benchmark } = market;
    const rows = Array.from({ length: 40 }, (_, k) =>
      row(
        k,
        (day) => BILLS + (0.5 + k / 20) * ((benchmark.returns[day] as number) - BILLS) + 0.003 * normal(),
      ),
    );
    const test = tested(8, rows, market);
    expect(judgeSkill(evidence(), test, 40).verdict).toBe('likely_luck');
  });

  it('judges the best strategy where a row like cash is best', () => {
    const market = world(9);
    const { normal } = market;
    const rows = [
      row(0, () => BILLS + 0.000_02 + 0.000_02 * normal()),
      ...Array.from({ length: 20 }, (_, k) => row(k + 1, () => BILLS + 0.01 * normal())),
    ];
    const test = tested(9, rows, market);
    expect(test).toMatchObject({ outcome: 'tested', result: { bestKind: 'cash', notStrategies: 1 } });
    const { verdict, sentence } = judgeSkill(evidence(), test, 21);
    expect(verdict).toBe('likely_luck');
    expect(sentence).toMatch(/^A lucky pick\. .* like cash and cannot win; the best strategy is judged\.$/);
  });

  it('leaves out rows that cover less than nine tenths of the days', () => {
    const market = world(10);
    const { normal } = market;
    const long = Array.from({ length: 10 }, (_, k) => row(k, () => 0.001 + 0.01 * normal()));
    const short = { combination: 99, days: days.slice(500), returns: long[0]?.returns.slice(500) ?? days };
    const { benchmark, cash } = market;
    const result = testBatchSkill({
      chosen: [...long, short],
      random: [],
      rows: 11,
      ran: 11,
      benchmark,
      cash,
      seed: 's',
    });
    expect(result).toMatchObject({ days: DAYS, rows: 10, combination: 0 });
  });

  it('never says skill of cash, the benchmark or a mix of both', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(fc.double({ min: 0, max: 1.2, noNaN: true }), { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 0.000_3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, shares, gift, pbo) => {
          const market = world(seed);
          const { benchmark, cash } = market;
          // A gift a day beyond the mix changes nothing: there is no deviation for it to be an edge of.
          const rows = shares.map((share, k) =>
            row(
              k,
              (day) =>
                gift +
                share * (benchmark.returns[day] as number) +
                (1 - share) * (cash.returns[day] as number),
            ),
          );
          const test = tested(seed, rows, market);
          const { verdict, sentence, cell } = judgeSkill(evidence(pbo), test, rows.length);
          expect(test.outcome).toBe('no strategy');
          expect([verdict, cell]).toEqual(['not_tested', null]);
          expect(sentence).not.toContain('skill');
        },
      ),
      { numRuns: 30 },
    );
  });

  it('says in words why nothing was tested', () => {
    const reason = 'the prices of this batch are gone';
    const { verdict, sentence } = judgeSkill(
      evidence(),
      { outcome: 'untested', reason, isLasting: true },
      100,
    );
    expect(verdict).toBe('not_tested');
    expect(sentence).toContain(`could not be tested, because ${reason}.`);
    expect(sentence).not.toContain('skill');
    expect(skillFigures({ outcome: 'untested', reason, isLasting: true }, 100)).toEqual([]);
  });
});
