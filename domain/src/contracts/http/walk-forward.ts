import { type Static, Type } from 'typebox';
import { BatchIdParams } from './batches.ts';
import { defineRoute } from './route.ts';

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
/** First and last day, `YYYY-MM-DD`. */
const Days = Type.Object({ from: Type.String(), to: Type.String() });
const Mode = Type.Union([Type.Literal('rolling'), Type.Literal('anchored')]);

export const WalkForwardSchema = Type.Object({
  mode: Mode,
  /** Blocks that rows are chosen on. */
  k: Type.Integer(),
  /** The blocks in use, which nearly all rows have returns in; empty where there are too few. */
  blocks: Type.Array(Days),
  /** Rows that took part. */
  rows: Type.Integer(),
  windows: Type.Array(
    Type.Object({
      chosen_on: Days,
      held: Days,
      combination: Type.Integer(),
      values: Values,
      /** Annualised. */
      in_sharpe: Nullable,
      out_sharpe: Nullable,
      /** Of the days that it was held, as a fraction. */
      return: Type.Number(),
    }),
  ),
  /** All that was held, one after the other. */
  stitched: Type.Object({
    /** A year. */
    annualized_return: Nullable,
    sharpe: Nullable,
    /** Growth of 1 at the end of each block that was held. */
    value: Type.Array(Type.Number()),
  }),
  /** The row that is best over all these blocks, known only afterwards, over the blocks that were held. */
  hindsight: Type.Union([
    Type.Null(),
    Type.Object({ combination: Type.Integer(), values: Values, value: Type.Array(Type.Number()) }),
  ]),
  /** Null where it has no prices. */
  benchmark: Type.Union([
    Type.Null(),
    Type.Object({ ticker: Type.String(), value: Type.Array(Type.Number()) }),
  ]),
  /** Return a year where rows were held, over that where they were chosen; null where nothing was earned there. */
  efficiency: Nullable,
  by_k: Type.Array(
    Type.Object({
      k: Type.Integer(),
      windows: Type.Integer(),
      annualized_return: Nullable,
      sharpe: Nullable,
      efficiency: Nullable,
    }),
  ),
  /** What sums over blocks cannot tell. */
  precision: Type.String(),
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
    /** Default 3, or as many as there are but one. */
    k: Type.Optional(Type.Integer({ minimum: 1, maximum: 63 })),
    mode: Type.Optional(Mode),
  }),
  answer: WalkForwardSchema,
});
