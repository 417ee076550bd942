import { type Static, Type } from 'typebox';
import { MOST_FIGURED } from '../../batch/row-figures.ts';
import { said } from '../../kernel/said.ts';
import { BatchIdParams } from './batches.ts';
import { defineRoute } from './route.ts';

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));
const RegimeSchema = Type.Union([
  Type.Literal('bull'),
  Type.Literal('bear'),
  Type.Literal('high_volatility'),
]);
const access = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const tag = 'Batch analysis';

/** Most rows that are looked at one by one. */
export const MOST_PICKED = 20;

const PartSchema = Type.Object({
  annualized_return: Nullable,
  sharpe: said('Annualised.', Nullable),
});

export const StabilitySchema = Type.Object({
  periods: said(
    'The blocks of the period in use, which nearly all rows have returns in; empty where there are too few.',
    Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        regime: said(
          'Of the benchmark: high_volatility where its daily returns swung a quarter more than in the ' +
            'median block, else bull or bear by whether it rose; null without its prices.',
          Type.Union([RegimeSchema, Type.Null()]),
        ),
        benchmark: said("The benchmark's return in it, as a fraction.", Nullable),
      }),
    ),
  ),
  rows: Type.Array(
    Type.Object({
      combination: Type.Integer(),
      values: Values,
      periods: said('In the order of `periods`.', Type.Array(PartSchema)),
      regimes: Type.Array(
        Type.Object({ regime: RegimeSchema, ...PartSchema.properties, periods: Type.Integer() }),
      ),
    }),
  ),
  cash: said(
    'Rows are ranked by their Sharpe ratio over this; null where it could not be run just now or the rows ' +
      'lack what it takes, and they are ranked by the plain ratio. The ratios shown are plain.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  left_out: said(
    'Rows that are like cash, equal to the benchmark or a mix of both: left out of the ten best and of ' +
      'the order; 0 where all rows are of that kind.',
    Type.Integer(),
  ),
  ranked: said(
    'Rows whose order is compared: all that have returns in all periods, or an even sample of 20,000 of them.',
    Type.Integer(),
  ),
  rank_correlation: said(
    "Spearman's, of the rows' Sharpe ratios, over `cash`, in one period and in another.",
    Type.Object({
      between_periods: Type.Array(Type.Array(Nullable)),
      neighbours: said('Mean over each period and the next.', Nullable),
      between_regimes: Type.Array(
        Type.Object({ one: RegimeSchema, other: RegimeSchema, correlation: Nullable }),
      ),
    }),
  ),
  sentence: said('What the order of the rows says, for people.', Type.String()),
});
export type StabilityAnswer = Static<typeof StabilitySchema>;

export const getStability = defineRoute({
  id: 'getBatchStability',
  method: 'GET',
  side: 'query',
  tag,
  access,
  cost: 'query',
  path: '/api/v1/batch-backtests/{id}/analysis/stability',
  params: BatchIdParams,
  summary: 'Rows by period and by kind of market, and whether their order stays',
  query: Type.Object({
    combinations: said(
      `Numbers separated by commas, at most ${MOST_PICKED}; default the ten best by Sharpe ratio ` +
        'over cash, as the verdict ranks them.',
      Type.Optional(Type.String({ maxLength: 300, pattern: '^\\d{1,9}(,\\d{1,9})*$' })),
    ),
  }),
  answer: StabilitySchema,
});

const BandSchema = said(
  '5%, 50% and 95% of the draws.',
  Type.Object({ low: Nullable, middle: Nullable, high: Nullable }),
);

export const BandsSchema = Type.Object({
  days: said('Daily returns that all rows have, and their first and last day.', Type.Integer()),
  from: Type.String(),
  to: Type.String(),
  draws: Type.Integer(),
  block_length: said('Mean number of days that stay together in a draw.', Type.Number()),
  rows: Type.Array(
    Type.Object({
      combination: Type.Integer(),
      values: Values,
      error: said(
        'Why the row could not be run again; its figures are then null.',
        Type.Union([Type.String(), Type.Null()]),
      ),
      figures: said(
        'Of the days as they were; null where the row has none.',
        Type.Union([
          Type.Null(),
          Type.Object({
            sharpe: Nullable,
            annualized_return: Nullable,
            max_drawdown: Nullable,
            expected_shortfall_95: said('Of the whole run.', Nullable),
            exposure: said('Of the whole run.', Nullable),
          }),
        ]),
      ),
      bands: said(
        '`shuffled_drawdown`: of the same days in random order, which changes nothing else.',
        Type.Union([
          Type.Null(),
          Type.Object({
            sharpe: BandSchema,
            annualized_return: BandSchema,
            max_drawdown: BandSchema,
            shuffled_drawdown: BandSchema,
          }),
        ]),
      ),
      loss_share: said('Share of the draws that lose money.', Nullable),
      best_share: said('Share of the draws in which it has the best Sharpe ratio of these rows.', Nullable),
      years: said(
        'Calendar years of the whole run.',
        Type.Array(Type.Object({ year: Type.Integer(), return: Type.Number(), sharpe: Nullable })),
      ),
    }),
  ),
});
export type BandsAnswer = Static<typeof BandsSchema>;

export const computeBands = defineRoute({
  id: 'computeBatchBands',
  method: 'POST',
  side: 'query',
  tag,
  access,
  cost: 'run',
  path: '/api/v1/batch-backtests/{id}/bands',
  params: BatchIdParams,
  summary:
    'Runs picked rows again and says how much their figures depend on the days they met, and on their order',
  body: Type.Object({
    combinations: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 1,
      maxItems: MOST_PICKED,
      uniqueItems: true,
    }),
  }),
  answer: BandsSchema,
});

export const RowFiguresSchema = Type.Object({
  rows: Type.Array(
    Type.Object({
      combination: Type.Integer(),
      error: said(
        'Why the row could not be run again; its figures are then null.',
        Type.Union([Type.String(), Type.Null()]),
      ),
      expected_shortfall_95: said('Mean loss of the worst 5% of its days, as a fraction.', Nullable),
      exposure: said('Mean share of the portfolio that was not cash.', Nullable),
    }),
  ),
});
export type RowFiguresAnswer = Static<typeof RowFiguresSchema>;

export const computeRowFigures = defineRoute({
  id: 'computeBatchRowFigures',
  method: 'POST',
  side: 'query',
  tag,
  access,
  cost: 'run',
  path: '/api/v1/batch-backtests/{id}/row-figures',
  params: BatchIdParams,
  summary: 'Runs rows again for the figures that are not stored: expected shortfall and exposure',
  body: Type.Object({
    combinations: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 1,
      maxItems: MOST_FIGURED,
      uniqueItems: true,
    }),
  }),
  answer: RowFiguresSchema,
});
