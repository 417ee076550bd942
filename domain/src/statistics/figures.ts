import type { Figure, Verdict } from '../contracts/http/analysis.ts';
import type { MetricConcept } from '../contracts/metric-concepts.ts';
import { type DeflationVerdict, REAL_ABOVE } from './verdict.ts';

/** What rows are ranked over, or why by the plain Sharpe ratio: in words that can stand after "because". */
export type Ranking = { readonly cash: string } | { readonly because: string };

/** What rows are ranked by, in words. */
export const ratioOf = (ranking: Ranking): string =>
  'cash' in ranking ? 'Sharpe ratio over cash' : 'Sharpe ratio';

/** Everything the verdict's page is written from. NaN where a figure could not be computed. */
export interface VerdictEvidence {
  readonly deflation: DeflationVerdict;
  readonly lineage: {
    readonly batches: number;
    readonly singleRuns: number;
    /** False for a template that was never saved: then only batches of exactly this tree are known. */
    readonly isSaved: boolean;
    /** Rows of this batch with the same returns as another one. */
    readonly equalRows?: number;
  };
  /** Annualised, over cash where that is known. */
  readonly bestSharpe: number;
  readonly ranking: Ranking;
  /** Daily returns of the best strategy. */
  readonly days: number;
  readonly pbo: number;
  readonly splits: number;
  /** Mean Sharpe ratio of the splits' winners out of sample, over that in sample; NaN where that is not above 0. */
  readonly kept: number;
  readonly probabilityOfLoss: number;
  readonly neighboursAboveMedian: number;
  readonly outOfSample: {
    readonly sharpe: number;
    readonly inSharpe: number;
    readonly rankCorrelation: number;
  } | null;
}

/** Ways to halve a period of ten blocks. */
const ALL_SPLITS = 252;
const DSR = 'Bailey & López de Prado, The Deflated Sharpe Ratio, J. of Portfolio Management 40(5), 2014';
const CSCV =
  'Bailey, Borwein, López de Prado & Zhu, The Probability of Backtest Overfitting, J. of ' +
  'Computational Finance 20(4), 2017';
const LENGTH =
  'Bailey, Borwein, López de Prado & Zhu, Pseudo-Mathematics and Financial Charlatanism, Notices ' +
  'of the AMS 61(5), 2014';

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** How a figure speaks for the strategy; neutral where it is unknown. */
export function tone(value: number, good: (value: number) => boolean): Figure['tone'] {
  if (!Number.isFinite(value)) return 'neutral';
  return good(value) ? 'good' : 'bad';
}

/** A figure as the contract has it; the guide explains each by its key. */
export function figure(
  key: MetricConcept,
  label: string,
  value: number,
  unit: Figure['unit'],
  how: Figure['tone'],
  explanation: string,
  source: string,
): Figure {
  return { key, label, value: orNull(value), unit, tone: how, explanation, source };
}

const inWords = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

function trialsExplanation({
  batches,
  singleRuns,
  isSaved,
  equalRows = 0,
}: VerdictEvidence['lineage']): string {
  const counted = inWords(batches, 'batch', 'batches');
  const equal =
    equalRows > 0
      ? ` ${inWords(equalRows, 'row of this batch is', 'rows of this batch are')} equal to another ` +
        'one in every return: rows that are equal are counted once.'
      : '';
  return isSaved
    ? "Every combination and single run ever tried in this strategy's lineage, clones included: " +
        `${counted} and ${inWords(singleRuns, 'single run', 'single runs')}, read from the event log. ` +
        'The same combinations over other dates are no new trials; deleting a batch does not undo ' +
        `any.${equal}`
    : `The template was never saved, so only batches of exactly this tree are counted: ${counted}. ` +
        `Save it as a strategy first, and every later edit and clone counts as well.${equal}`;
}

/** The figures of a verdict with their explanations, in the order in which they are read. */
export function figuresOf(evidence: VerdictEvidence): Figure[] {
  const { deflation: d, bestSharpe, ranking, days, lineage } = evidence;
  const ratio = ratioOf(ranking);
  const years = days / 252;
  const figures = [
    figure(
      'trials',
      'Honest trial count',
      d.trials,
      'count',
      'neutral',
      trialsExplanation(lineage),
      'Event log of this installation',
    ),
    figure(
      'expected_best_by_luck',
      'Best Sharpe ratio expected by luck',
      d.expectedBestByLuck,
      'ratio',
      tone(bestSharpe - d.expectedBestByLuck, (lead) => lead > 0),
      `The best of so many worthless strategies is expected to show this ${ratio} (a year). Yours ` +
        'shows ' +
        `${bestSharpe.toFixed(2)}${'cash' in ranking ? ` beyond ${ranking.cash}` : `; no cash is taken off, because ${ranking.because}`}.`,
      DSR,
    ),
    figure(
      'deflated_sharpe',
      'Deflated Sharpe ratio',
      d.deflatedSharpe,
      'probability',
      tone(d.deflatedSharpe, (p) => p > REAL_ABOVE),
      `Probability that the true ${ratio} of the judged row is above what the best of as many ` +
        'worthless ones shows, with the skewness and the fat tails of its returns. It asks for a ' +
        'Sharpe ratio, not for an alpha.',
      DSR,
    ),
    figure(
      'deflated_sharpe_effective',
      'Deflated Sharpe ratio, equivalent trials',
      d.deflatedSharpeEffective,
      'probability',
      tone(d.deflatedSharpeEffective, (p) => p > REAL_ABOVE),
      'The same with the equivalent independent trials in place of all of them: strategies that ' +
        'move together are partly the same.',
      DSR,
    ),
    figure(
      'pbo',
      'Probability of backtest overfitting',
      evidence.pbo,
      'probability',
      tone(evidence.pbo, (p) => p < 0.2),
      'How often the strategy that is best on one half of the period is not above the median on ' +
        `the other half, by ${ratio}, over ${evidence.splits} ways to halve ` +
        `it${evidence.splits < ALL_SPLITS ? `, of at most ${ALL_SPLITS}: in the early years not all strategies have prices` : ''}. ` +
        'Around 50% the ranking says nothing.',
      CSCV,
    ),
    figure(
      'kept_out_of_sample',
      'Kept out of sample',
      evidence.kept,
      'share',
      tone(evidence.kept, (kept) => kept >= 0.5),
      `Mean ${ratio} of the winners of one half of the period in the other half, over that in ` +
        'their own. A strategy that is fixed beforehand keeps 100%, since its halves change places; ' +
        'what is missing from that is what choosing the best has made up.',
      CSCV,
    ),
    figure(
      'probability_of_loss',
      'Probability of loss out of sample',
      evidence.probabilityOfLoss,
      'probability',
      tone(evidence.probabilityOfLoss, (p) => p < 0.2),
      'How often the winner of one half of the period ' +
        `${'cash' in ranking ? 'earns less than cash' : 'loses money'} in the other half.`,
      CSCV,
    ),
    figure(
      'neighbours_above_median',
      'Neighbours above the median',
      evidence.neighboursAboveMedian,
      'share',
      tone(evidence.neighboursAboveMedian, (share) => share >= 0.7),
      'Share of the combinations one step away from the judged row that are above the median of ' +
        `the batch, by ${ratio}. A peak that stands alone is luck.`,
      'One step: the next number, or another ticker',
    ),
    figure(
      'minimum_years',
      'Minimum backtest length',
      d.minimumYears,
      'years',
      tone(years - d.minimumYears, (spare) => spare >= 0),
      'With fewer years of data the best of so many worthless strategies is expected to reach a ' +
        `Sharpe ratio of 1. This backtest has ${years.toFixed(1)} years.`,
      LENGTH,
    ),
  ];
  const { outOfSample } = evidence;
  if (outOfSample)
    figures.push(
      figure(
        'out_of_sample_sharpe',
        'Sharpe ratio out of sample',
        outOfSample.sharpe,
        'ratio',
        tone(outOfSample.sharpe, (sharpe) => sharpe > 0 && sharpe > outOfSample.inSharpe / 2),
        'Of the strategy that was best before the out-of-sample date, from that date on; before ' +
          `it, it had ${outOfSample.inSharpe.toFixed(2)}.`,
        'The part of the period that was locked away while rows were ranked',
      ),
      figure(
        'out_of_sample_rank_correlation',
        'Rank correlation in to out of sample',
        outOfSample.rankCorrelation,
        'correlation',
        tone(outOfSample.rankCorrelation, (rho) => rho > 0.2),
        'Whether strategies that ranked high before the date rank high after it: 1 keeps the order, 0 forgets it.',
        'Spearman’s rank correlation over all rows',
      ),
    );
  return figures;
}

/** A warning where the best stands on no firm ground. */
function loneliness(aboveMedian: number): string {
  return aboveMedian < 0.5
    ? ` But only ${(aboveMedian * 100).toFixed(2)}% of its neighbours are above the median: a small ` +
        'change of a variable loses it.'
    : '';
}

/** What the Sharpe ratios alone say, in a word and a sentence: they know nothing of the benchmark (`judgeSkill`). */
export function judge(evidence: VerdictEvidence): Pick<Verdict, 'verdict' | 'sentence'> {
  const { deflation, pbo, days, bestSharpe } = evidence;
  const ratio = ratioOf(evidence.ranking);
  if (!Number.isFinite(deflation.deflatedSharpe) || days < 60)
    return {
      verdict: 'too_little_data',
      sentence: 'There is too little data to tell an edge from luck.',
    };
  const trials = deflation.trials.toLocaleString('en-US');
  const probability = `${(deflation.deflatedSharpe * 100).toFixed(2)}%`;
  if (deflation.isReal && !(pbo >= 0.5))
    return {
      verdict: 'may_be_real',
      sentence:
        `After ${trials} trials the best ${ratio} of ${bestSharpe.toFixed(2)} is still more than ` +
        'luck would explain (deflated Sharpe ratio ' +
        `${probability}).${loneliness(evidence.neighboursAboveMedian)}`,
    };
  return {
    verdict: 'likely_luck',
    sentence: deflation.isReal
      ? `The best ${ratio} of ${bestSharpe.toFixed(2)} is high, but what was best in one half of the ` +
        'period was at or below the median in the other at least half of the time (probability of ' +
        `overfitting ${(pbo * 100).toFixed(2)}%).`
      : `The best of ${trials} trials would be expected to show a ${ratio} of ` +
        `${deflation.expectedBestByLuck.toFixed(2)} by luck alone; ${bestSharpe.toFixed(2)} is not ` +
        `enough to call it real (deflated Sharpe ratio ${probability}).`,
  };
}
