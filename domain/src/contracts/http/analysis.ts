import { type Static, Type } from 'typebox';
import { said, shownAs } from '../../kernel/said.ts';
import { METRIC_COLUMNS, type MetricColumn } from '../result-block.ts';
import { BatchIdParams } from './batches.ts';
import { OutOfSampleFiguresSchema } from './out-of-sample.ts';
import { ResultsFilter } from './results.ts';
import { defineRoute } from './route.ts';
import { scatterAnswer } from './scatter-answer.ts';
import { SkillSchema } from './verdict-skill.ts';

const access = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const tag = 'Batch analysis';
const base = '/api/v1/batch-backtests/{id}/analysis';
const Value = Type.Union([Type.String(), Type.Number()]);
const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Values = Type.Record(Type.String(), Value);
export const MetricName = Type.Unsafe<MetricColumn>({ type: 'string', enum: [...METRIC_COLUMNS] });
const Metric = { metric: Type.Optional(MetricName) };
/** Of the rows that meet these only, as the results are filtered; default all. */
const Rows = { filter: Type.Optional(ResultsFilter) };

const get = { method: 'GET', side: 'query', tag, access, params: BatchIdParams } as const;

/** Numbers in rows; an array of types in place of a union, which is written several times as slowly. */
const Grid = Type.Unsafe<(number | null)[][]>({
  type: 'array',
  items: { type: 'array', items: { type: ['number', 'null'] } },
});
const AxisOrder = Type.Optional(Type.Union([Type.Literal('given'), Type.Literal('mean')]));
const Place = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 }));
const HeatMapAxis = Type.Object({
  name: Type.String(),
  values: Type.Array(Value),
  step: said(
    'Neighbouring values that share a cell: cell `i` holds the values from `i * step` on.',
    Type.Integer(),
  ),
  from: said(
    'Where `values` begin among those with a result, how many these are, and how many have none and take no room.',
    Type.Integer(),
  ),
  total: Type.Integer(),
  empty: Type.Integer(),
});

export const getHeatMap = defineRoute({
  ...get,
  id: 'getBatchHeatMap',
  cost: 'query',
  path: `${base}/heat-map`,
  summary: 'A metric over two variables: best, mean and worst over all the others',
  query: Type.Object({
    x: Type.String({ maxLength: 100 }),
    y: Type.String({ maxLength: 100 }),
    ...Metric,
    ...Rows,
    x_order: said(
      'As given (numbers ascending), or tickers by their mean, the best first; default given.',
      AxisOrder,
    ),
    y_order: AxisOrder,
    x_from: said('A part of the ordered values, half open; default all.', Place),
    x_to: Place,
    y_from: Place,
    y_to: Place,
    cells: said(
      'Most cells in a direction; of more values, neighbours share one. Default 120.',
      Type.Optional(Type.Integer({ minimum: 1, maximum: 400 })),
    ),
  }),
  answer: Type.Object({
    metric: MetricName,
    x: HeatMapAxis,
    y: HeatMapAxis,
    count: said(
      'A row for every cell along y, in it the cells along x; null where no combination has a result.',
      Type.Array(Type.Array(Type.Integer())),
    ),
    best: Grid,
    mean: Grid,
    worst: Grid,
  }),
});

export const getScatter = defineRoute({
  ...get,
  id: 'getBatchScatter',
  cost: 'query',
  path: `${base}/scatter`,
  summary:
    'Two metrics against each other, evenly sampled, with the rows that none beats in both, or in three',
  query: Type.Object({
    x: said(
      'Default max_drawdown. Risks are better the smaller they are, all else the larger.',
      Type.Optional(MetricName),
    ),
    y: said('Default annualized_return.', Type.Optional(MetricName)),
    z: said(
      'A third metric that the rows of the frontier are not beaten in; none by default.',
      Type.Optional(MetricName),
    ),
    points: Type.Optional(Type.Integer({ minimum: 10, maximum: 20_000 })),
    ...Rows,
  }),
  answer: scatterAnswer(MetricName),
});

export const getVariableEffects = defineRoute({
  ...get,
  id: 'getBatchVariableEffects',
  cost: 'query',
  path: `${base}/variables`,
  summary: 'How much each variable explains of a metric’s variance, and the metric along each of its values',
  query: Type.Object({ ...Metric, ...Rows }),
  answer: Type.Object({
    metric: MetricName,
    count: Type.Integer(),
    deviation: Nullable,
    variables: Type.Array(
      Type.Object({
        name: Type.String(),
        is_numeric: Type.Boolean(),
        explained: said(
          "Share of the variance between the variable's values (eta squared), 0 to 1.",
          Nullable,
        ),
        steepest: said(
          'Largest change of the mean between two neighbouring numbers, per step; null for tickers.',
          Type.Union([
            Type.Null(),
            Type.Object({ from: Type.Number(), to: Type.Number(), change: Type.Number() }),
          ]),
        ),
        slices: Type.Array(
          Type.Object({
            value: Value,
            count: Type.Integer(),
            best: Nullable,
            mean: Nullable,
            median: Nullable,
            worst: Nullable,
          }),
        ),
      }),
    ),
  }),
});

const PeakSchema = Type.Object({
  combination: Type.Integer(),
  values: Values,
  value: Type.Number(),
  plateau: said('Combinations that can be reached by single steps and are nearly as good.', Type.Integer()),
  neighbour_median: Nullable,
});

export const getPeaks = defineRoute({
  ...get,
  id: 'getBatchPeaks',
  cost: 'query',
  path: `${base}/peaks`,
  summary: 'Local maxima with the plateaus they stand on, and where the best lies at the edge of the search',
  query: Type.Object({ ...Metric, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }),
  answer: Type.Object({
    metric: MetricName,
    median: Nullable,
    best: Type.Union([
      Type.Null(),
      Type.Object({
        combination: Type.Integer(),
        values: Values,
        value: Type.Number(),
        neighbours: Type.Integer(),
        neighbours_above_median: Nullable,
      }),
    ]),
    edges: Type.Array(
      Type.Object({
        name: Type.String(),
        side: Type.Union([Type.Literal('lowest'), Type.Literal('highest')]),
        value: Type.Number(),
      }),
    ),
    peaks: Type.Array(PeakSchema),
  }),
});

export const getRobustOrder = defineRoute({
  ...get,
  id: 'getBatchRobustOrder',
  cost: 'query',
  path: `${base}/robust`,
  summary: 'Rows ordered by the median of their neighbourhood instead of their own value',
  query: Type.Object({ ...Metric, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
  answer: Type.Object({
    metric: MetricName,
    rows: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        values: Values,
        value: Type.Number(),
        neighbourhood_median: Type.Number(),
        metrics: Type.Record(Type.String(), Nullable),
      }),
    ),
  }),
});

export const getParallelSample = defineRoute({
  ...get,
  id: 'getBatchParallelSample',
  cost: 'query',
  path: `${base}/parallel`,
  summary: 'Rows for parallel coordinates: an even sample and the best ones',
  query: Type.Object({
    ...Metric,
    size: Type.Optional(Type.Integer({ minimum: 10, maximum: 5_000 })),
    ...Rows,
  }),
  answer: Type.Object({
    metric: MetricName,
    columns: Type.Array(Type.String()),
    rows: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        is_top: Type.Boolean(),
        cells: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
      }),
    ),
  }),
});

export const FigureSchema = Type.Object({
  key: Type.String(),
  label: Type.String(),
  value: Nullable,
  unit: Type.Union([
    Type.Literal('count'),
    Type.Literal('probability'),
    Type.Literal('ratio'),
    Type.Literal('years'),
    Type.Literal('correlation'),
    Type.Literal('slope'),
    Type.Literal('share'),
  ]),
  tone: said(
    'How the figure speaks for the strategy.',
    Type.Union([Type.Literal('good'), Type.Literal('bad'), Type.Literal('neutral')]),
  ),
  explanation: Type.String(),
  source: Type.String(),
});
export type Figure = Static<typeof FigureSchema>;

export const VerdictSchema = Type.Object({
  verdict: Type.Union([
    Type.Literal('likely_luck'),
    Type.Literal('may_be_real'),
    Type.Literal('too_little_data'),
    /** The alpha of the best row could not be tested, or no row is a strategy; `sentence` says why. */
    Type.Literal('not_tested'),
    /** The prices are those of the demo's model: the figures are an exercise, and `cell` is null. */
    Type.Literal('simulated_prices'),
  ]),
  sentence: said('A few sentences for the reader.', Type.String()),
  tested: said(
    'What was tested, in one sentence; null where nothing was.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  cell: said(
    'Probability of the alpha by luck (below 3% or not) by probability of overfitting (below 50% or not); ' +
      'null where one is unknown.',
    Type.Union([
      Type.Literal('real_and_robust'),
      Type.Literal('family_real'),
      Type.Literal('lucky_pick'),
      Type.Literal('noise'),
      Type.Null(),
    ]),
  ),
  skill: said(
    "The test of the best strategy's alpha; null where nothing was tested.",
    Type.Union([Type.Null(), SkillSchema]),
  ),
  figures: Type.Array(FigureSchema),
  trials: Type.Object({
    lineage: Type.Integer(),
    batch: Type.Integer(),
    batches_in_lineage: Type.Integer(),
    single_runs: Type.Integer(),
    effective: said(
      'Participation ratio of the correlations between rows, carried over to all trials; ' +
        'null where it was not measured.',
      Nullable,
    ),
  }),
  best: Type.Union([
    Type.Null(),
    Type.Object({
      combination: Type.Integer(),
      values: Values,
      sharpe_ratio: Type.Number(),
      sharpe_over_cash: said(
        '`sharpe_ratio - 252 c / standard_deviation`, c the mean of `cash.daily_by_block`, weighted by ' +
          'the days that the row has in each block: by this rows are ranked and deflated. ' +
          'The same as `sharpe_ratio` where `cash.name` is null.',
        Type.Number(),
      ),
      n: Type.Integer(),
    }),
  ]),
  cash: Type.Object({
    name: said(
      'What is taken for cash; null where it could not be run just now or rows lack a deviation, and ' +
        'nothing is taken off.',
      Type.Union([Type.String(), Type.Null()]),
    ),
    daily_by_block: said(
      'Its mean return a day in each of the ten blocks of the period, 0 where it has no prices. ' +
        'The cross-validation takes it off every return of the block.',
      Type.Array(Type.Number()),
    ),
  }),
  cross_validation: Type.Object({
    splits: Type.Integer(),
    blocks: Type.Integer(),
    rows: Type.Integer(),
    pbo: Nullable,
    slope: said(
      'Of the points; near -1 even for a strategy that nobody has chosen, since its halves change places.',
      Nullable,
    ),
    kept: said(
      'Mean Sharpe ratio over cash of the winners out of sample over that in sample: a fixed strategy keeps 1.',
      Nullable,
    ),
    probability_of_loss: said(
      'Share of the halves in which the winner of the other half earns less than cash.',
      Nullable,
    ),
    points: said(
      "Annualised Sharpe ratios over cash of each split's winner, in and out of sample.",
      Type.Array(Type.Object({ in: Type.Number(), out: Type.Number() })),
    ),
  }),
  out_of_sample: said(
    'Null until that part was opened, and where the batch names none.',
    Type.Union([Type.Null(), OutOfSampleFiguresSchema]),
  ),
});
export type Verdict = Static<typeof VerdictSchema>;

export const getVerdict = defineRoute({
  ...get,
  id: 'getBatchVerdict',
  cost: 'query',
  path: `${base}/verdict`,
  summary: 'What the best result is worth after everything that was tried',
  answer: VerdictSchema,
});

export const compareBatches = defineRoute({
  ...get,
  id: 'compareBatches',
  cost: 'query',
  path: `${base}/compare`,
  summary: 'Two batches side by side, matched by the values of their variables',
  query: Type.Object({ with: Type.String({ minLength: 1, maxLength: 100 }), ...Metric }),
  answer: Type.Object({
    metric: MetricName,
    differences: said(
      'Settings in which the two differ.',
      Type.Array(Type.Object({ name: Type.String(), this: Type.String(), other: Type.String() })),
    ),
    matched: said(
      'Combinations that have a result in both, by the values of the variables they share.',
      Type.Integer(),
    ),
    unmatched: said(
      'Results of either batch that the other one has not.',
      Type.Object({ this: Type.Integer(), other: Type.Integer() }),
    ),
    equal: said(
      "Of the matched ones: where this batch's value equals the other's, is higher, is lower.",
      Type.Integer(),
    ),
    higher: Type.Integer(),
    lower: Type.Integer(),
    correlation: Nullable,
    mean_difference: Nullable,
    medians: Type.Array(Type.Object({ metric: MetricName, this: Nullable, other: Nullable })),
    largest_changes: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        other_combination: Type.Integer(),
        values: Values,
        this: Type.Number(),
        other: Type.Number(),
      }),
    ),
  }),
});

export const recomputeRows = defineRoute({
  id: 'recomputeBatchRows',
  cost: 'run',
  method: 'POST',
  path: '/api/v1/batch-backtests/{id}/rows',
  side: 'query',
  tag,
  summary:
    'Runs picked rows again: equity curves on common days, correlation of their returns, and one group of them all',
  access,
  params: BatchIdParams,
  body: Type.Object({
    combinations: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 20, uniqueItems: true }),
  }),
  answer: Type.Object({
    rows: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        values: Values,
        timestamps: said('Epoch seconds, midnight UTC.', Type.Array(Type.Integer())),
        value: Type.Array(Type.Number()),
        error: said(
          'Why the row could not be simulated; its curve is then empty.',
          Type.Union([Type.String(), Type.Null()]),
        ),
        equals_stored: said(
          'True when the metrics equal the stored ones to 1e-9.',
          Type.Union([Type.Boolean(), Type.Null()]),
        ),
      }),
    ),
    benchmark: Type.Object({ timestamps: Type.Array(Type.Integer()), value: Type.Array(Nullable) }),
    correlation: said(
      'Of the daily returns on common days, in the order of `rows`.',
      Type.Array(Type.Array(Nullable)),
    ),
    group: said(
      'A group block that holds every picked row as a group, equally weighted; block ids are new.',
      shownAs(
        'GroupBlock',
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      ),
    ),
  }),
});
