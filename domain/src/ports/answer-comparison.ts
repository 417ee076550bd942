import type { Comparison } from '../exchange/answer-comparison.ts';
import type { AnswerIndicators } from '../exchange/source-answer.ts';

/** Compares the indicator values of another tool's answer with ours. */
export interface AnswerComparison {
  /** Null where there is nothing to compare with: no value, no published prices, or simulated ones alone. */
  compare(answer: AnswerIndicators): Promise<Comparison | null>;
}
