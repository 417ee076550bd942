import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
const Nullable = Type.Union([Type.Number(), Type.Null()]);

/**
 * The best strategy's return beyond its exposure to the benchmark and beyond cash, and what the number of
 * trials makes of it.
 */
export const SkillSchema = Type.Object({
  combination: said(
    'The row that is judged: the best by Sharpe ratio over cash that is a strategy.',
    Type.Integer(),
  ),
  values: Values,
  best_kind: said(
    'What the row with the best Sharpe ratio is; only a strategy can win.',
    Type.Union([
      Type.Literal('cash'),
      Type.Literal('benchmark'),
      Type.Literal('mix'),
      Type.Literal('strategy'),
    ]),
  ),
  benchmark: Type.String(),
  cash: said('What cash is taken to earn, in words.', Type.String()),
  days: said('Daily returns in the test.', Type.Integer()),
  rows: said('Rows that were run again and take part in the test.', Type.Integer()),
  not_strategies: said(
    'Rows that were run again and are cash, the benchmark or a mix of both.',
    Type.Integer(),
  ),
  alpha: said('A year, as a fraction, with its Newey-West standard error.', Type.Number()),
  alpha_error: Type.Number(),
  t: said('Of alpha.', Type.Number()),
  beta: Type.Number(),
  beta_error: Type.Number(),
  excess_sharpe: said('Sharpe ratio of the return over cash, a year.', Type.Number()),
  correlation: said('With the benchmark.', Type.Number()),
  p: said('Probability of a best alpha as clear as this one if none of the trials had any.', Type.Number()),
  equivalent_trials: said('Independent trials that all trials amount to.', Type.Number()),
  superior_ability_p: said(
    'p-value of the test for superior ability over the rows that were run again.',
    Type.Number(),
  ),
  superior: said('Rows whose alpha is above 0 at a family-wise error of 5%.', Type.Integer()),
  confidence_set: said('Rows that cannot be told from the best at a level of 5%.', Type.Integer()),
  confidence_rows: said(
    'These rows, by alpha, the largest first.',
    Type.Array(Type.Object({ combination: Type.Integer(), values: Values })),
  ),
  confidence_text: said('Which rows were compared with the best one, in words.', Type.String()),
  timing_alpha: said(
    'What the row earned a year beyond its own average mix; null where it held one asset, or that is unknown.',
    Nullable,
  ),
  timing_p: said(
    'Probability of that by luck, as the best of all trials; null where it held one asset, or that is unknown.',
    Nullable,
  ),
  held: said(
    'What the row held: one asset all the time, several over time, the same mix of several, or what could ' +
      'not be looked at.',
    Type.Union([
      Type.Literal('one'),
      Type.Literal('several'),
      Type.Literal('same mix'),
      Type.Literal('unknown'),
    ]),
  ),
});
