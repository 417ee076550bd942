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
    ranking: { cash: 'Treasury bills' },
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

describe('what rows are ranked by', () => {
  const explained = (one: VerdictEvidence) =>
    figuresOf(one)
      .map(({ explanation }) => explanation)
      .join(' ');

  it('is named in the sentence and beside the figures', () => {
    const over = evidence(2, 10);
    expect(judge(over).sentence).toContain('the best Sharpe ratio over cash of 2.00');
    expect(explained(over)).toContain('Yours shows 2.00 beyond Treasury bills.');
    expect(explained(over)).toContain('earns less than cash in the other half');
  });

  it('is the plain ratio where cash is not known, and why', () => {
    const plain = evidence(2, 10, { ranking: { because: 'not all rows have a deviation stored' } });
    expect(judge(plain).sentence).toContain('the best Sharpe ratio of 2.00');
    expect(explained(plain)).toContain('no cash is taken off, because not all rows have a deviation stored');
    expect(explained(plain)).not.toMatch(/over cash|less than cash/);
  });
});

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
  it('count in words', () => {
    const trials = (singleRuns: number, equalRows: number) =>
      figuresOf(evidence(1, 10, { lineage: { batches: 1, singleRuns, isSaved: true, equalRows } }))[0];
    expect(trials(1, 1)?.explanation).toContain('1 batch and 1 single run, read');
    expect(trials(1, 1)?.explanation).toContain(' 1 row of this batch is equal to another one');
    expect(trials(12_000, 2)?.explanation).toContain('12,000 single runs, read');
    expect(trials(12_000, 2)?.explanation).toContain(' 2 rows of this batch are equal to another one');
  });
  it('say why there are fewer ways to halve a period than ten blocks have', () => {
    const pbo = (splits: number) =>
      figuresOf(evidence(1, 10, { splits })).find(({ key }) => key === 'pbo')?.explanation;
    expect(pbo(6)).toContain('over 6 ways to halve it, of at most 252: in the early years');
    expect(pbo(252)).toContain('over 252 ways to halve it. ');
  });
});

describe('the tone of a figure', () => {
  const over = (
    out: Partial<NonNullable<VerdictEvidence['outOfSample']>>,
    more: Partial<VerdictEvidence> = {},
  ): Partial<VerdictEvidence> => ({
    outOfSample: { sharpe: 1, inSharpe: 1.5, rankCorrelation: 0.5, ...out },
    ...more,
  });
  const deflation = (some: Partial<VerdictEvidence['deflation']>): Partial<VerdictEvidence> => ({
    deflation: { ...evidence(1.5, 10).deflation, ...some },
  });
  const of = (key: string, given: Partial<VerdictEvidence>) =>
    figuresOf(evidence(1.5, 10, { ...over({}), ...given })).find((one) => one.key === key);

  it.each<[string, Partial<VerdictEvidence>, Partial<VerdictEvidence>]>([
    [
      'expected_best_by_luck',
      deflation({ expectedBestByLuck: 1.49 }),
      deflation({ expectedBestByLuck: 1.5 }),
    ],
    ['deflated_sharpe', deflation({ deflatedSharpe: 0.951 }), deflation({ deflatedSharpe: 0.95 })],
    [
      'deflated_sharpe_effective',
      deflation({ deflatedSharpeEffective: 0.951 }),
      deflation({ deflatedSharpeEffective: 0.95 }),
    ],
    ['pbo', { pbo: 0.199 }, { pbo: 0.2 }],
    ['kept_out_of_sample', { kept: 0.5 }, { kept: 0.499 }],
    ['probability_of_loss', { probabilityOfLoss: 0.199 }, { probabilityOfLoss: 0.2 }],
    ['neighbours_above_median', { neighboursAboveMedian: 0.7 }, { neighboursAboveMedian: 0.699 }],
    ['minimum_years', deflation({ minimumYears: 10 }), deflation({ minimumYears: 10.01 })],
    ['out_of_sample_sharpe', over({ sharpe: 0.751 }), over({ sharpe: 0.75 })],
    ['out_of_sample_sharpe', over({ sharpe: 0.01, inSharpe: -1 }), over({ sharpe: 0, inSharpe: -1 })],
    ['out_of_sample_rank_correlation', over({ rankCorrelation: 0.201 }), over({ rankCorrelation: 0.2 })],
  ])('%s is good up to its border, and bad from it on', (key, good, bad) => {
    expect(of(key, good)?.tone).toBe('good');
    expect(of(key, bad)?.tone).toBe('bad');
  });

  it('is neutral of what nobody knows', () => {
    const unknown = { pbo: Number.NaN, kept: Number.NaN, probabilityOfLoss: Number.POSITIVE_INFINITY };
    for (const key of ['pbo', 'kept_out_of_sample', 'probability_of_loss'])
      expect(of(key, unknown)).toMatchObject({ tone: 'neutral', value: null });
    expect(of('trials', {})?.tone).toBe('neutral');
  });

  it('goes with a value in its own unit, under a name of its own', () => {
    const figures = figuresOf(evidence(1.5, 10, over({})));
    expect(figures.map(({ key, unit, value }) => [key, unit, value])).toEqual([
      ['trials', 'count', 10],
      ['expected_best_by_luck', 'ratio', expect.any(Number)],
      ['deflated_sharpe', 'probability', expect.any(Number)],
      ['deflated_sharpe_effective', 'probability', expect.any(Number)],
      ['pbo', 'probability', 0.1],
      ['kept_out_of_sample', 'share', 0.6],
      ['probability_of_loss', 'probability', 0.05],
      ['neighbours_above_median', 'share', 0.9],
      ['minimum_years', 'years', expect.any(Number)],
      ['out_of_sample_sharpe', 'ratio', 1],
      ['out_of_sample_rank_correlation', 'correlation', 0.5],
    ]);
    expect(figures.map(({ label }) => label.length > 3)).not.toContain(false);
    expect(new Set(figures.map(({ label }) => label)).size).toBe(figures.length);
    expect(figuresOf(evidence(1.5, 10))).toHaveLength(figures.length - 2);
  });

  it('is explained by what was counted', () => {
    const explained = (lineage: Partial<VerdictEvidence['lineage']>) =>
      of('trials', { lineage: { batches: 1, singleRuns: 4, isSaved: true, ...lineage } })?.explanation;
    expect(explained({})).toMatch(/: 1 batch and 4 single runs/);
    expect(explained({ batches: 2 })).toMatch(/: 2 batches and 4 single runs/);
    expect(explained({})).not.toContain('equal to another');
    expect(explained({ equalRows: 1_200 })).toContain('1,200 rows of this batch are equal to another one');
    expect(explained({ isSaved: false, equalRows: 3 })).toMatch(/never saved.*1 batch\..* 3 rows/);
    expect(of('expected_best_by_luck', {})?.explanation).toContain('1.50');
    expect(of('minimum_years', {})?.explanation).toContain('has 10.0 years');
    expect(of('out_of_sample_sharpe', over({ inSharpe: 1.25 }))?.explanation).toContain('1.25');
  });
});

describe('the borders of the verdict', () => {
  const real = (over: Partial<VerdictEvidence>) => judge(evidence(2.4, 100, over));
  it('lie at sixty days, and at a ranking that is no better than a coin', () => {
    expect(real({ days: 59 }).verdict).toBe('too_little_data');
    expect(real({ days: 60 }).verdict).toBe('may_be_real');
    expect(real({ pbo: 0.499 }).verdict).toBe('may_be_real');
    expect(real({ pbo: 0.5 }).verdict).toBe('likely_luck');
    // What could not be measured speaks against nobody.
    expect(real({ pbo: Number.NaN }).verdict).toBe('may_be_real');
  });
  it('warn where fewer than half of the neighbours hold', () => {
    expect(real({ neighboursAboveMedian: 0.499 }).sentence).toContain('49.90% of its neighbours');
    expect(real({ neighboursAboveMedian: 0.5 }).sentence).not.toContain('neighbours');
  });
  it('say each number once it counts', () => {
    expect(real({}).sentence).toMatch(/100 trials.*2\.40.*deflated Sharpe ratio \d+\.\d\d%/);
    expect(real({ pbo: 0.6 }).sentence).toMatch(/2\.40 is high.*60\.00%/);
    const { sentence } = judge(evidence(0.5, 100));
    expect(sentence).toMatch(/100 trials.*by luck alone; 0\.50 .*deflated Sharpe ratio \d+\.\d\d%/);
  });
});
