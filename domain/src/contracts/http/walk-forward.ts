import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { BatchIdParams } from './batches.ts';
import { defineRoute } from './route.ts';

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
/** First and last day, `YYYY-MM-DD`. */
const Days = Type.Object({ from: Type.String(), to: Type.String() });
const Mode = Type.Union([Type.Literal('rolling'), Type.Literal('anchored')]);
const Blocks = said(
  'Default 3, or as many as there are but one.',
  Type.Optional(Type.Integer({ minimum: 1, maximum: 63 })),
);

export const WalkForwardSchema = Type.Object({
  mode: Mode,
  k: said('Blocks that rows are chosen on.', Type.Integer()),
  cash: said(
    'Rows are chosen by their Sharpe ratio over this; null where it could not be run just now, and they ' +
      'are chosen by the plain ratio. The ratios shown are plain.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  blocks: said(
    'The blocks in use, which nearly all rows have returns in; empty where there are too few.',
    Type.Array(Days),
  ),
  rows: said('Rows that took part.', Type.Integer()),
  windows: Type.Array(
    Type.Object({
      chosen_on: Days,
      held: Days,
      combination: Type.Integer(),
      values: Values,
      in_sharpe: said('Annualised.', Nullable),
      out_sharpe: Nullable,
      return: said('Of the days that it was held, as a fraction.', Type.Number()),
    }),
  ),
  stitched: said(
    'All that was held, one after the other.',
    Type.Object({
      annualized_return: said('A year.', Nullable),
      sharpe: Nullable,
      value: said('Growth of 1 at the end of each block that was held.', Type.Array(Type.Number())),
    }),
  ),
  hindsight: said(
    'The row that is best over all these blocks, known only afterwards, over the blocks that were held.',
    Type.Union([
      Type.Null(),
      Type.Object({ combination: Type.Integer(), values: Values, value: Type.Array(Type.Number()) }),
    ]),
  ),
  benchmark: said(
    'Null where it has no prices.',
    Type.Union([Type.Null(), Type.Object({ ticker: Type.String(), value: Type.Array(Type.Number()) })]),
  ),
  efficiency: said(
    'Return a year where rows were held, over that where they were chosen; null where nothing was earned there.',
    Nullable,
  ),
  by_k: Type.Array(
    Type.Object({
      k: Type.Integer(),
      windows: Type.Integer(),
      annualized_return: Nullable,
      sharpe: Nullable,
      efficiency: Nullable,
    }),
  ),
  precision: said('What sums over blocks cannot tell.', Type.String()),
});
export type WalkForwardAnswer = Static<typeof WalkForwardSchema>;

export const getWalkForward = defineRoute({
  id: 'getBatchWalkForward',
  method: 'GET',
  side: 'query',
  tag: 'Batch analysis',
  access: { kind: 'user', features: ['web.batch-backtests.create'], machine: true },
  cost: 'query',
  path: '/api/v1/batch-backtests/{id}/analysis/walk-forward',
  params: BatchIdParams,
  summary: 'Choosing the best row on some blocks of the period and holding it in the next, over and over',
  query: Type.Object({
    k: Blocks,
    mode: Type.Optional(Mode),
  }),
  answer: WalkForwardSchema,
});

const Figures = Type.Object({
  annualized_return: said('A year.', Nullable),
  sharpe: said('Annualised.', Nullable),
  max_drawdown: said('The largest fall from a high, as a fraction.', Nullable),
});
/** Daily values of what was held: growth of 1 from the close before the first day. */
const DAILY = {
  days: Type.Array(Type.String()),
  value: said('Growth of 1 at the close of each of these days.', Type.Array(Type.Number())),
  figures: Figures,
};

export const ExactWalkForwardSchema = Type.Object({
  mode: Mode,
  k: said('Blocks that rows are chosen on.', Type.Integer()),
  windows: Type.Array(
    Type.Object({
      held: Days,
      combination: Type.Integer(),
      values: Values,
      return: said('Of the days that it was held, as a fraction.', Type.Number()),
      sharpe: said('Of the same days, annualised.', Nullable),
      max_drawdown: said('Within these days, as a fraction.', Nullable),
    }),
  ),
  stitched: said(
    'All that was held, one after the other. The change from one row to the next costs nothing here.',
    Type.Object(DAILY),
  ),
  after_changes: said(
    'The same where each change to another row sells all and buys all at the slippage of the batch: the ' +
      'most that changing can cost.',
    Type.Object({
      changes: said('How often another row was taken than was held.', Type.Integer()),
      figures: Figures,
    }),
  ),
  hindsight: said(
    'The row that is best over all blocks, known only afterwards, over the days that were held.',
    Type.Union([Type.Null(), Type.Object({ combination: Type.Integer(), values: Values, ...DAILY })]),
  ),
  benchmark: said(
    'Over the same days; null where it has no prices.',
    Type.Union([Type.Null(), Type.Object({ ticker: Type.String(), ...DAILY })]),
  ),
});
export type ExactWalkForwardAnswer = Static<typeof ExactWalkForwardSchema>;

export const computeWalkForward = defineRoute({
  id: 'computeBatchWalkForward',
  method: 'POST',
  side: 'query',
  tag: 'Batch analysis',
  access: { kind: 'user', features: ['web.batch-backtests.create'], machine: true },
  cost: 'run',
  path: '/api/v1/batch-backtests/{id}/walk-forward',
  params: BatchIdParams,
  summary: 'Runs the rows that a walk-forward has chosen again, and follows them day by day',
  body: Type.Object({ k: Blocks, mode: Type.Optional(Mode) }),
  answer: ExactWalkForwardSchema,
});
