import type { Figure, Verdict } from '../contracts/http/analysis.ts';
import type { BatchSkill } from './batch-skill.ts';
import { participationRatio } from './equivalent-trials.ts';
import { figure, judge, type Ranking, tone, type VerdictEvidence } from './figures.ts';
import { nearlyCertain } from './probability-words.ts';
import { bestByLuck, probabilityByLuck, type RowKind, type TimingAlpha } from './skill.ts';
import { SKILL_LEVEL } from './skill-level.ts';

/**
 * What was held by the judged row: `one` asset all the time, or several over time, with what choosing them
 * when has added.
 */
export type HeldByRow =
  | { readonly kind: 'one' }
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'several'; readonly p: number } & TimingAlpha);

/** Outcome of the test of a batch's best row. Plain data, kept with the batch. */
export type SkillTest = (
  | {
      readonly outcome: 'tested';
      readonly result: BatchSkill;
      readonly held: HeldByRow;
      readonly benchmark: string;
      readonly cash: string;
    }
  | { readonly outcome: 'no strategy'; readonly bestKind: RowKind }
  | {
      readonly outcome: 'untested';
      /** Why, in words that can stand after "because". */
      readonly reason: string;
      /** Another try would end the same. */
      readonly isLasting: boolean;
    }
) & {
  /**
   * Days, skewness and kurtosis of the row with the best Sharpe ratio, as it was run again; missing where it
   * was not.
   */
  readonly record?: {
    readonly combination: number;
    readonly n: number;
    readonly skewness: number;
    readonly kurtosis: number;
  };
};

export type SkillVerdict = Pick<Verdict, 'verdict' | 'sentence' | 'cell' | 'tested'>;

/** Of what is looked at beside the alpha. */
const LEVEL = 0.05;
/** From which probability of overfitting on what is best in one half says nothing about the other. */
const OVERFIT = 0.5;
const KINDS: Record<Exclude<RowKind, 'strategy'>, string> = {
  cash: 'like cash',
  benchmark: 'equal to the benchmark',
  mix: 'a mix of the benchmark and cash',
};
const SKILL = ': this is what skill looks like';
const ROMANO_WOLF =
  'Hansen, A Test for Superior Predictive Ability, J. of Business & Economic Statistics 23, 2005';

const percent = (value: number, digits = 1) => `${(value * 100).toFixed(digits)}%`;
/** A probability in words: never 0, and never certain. */
const probability = (p: number) => nearlyCertain(p) ?? percent(p);

/** Trials that the test has to answer for: those of the lineage, less the rows of this batch that take no part. */
export const trialsOf = (result: BatchSkill, lineageTrials: number): number =>
  Math.max(1, lineageTrials - (result.ran - result.basis.rows));

/**
 * Probability by luck of the alpha of a row's choices. The row was picked because it is good, and its choices
 * with it: like its alpha, they are the best of all trials. Among assets that have an alpha by themselves,
 * coins that are thrown often enough would else choose well.
 */
export const timingByLuck = (held: HeldByRow & { kind: 'several' }, equivalentTrials: number): number =>
  held.isStatic ? 1 : bestByLuck(held.p, equivalentTrials);

/** Whether what the row earned is more than what it held on average would have earned. */
export function isTimed(held: HeldByRow, equivalentTrials: number): boolean {
  return (
    held.kind === 'one' || (held.kind === 'several' && timingByLuck(held, equivalentTrials) < SKILL_LEVEL)
  );
}

/** Probabilities of overfitting from which on the halves agree mostly, and hardly more often than a coin does. */
const MODERATE = 0.1;
const WEAK = 0.25;

/** What a probability of overfitting below a half says of the rows that were best in one half of the period. */
function inTheOtherHalf(pbo: number): string {
  if (pbo < MODERATE) return 'good in the other';
  if (pbo < WEAK) return 'mostly above the median in the other';
  return 'above the median in the other only a little more often than below it';
}

function testedSentence(
  test: Extract<SkillTest, { outcome: 'tested' }>,
  cell: string,
  ranking: Ranking,
): string {
  const { result, benchmark, cash } = test;
  const by =
    'cash' in ranking
      ? `Sharpe ratio over ${ranking.cash}`
      : `plain Sharpe ratio, because ${ranking.because}`;
  return (
    `Ranked by ${by}; tested: alpha, the return of ${cell} beyond ${result.alpha.beta.toFixed(2)} ` +
    `times ${benchmark} and beyond ${cash}, over ${result.days.toLocaleString('en-US')} days.`
  );
}

/**
 * The verdict in a word and a sentence. The word skill stands for an alpha that the number of trials does not
 * explain, and for nothing else: rows that are cash, the benchmark or a mix of both never get it.
 *
 * @param lineageTrials everything that ran in the lineage, this batch included
 * @param valuesOf what a combination is called where people see it: nobody knows rows by their numbers
 */
export function judgeSkill(
  evidence: VerdictEvidence,
  test: SkillTest,
  lineageTrials: number,
  valuesOf: (combination: number) => string = () => '',
): SkillVerdict {
  const plain = judge(evidence);
  const nothing = { cell: null, tested: null };
  // Where no row is a strategy there is none whose Sharpe ratio could be deflated either.
  if (plain.verdict === 'too_little_data' && test.outcome !== 'no strategy') return { ...plain, ...nothing };
  if (test.outcome === 'untested')
    return {
      ...nothing,
      verdict: 'not_tested',
      sentence: `The alpha of the best row could not be tested, because ${test.reason}. ${plain.sentence}`,
    };
  if (test.outcome === 'no strategy')
    return {
      ...nothing,
      verdict: 'not_tested',
      sentence:
        `The best row is ${test.bestKind === 'strategy' ? 'a strategy' : KINDS[test.bestKind]}, and ` +
        'so are all others that were looked at: there is no strategy to judge.',
    };
  const { result } = test;
  const { p, equivalentTrials } = probabilityByLuck(result.basis, trialsOf(result, lineageTrials));
  const values = valuesOf(result.combination);
  const tested = testedSentence(
    test,
    `combination ${result.combination}${values === '' ? '' : ` (${values})`}`,
    evidence.ranking,
  );
  const other =
    result.bestKind === 'strategy'
      ? ''
      : ` The row with the best plain Sharpe ratio is ${KINDS[result.bestKind]} and cannot win; the ` +
        'best strategy is judged.';
  const trials = lineageTrials.toLocaleString('en-US');
  const alpha = `${percent(result.alpha.alpha)} a year`;
  const chance = `probability by luck ${probability(p)}`;
  const pbo = evidence.pbo;
  const isOverfit = pbo >= OVERFIT;
  const halves = `probability of overfitting ${percent(pbo)}`;
  const answer = (verdict: SkillVerdict['verdict'], cell: SkillVerdict['cell'], sentence: string) => ({
    verdict,
    cell,
    tested,
    // Behind what the page makes a heading of.
    sentence: `${sentence}${other}`,
  });
  if (p < SKILL_LEVEL && !isTimed(test.held, equivalentTrials))
    return answer('likely_luck', null, heldSentence(test.held, { alpha, chance, trials, equivalentTrials }));
  if (p < SKILL_LEVEL) {
    const found = `After ${trials} trials an alpha of ${alpha} is more than luck explains (${chance})`;
    if (isOverfit)
      return answer(
        'may_be_real',
        'family_real',
        `The family is real, the parameters are arbitrary. ${found}, but what was best in one half ` +
          'of the period was at or below the median in the other at least half of the time ' +
          `(${halves}). Take the median of the neighbourhood, not the winner.`,
      );
    if (Number.isFinite(pbo))
      return answer(
        'may_be_real',
        'real_and_robust',
        `Real and robust. ${found}, and what was best in one half of the period was ` +
          `${inTheOtherHalf(pbo)} (${halves})${pbo < WEAK ? SKILL : ''}.`,
      );
    return answer('may_be_real', null, `${found}. Whether it is overfit could not be measured.`);
  }
  const lost = `After ${trials} trials an alpha of ${alpha} is not more than luck explains (${chance})`;
  if (isOverfit)
    return answer(
      'likely_luck',
      'noise',
      `Noise. ${lost}, and what was best in one half of the period was at or below the median in ` +
        `the other at least half of the time (${halves}).`,
    );
  return Number.isFinite(pbo)
    ? answer(
        'likely_luck',
        'lucky_pick',
        `A lucky pick. What was best in one half of the period was ${inTheOtherHalf(pbo)} ` +
          `(${halves}), and the winner is no better than the best of as many worthless ones. ` +
          `${lost}.`,
      )
    : answer('likely_luck', null, `${lost}.`);
}

/**
 * The same where the prices are those of a model. Its bull and bear markets are written in (`regimes.ts`):
 * rules that follow trends find an alpha there that is true of the model, and that no market has. The test's
 * answer is told as an exercise, and is no verdict.
 */
export function withoutVerdict(judged: SkillVerdict): SkillVerdict {
  if (judged.verdict !== 'may_be_real' && judged.verdict !== 'likely_luck') return judged;
  return {
    verdict: 'simulated_prices',
    cell: null,
    tested: judged.tested,
    sentence:
      'These prices come from a model with bull and bear markets written into it: rules that follow ' +
      'trends find an alpha in it that no market has to offer. As an exercise only, the test reads: ' +
      `${judged.sentence.replace(SKILL, '')}`,
  };
}

function heldSentence(
  held: HeldByRow,
  {
    alpha,
    chance,
    trials,
    equivalentTrials,
  }: { alpha: string; chance: string; trials: string; equivalentTrials: number },
): string {
  const found = `An alpha of ${alpha} is there (${chance}), but`;
  if (held.kind !== 'several')
    return (
      `${found} what the row held over time could not be looked at: whether it is the alpha of its ` +
      'choices or of its holdings is not known.'
    );
  return held.isStatic
    ? `${found} it is the alpha of what the row holds: it held the same mix all the time.`
    : `${found} it is the alpha of what the row holds, not of when: beyond its average mix, held all ` +
        `the time, its choices have earned no more than luck explains after ${trials} trials ` +
        `(${percent(held.alpha)} a year, probability by luck ` +
        `${probability(timingByLuck(held, equivalentTrials))}).`;
}

/** How many trials the correlations between rows amount to; nothing where too few rows were run again. */
export function effectiveTrials(test: SkillTest, lineageTrials: number): number {
  if (test.outcome !== 'tested' || !test.result.likeness) return Number.NaN;
  return participationRatio(test.result.likeness.squared, lineageTrials);
}

/** Which rows were compared with the best one, where that were not all. */
export function comparedRows({ rows, ran, basis, notStrategies }: BatchSkill): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const left =
    notStrategies > 0
      ? `; ${count(notStrategies)} more ${notStrategies === 1 ? 'is' : 'are'} cash, the benchmark or a mix of both`
      : '';
  return basis.isWhole
    ? `Of all ${count(rows)} strategies of the batch${left}.`
    : `Of the ${count(rows)} rows that were run again: the best of the ranking and some drawn at ` +
        `random, of ${count(ran)} that have a result${left}. The others were not compared.`;
}

/** The figures of the test; none where nothing was tested. */
export function skillFigures(test: SkillTest, lineageTrials: number): Figure[] {
  if (test.outcome !== 'tested') return [];
  const { result, held, benchmark, cash } = test;
  const { alpha, basis } = result;
  const { p, equivalentTrials } = probabilityByLuck(basis, trialsOf(result, lineageTrials));
  const figures = [
    figure(
      'alpha',
      'Alpha a year',
      alpha.alpha,
      'share',
      tone(p, (value) => value < SKILL_LEVEL),
      `Return beyond ${alpha.beta.toFixed(2)} times ${benchmark} and beyond ${cash}, with a ` +
        `standard error of ${percent(alpha.alphaError)}: t is ${alpha.t.toFixed(2)}.`,
      'Jensen, J. of Finance 23, 1968; errors of Newey & West, Econometrica 55, 1987',
    ),
    figure(
      'alpha_p',
      'Probability of this alpha by luck',
      p,
      'probability',
      tone(p, (value) => value < SKILL_LEVEL),
      'How probable a best alpha as clear as this one is if none of the ' +
        `${lineageTrials.toLocaleString('en-US')} trials had any; as a single trial ` +
        `${probability(basis.single)}. Below ${percent(SKILL_LEVEL, 0)} it is called skill.`,
      'White, A Reality Check for Data Snooping, Econometrica 68, 2000',
    ),
    figure(
      'beta',
      'Beta',
      alpha.beta,
      'ratio',
      'neutral',
      `Exposure to ${benchmark}, with a standard error of ${alpha.betaError.toFixed(2)}; the ` +
        `correlation with it is ${alpha.correlation.toFixed(2)}.`,
      'Regression of the daily return over cash on that of the benchmark',
    ),
    figure(
      'excess_sharpe',
      'Sharpe ratio over cash',
      alpha.excessSharpe,
      'ratio',
      'neutral',
      `Of the return beyond ${cash}.`,
      'Sharpe, J. of Portfolio Management 21(1), 1994',
    ),
    figure(
      'equivalent_trials',
      'Equivalent independent trials',
      equivalentTrials,
      'count',
      'neutral',
      basis.measured
        ? 'Independent trials whose best is as large as the best of all, measured on ' +
            `${basis.measured.sample} rows by a stationary bootstrap and carried over to all trials.`
        : 'Too few rows were run again to measure how much they resemble each other: every trial ' +
            'counts as an independent one.',
      'Politis & Romano, The Stationary Bootstrap, JASA 89, 1994',
    ),
    figure(
      'effective_trials',
      'Effective number of trials',
      effectiveTrials(test, lineageTrials),
      'count',
      'neutral',
      result.likeness
        ? 'Participation ratio of the eigenvalues of the correlation matrix, (Σλ)² / Σλ², from the ' +
            `daily returns of ${result.likeness.rows} rows drawn at random, carried over to all ` +
            'trials. It says in how many directions the rows move. The best of them is found among ' +
            'more: the verdict uses the equivalent independent trials.'
        : 'Too few rows were run again to measure how they are correlated.',
      'Bretherton and others, The Effective Number of Spatial Degrees of Freedom, J. of Climate 12, 1999',
    ),
    figure(
      'superior_ability',
      'Superior ability among the rows run again',
      result.superiorAbility,
      'probability',
      tone(result.superiorAbility, (value) => value < LEVEL),
      `p-value that none of the ${result.rows} rows has an alpha above 0. Rows whose own is above ` +
        `0 when all are tested at once: ${result.superior}.`,
      ROMANO_WOLF,
    ),
    figure(
      'confidence_set',
      'Rows that cannot be told from the best',
      result.confidenceSet.length,
      'count',
      'neutral',
      `${comparedRows(result)} Compared is what their daily returns earn beyond the benchmark and ` +
        'cash, at a level of 5%.',
      'Hansen, Lunde & Nason, The Model Confidence Set, Econometrica 79, 2011',
    ),
  ];
  if (held.kind === 'several')
    figures.push(
      figure(
        'timing_alpha',
        'Alpha of its choices, a year',
        held.alpha,
        'share',
        tone(timingByLuck(held, equivalentTrials), (value) => value < SKILL_LEVEL),
        'What the row earned beyond its own average mix, held all the time. Probability by luck, ' +
          `as the best of all trials: ${probability(timingByLuck(held, equivalentTrials))}; as a ` +
          `single trial ${probability(held.p)}. Below ${percent(SKILL_LEVEL, 0)} its choices have ` +
          'earned it.',
        'Regression on the benchmark and on the row’s average holdings',
      ),
    );
  return figures;
}
