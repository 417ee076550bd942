import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import {
  ImportReportSchema,
  RejectedRowSchema,
  SeriesActionSchema,
  SeriesFlagSchema,
} from '../../market-data/import-report.ts';
import { SuspicionSchema } from '../../market-data/suspicions.ts';
import { defineRoute } from './route.ts';

const tag = 'Market data';

export const TickerSchema = Type.Object({
  ticker: Type.String(),
  name: Type.String(),
  first_day: said('First and last day with a price, `YYYY-MM-DD`.', Type.String()),
  last_day: Type.String(),
  is_simulated: said('True for the demo data set and for `SIM:` tickers: no real price.', Type.Boolean()),
});
export type Ticker = Static<typeof TickerSchema>;

/** A series that conditions may look at and nobody can trade. */
export const ConditionSeriesSchema = Type.Object({
  name: said('`@VIXCLS`.', Type.String()),
  title: Type.String(),
  source: Type.String(),
  first_day: said('Days of the first and last observation, `YYYY-MM-DD`.', Type.String()),
  last_day: Type.String(),
  lag_days: said(
    'Calendar days between the day of a value and the day on which it is known.',
    Type.Integer(),
  ),
  has_vintages: said('Whether the source tells on which day each value was published.', Type.Boolean()),
});
export type ConditionSeriesFacts = Static<typeof ConditionSeriesSchema>;

export const TickersAnswer = Type.Object({
  data: Type.Array(TickerSchema),
  series: said(
    'Series for conditions; they are no assets.',
    Type.Optional(Type.Array(ConditionSeriesSchema)),
  ),
});

/** All tickers, once per data version: the answer has an ETag and is compressed; search them with `TickerSearch`. */
export const listTickers = defineRoute({
  id: 'listTickers',
  method: 'GET',
  path: '/api/v1/tickers',
  side: 'query',
  tag,
  summary: 'All tickers with their names; simulated ones only where the plan has them',
  access: { kind: 'user', machine: true },
  answer: TickersAnswer,
  example: {
    answer: {
      data: [
        {
          ticker: 'SPY',
          name: 'SPDR S&P 500 ETF Trust',
          first_day: '1993-01-29',
          last_day: '2026-11-20',
          is_simulated: true,
        },
      ],
    },
  },
});

export const DataSetSchema = Type.Object({
  version: Type.String(),
  created_at: Type.String(),
  label: Type.String(),
  is_simulated: said(
    'True when every price is simulated: to be said wherever a number of it is shown.',
    Type.Boolean(),
  ),
  last_day: Type.String(),
  asset_count: Type.Integer(),
  sessions_behind: said(
    'Sessions of the New York exchange behind the last day that are over by now.',
    Type.Integer(),
  ),
});
export type DataSet = Static<typeof DataSetSchema>;

export const getDataSet = defineRoute({
  id: 'getDataSet',
  method: 'GET',
  path: '/api/v1/market-data',
  side: 'query',
  tag,
  summary: 'The data set that new work uses, and whether its prices are simulated',
  access: { kind: 'user', machine: true },
  answer: Type.Object({ data: DataSetSchema }),
});

const { rejected: _rejected, flags: _flags, ...reportTotals } = ImportReportSchema.properties;
/** A report without its long lists. */
export const ImportReportTotalsSchema = Type.Object(reportTotals);

export const AssetDefectsSchema = Type.Object({
  ticker: Type.String(),
  name: Type.String(),
  first_day: Type.String(),
  last_day: Type.String(),
  flags: Type.Array(SeriesFlagSchema),
});

export const AdminMarketDataAnswer = Type.Object({
  data: Type.Object({
    current: DataSetSchema,
    versions: Type.Array(Type.Object({ ...DataSetSchema.properties, is_current: Type.Boolean() })),
    report: said(
      'Of the version asked for; null for the demo data set.',
      Type.Union([ImportReportTotalsSchema, Type.Null()]),
    ),
    rejected: said('The first rows that were left out.', Type.Array(RejectedRowSchema)),
    condition_series: said(
      'Series for conditions of the version asked for.',
      Type.Array(ConditionSeriesSchema),
    ),
    assets_with_defects: said('Assets with anything suspicious, most first.', Type.Array(AssetDefectsSchema)),
  }),
});
export type AdminMarketData = Static<typeof AdminMarketDataAnswer>['data'];

/** Rejected rows and assets that the admin page lists. */
export const ADMIN_LIST_LIMIT = 500;

export const getAdminMarketData = defineRoute({
  id: 'getAdminMarketData',
  method: 'GET',
  path: '/api/v1/admin/market-data',
  side: 'query',
  tag,
  summary: 'Versions, freshness, the report of the last import and assets with defects',
  access: { kind: 'admin' },
  query: Type.Object({ version: Type.Optional(Type.String({ maxLength: 40 })) }),
  answer: AdminMarketDataAnswer,
});

const BasisSchema = Type.Union([
  Type.Literal('splits_and_dividends'),
  Type.Literal('splits'),
  Type.Literal('none'),
  Type.Literal('unknown'),
]);
const ChartSchema = Type.Object({ days: Type.Array(Type.String()), closes: Type.Array(Type.Number()) });

export const AdminTickerAnswer = Type.Object({
  data: Type.Object({
    ticker: Type.String(),
    name: Type.String(),
    version: Type.String(),
    first_day: Type.String(),
    last_day: Type.String(),
    days: said('Prices in all.', Type.Integer()),
    source: Type.String(),
    basis: said('What the prices are adjusted for.', BasisSchema),
    further_bases: said(
      'What further closes that are kept beside them are adjusted for: decisions can be read from these.',
      Type.Array(BasisSchema),
    ),
    is_simulated: Type.Boolean(),
    prices: said('The whole history, thinned out to what a chart can show.', ChartSchema),
    suspicions: Type.Array(
      Type.Object({
        ...SuspicionSchema.properties,
        days: Type.Array(
          Type.Object({
            from: Type.String(),
            to: Type.String(),
            message: Type.String(),
            prices: said('The bars around it.', ChartSchema),
          }),
        ),
      }),
    ),
    versions: said(
      'The newest versions that have the ticker, the newest first.',
      Type.Array(
        Type.Object({
          version: Type.String(),
          created_at: Type.String(),
          label: Type.String(),
          first_day: Type.String(),
          last_day: Type.String(),
          source: Type.String(),
          basis: BasisSchema,
          change: said(
            'What the import of the version did to it; null where it did nothing, or was too large to list it.',
            Type.Union([
              Type.Object({
                action: SeriesActionSchema,
                added: Type.Integer(),
                changed: Type.Integer(),
                lost: Type.Integer(),
              }),
              Type.Null(),
            ]),
          ),
        }),
      ),
    ),
  }),
});
export type AdminTicker = Static<typeof AdminTickerAnswer>['data'];

export const getAdminTicker = defineRoute({
  id: 'getAdminTicker',
  method: 'GET',
  path: '/api/v1/admin/market-data/tickers/{ticker}',
  side: 'query',
  tag,
  summary: 'One ticker: span, source, basis, suspicions with their days, versions, prices for a chart',
  access: { kind: 'admin' },
  params: Type.Object(
    { ticker: Type.String({ minLength: 1, maxLength: 30 }) },
    { additionalProperties: false },
  ),
  query: Type.Object({ version: Type.Optional(Type.String({ maxLength: 40 })) }),
  answer: AdminTickerAnswer,
});
