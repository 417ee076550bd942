import { describe, expect, it } from 'vitest';
import { figuresOf, judge, type VerdictEvidence } from './figures.ts';
import { deflate } from './verdict.ts';

function evidence(sharpe: number, trials: number, over: Partial<VerdictEvidence> = {}): VerdictEvidence {
  const days = 2_520;
  const best = { sharpe: sharpe / Math.sqrt(252), n: days, skewness: -0.5, kurtosis: 6 };
  return {
    deflation: deflate({
      best,
      deviation: 1 / Math.sqrt(days),
      batchTrials: trials,
      lineageTrials: trials,
      equivalentTrials: trials / 2,
    }),
    lineage: { batches: 1, singleRuns: 0, isSaved: true },
    bestSharpe: sharpe,
    days,
    pbo: 0.1,
    splits: 252,
    kept: 0.6,
    probabilityOfLoss: 0.05,
    neighboursAboveMedian: 0.9,
    outOfSample: null,
    ...over,
  };
}

describe('the verdict', () => {
  it('calls luck what a million trials would show anyway', () => {
    const { verdict, sentence } = judge(evidence(1.5, 1_000_000));
    expect(verdict).toBe('likely_luck');
    expect(sentence).toContain('1,000,000 trials');
    expect(sentence).toContain('1.54');
  });
  it('lets stand what is more than luck', () => {
    expect(judge(evidence(2.4, 100)).verdict).toBe('may_be_real');
  });
  it('warns of a peak that stands alone', () => {
    expect(judge(evidence(2.4, 100, { neighboursAboveMedian: 0.04 })).sentence).toContain('only 4.00%');
  });
  it('does not trust a ranking that does not survive halving the period', () => {
    expect(judge(evidence(2.4, 100, { pbo: 0.6 }))).toMatchObject({
      verdict: 'likely_luck',
      sentence: expect.stringContaining('60.00%'),
    });
  });
  it('says when there is too little to say', () => {
    expect(judge(evidence(2.4, 100, { days: 30 })).verdict).toBe('too_little_data');
    expect(judge(evidence(Number.NaN, 0)).verdict).toBe('too_little_data');
  });
});

describe('the figures', () => {
  it('explain themselves and name their source', () => {
    const figures = figuresOf(
      evidence(1.5, 1_000, { outOfSample: { sharpe: 0.1, inSharpe: 2, rankCorrelation: Number.NaN } }),
    );
    for (const { explanation, source, label } of figures) {
      expect(explanation.length, label).toBeGreaterThan(20);
      expect(source.length, label).toBeGreaterThan(5);
    }
    expect(new Set(figures.map(({ key }) => key)).size).toBe(figures.length);
    const byKey = Object.fromEntries(figures.map((figure) => [figure.key, figure]));
    expect(byKey.out_of_sample_sharpe).toMatchObject({ value: 0.1, tone: 'bad' });
    expect(byKey.out_of_sample_rank_correlation).toMatchObject({ value: null, tone: 'neutral' });
    expect(byKey.trials?.value).toBe(1_000);
  });
  it('say that a template was never saved', () => {
    const [trials] = figuresOf(evidence(1, 10, { lineage: { batches: 2, singleRuns: 0, isSaved: false } }));
    expect(trials?.explanation).toContain('never saved');
  });
  it('say why there are fewer ways to halve a period than ten blocks have', () => {
    const pbo = (splits: number) =>
      figuresOf(evidence(1, 10, { splits })).find(({ key }) => key === 'pbo')?.explanation;
    expect(pbo(6)).toContain('over 6 ways to halve it, of at most 252: in the early years');
    expect(pbo(252)).toContain('over 252 ways to halve it. ');
  });
});
