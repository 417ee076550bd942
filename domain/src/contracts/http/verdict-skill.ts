import { Type } from 'typebox';

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
const Nullable = Type.Union([Type.Number(), Type.Null()]);

/** The best strategy's return beyond its exposure to the benchmark and beyond cash, and what the number of trials makes of it. */
export const SkillSchema = Type.Object({
  /** The row that is judged: the best by Sharpe ratio that is a strategy. */
  combination: Type.Integer(),
  values: Values,
  /** What the row with the best Sharpe ratio is; only a strategy can win. */
  best_kind: Type.Union([
    Type.Literal('cash'),
    Type.Literal('benchmark'),
    Type.Literal('mix'),
    Type.Literal('strategy'),
  ]),
  benchmark: Type.String(),
  /** What cash is taken to earn, in words. */
  cash: Type.String(),
  /** Daily returns in the test. */
  days: Type.Integer(),
  /** Rows that were run again and take part in the test. */
  rows: Type.Integer(),
  /** Rows that were run again and are cash, the benchmark or a mix of both. */
  not_strategies: Type.Integer(),
  /** A year, as a fraction, with its Newey-West standard error. */
  alpha: Type.Number(),
  alpha_error: Type.Number(),
  /** Of alpha. */
  t: Type.Number(),
  beta: Type.Number(),
  beta_error: Type.Number(),
  /** Sharpe ratio of the return over cash, a year. */
  excess_sharpe: Type.Number(),
  /** With the benchmark. */
  correlation: Type.Number(),
  /** Probability of a best alpha as clear as this one if none of the trials had any. */
  p: Type.Number(),
  /** Independent trials that all trials amount to. */
  equivalent_trials: Type.Number(),
  /** p-value of the test for superior ability over the rows that were run again. */
  superior_ability_p: Type.Number(),
  /** Rows whose alpha is above 0 at a family-wise error of 5 %. */
  superior: Type.Integer(),
  /** Rows that cannot be told from the best at a level of 5 %. */
  confidence_set: Type.Integer(),
  /** What the row earned a year beyond its own average mix, and the probability of it by luck; null where it held one asset, or that is unknown. */
  timing_alpha: Nullable,
  timing_p: Nullable,
});
